/* JPEG, by libjpeg: read only, because what is smoothed should not become blocks again. */
/* needs: libjpeg */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <jerror.h>
#include <jpeglib.h>

#include "harness/files/allocate.h"
#include "harness/files/file_progress.h"
#include "harness/files/image_format.h"

/* Everything that outlives a longjmp. */
struct work {
    struct jpeg_error_mgr errors; /* first, because libjpeg hands out a pointer to it */
    struct jpeg_decompress_struct jpeg;
    struct infile *in;
    struct error *error;
    unsigned char *raw; /* a row */
    struct jpeg_progress_mgr monitor;
    struct file_progress progress;
    jmp_buf back;
};

static void on_error(j_common_ptr jpeg)
{
    struct work *w = (struct work *)jpeg->err;
    char message[JMSG_LENGTH_MAX];

    jpeg->err->format_message(jpeg, message);
    error_set(w->error, "%s: JPEG: %s", w->in->name, message);
    longjmp(w->back, 1);
}

/* libjpeg warns of damage and fills what is missing with gray.  So a warning is an error, except for what
   does no harm to pixels. */
static void on_message(j_common_ptr jpeg, int level)
{
    const int code = jpeg->err->msg_code;

    if (level < 0 && code != JWRN_EXTRANEOUS_DATA && code != JWRN_ADOBE_XFORM && code != JWRN_JFIF_MAJOR)
        on_error(jpeg);
}

/* Is called now and then; a progressive JPEG is read in several passes before its first row appears. */
static void on_progress(j_common_ptr jpeg)
{
    const struct jpeg_progress_mgr *m = jpeg->progress;
    const size_t limit = (size_t)m->pass_limit;
    struct work *w = (struct work *)jpeg->err;

    file_progress_show(&w->progress, (size_t)m->completed_passes * limit + (size_t)m->pass_counter,
                       (size_t)m->total_passes * limit);
}

static bool take_image(struct work *w, struct image *image)
{
    struct jpeg_decompress_struct *jpeg = &w->jpeg;

    if (jpeg->num_components != 1 && jpeg->num_components != 3)
        return error_set(w->error, "%s: the JPEG has %d channels (CMYK?); convert it to gray or to red, green "
                         "and blue", w->in->name, jpeg->num_components);
    jpeg->out_color_space = jpeg->num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    (void)jpeg_start_decompress(jpeg);
    *image = (struct image){.rows = jpeg->output_height, .cols = jpeg->output_width,
                            .channels = (size_t)jpeg->output_components, .white = 255};
    if (!image_take(image, w->in->name, w->error))
        return false;
    w->raw = allocate(image_row_bytes(image, 255), 1, w->in->name, w->error);
    return w->raw != NULL;
}

static bool read_all(struct work *w, struct image *image)
{
    if (setjmp(w->back) != 0)
        return false;
    jpeg_create_decompress(&w->jpeg);
    w->monitor.progress_monitor = on_progress;
    w->jpeg.progress = &w->monitor;
    jpeg_stdio_src(&w->jpeg, w->in->stream);
    (void)jpeg_read_header(&w->jpeg, TRUE);
    if (!take_image(w, image))
        return false;
    for (size_t r = 0; r < image->rows; r++) {
        (void)jpeg_read_scanlines(&w->jpeg, &w->raw, 1);
        image_put_row(image, r, w->raw);
    }
    (void)jpeg_finish_decompress(&w->jpeg);
    return infile_healthy(w->in, w->error);
}

static bool read_jpeg(struct infile *in, struct image *image, struct error *error)
{
    struct work w = {.in = in, .error = error, .progress = file_progress_begin("reading", in->name)};

    w.jpeg.err = jpeg_std_error(&w.errors);
    w.errors.error_exit = on_error;
    w.errors.emit_message = on_message;
    const bool good = read_all(&w, image);
    jpeg_destroy_decompress(&w.jpeg);
    file_progress_end(&w.progress);
    free(w.raw);
    return good;
}

IMAGE_FORMAT(jpeg, .name = "JPEG", .extension = ".jpg", .first_byte = 0xFF, .read = read_jpeg)
