/*
 * align on users' photographs: --image A --onto B.
 *
 * Both are made gray, their means are taken away, and they fade towards their edges (a Hann window, as OpenCV's
 * phaseCorrelate has it), because an edge would be the strongest thing in common.  What the larger frame has more, and what is
 * missing up to a product of 2, 3, 5 and 7, is 0.  Both are scaled to the same energy, which changes no phase.
 */
#include "common/align.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/files/outfile.h"
#include "harness/problems/align.h"
#include "harness/problems/data/align_overlap.h"

enum { IMAGE, ONTO, PLAIN };
enum { PAIRS, ROWS, COLS };

static const struct input inputs[] = {
    {"image", "FILE", "the image: JPEG, NPY, PGM, PNG, PPM or what GDAL reads, e.g. TIFF"},
    {"onto", "FILE", "another one that shows a part of the same.  The answer is how many rows further down and columns "
     "further right --image shows the same things, and the height of the peak, 0 to 1: 1 for a copy, near 0 if they have nothing in common"},
    {"plain", NULL, "do not fade the images towards their edges"},
    {NULL, NULL, NULL},
};

struct photographs {
    struct image image[2];
    struct gray gray[2];
    bool plain;
    size_t rows, cols; /* of the frame */
    /* the answer */
    bool known;
    float height, shift[2];
    struct placed at;
};

static void close(void *opened)
{
    struct photographs *two = opened;

    for (int i = 0; i < 2; i++) {
        image_free(&two->image[i]);
        free(two->gray[i].pixel);
    }
    free(two);
}

static bool all_finite(const struct gray *gray, const char *file, struct error *error)
{
    for (size_t i = 0; i < gray->rows * gray->cols; i++)
        if (!isfinite(gray->pixel[i]))
            return error_set(error, "%s: pixel [%zu][%zu] is %g", file, i / gray->cols, i % gray->cols,
                             (double)gray->pixel[i]);
    return true;
}

/* Without its mean such an image is 0 or rounding errors, whose phases are anything. */
static bool shows_something(const struct gray *gray, const char *file, struct error *error)
{
    const size_t count = gray->rows * gray->cols;

    for (size_t i = 1; i < count; i++)
        if (gray->pixel[i] != gray->pixel[0])
            return true;
    return error_set(error, "%s: %s, so it overlaps everywhere or nowhere; take images with details", file,
                     count == 0 ? "has no pixels" : count == 1 ? "has one pixel" : "all pixels are the same");
}

static size_t smooth_from(size_t n)
{
    while (!align_smooth(n))
        n++;
    return n;
}

static void *open(const char *const given[], size_t dims[], struct error *error)
{
    struct photographs *two = calloc(1, sizeof *two);
    bool fine = two != NULL;

    for (int i = 0; i < 2 && fine; i++) {
        const char *file = required_file(given, inputs, IMAGE + (size_t)i, error);

        fine = file != NULL && image_read(file, &two->image[i], error) &&
               align_gray(&two->image[i], &two->gray[i], error) && all_finite(&two->gray[i], file, error) &&
               shows_something(&two->gray[i], file, error);
    }
    if (!fine) {
        if (two != NULL)
            close(two);
        return NULL;
    }
    const struct gray *a = &two->gray[0], *b = &two->gray[1];

    two->plain = given[PLAIN] != NULL;
    two->rows = smooth_from(a->rows > b->rows ? a->rows : b->rows);
    two->cols = smooth_from(a->cols > b->cols ? a->cols : b->cols);
    dims[PAIRS] = 1;
    dims[ROWS] = two->rows;
    dims[COLS] = two->cols;
    return two;
}

static double fade(bool plain, size_t at, size_t length)
{
    return plain ? 1.0 : 0.5 - 0.5 * cos(2.0 * M_PI * ((double)at + 0.5) / (double)length);
}

/* Fills a frame from one image. */
static void prepare(const struct photographs *two, const struct gray *gray, float *frame)
{
    const size_t pixels = gray->rows * gray->cols, all = two->rows * two->cols;
    double sum = 0.0, energy = 0.0;

    for (size_t i = 0; i < pixels; i++)
        sum += gray->pixel[i];
    memset(frame, 0, all * sizeof *frame);
    for (size_t i = 0; i < pixels; i++) {
        const size_t row = i / gray->cols, col = i % gray->cols;
        const double x = (gray->pixel[i] - sum / (double)pixels) * fade(two->plain, row, gray->rows) *
                         fade(two->plain, col, gray->cols);

        frame[row * two->cols + col] = (float)x;
        energy += x * x;
    }
    for (size_t i = 0; i < all && energy > 0.0; i++)
        frame[i] *= (float)sqrt((double)all / energy);
}

static size_t one(const void *opened)
{
    (void)opened;
    return 1;
}

static void load(void *c, const void *opened, size_t part)
{
    struct align *p = c;
    const struct photographs *two = opened;

    (void)part;
    prepare(two, &two->gray[0], (float *)p->a);
    prepare(two, &two->gray[1], (float *)p->b);
    ((float *)p->eps)[0] = align_eps(p->a, p->b, p->rows * p->cols);
}

static void keep(const void *c, void *opened, size_t part)
{
    const struct align *p = c;
    struct photographs *two = opened;
    const long row = lroundf(p->shift[0]), col = lroundf(p->shift[1]);

    (void)part;
    two->known = true;
    two->height = p->height[0];
    two->at = align_place(&two->gray[0], &two->gray[1], row, col, (long)two->rows, (long)two->cols);
    two->shift[0] = p->shift[0] + (float)(two->at.row - row); /* with the whole frames that belong to it */
    two->shift[1] = p->shift[1] + (float)(two->at.col - col);
}

/* --- the answer ------------------------------------------------------------------------------------ */

static bool is_csv(const char *file)
{
    const size_t length = strlen(file);

    return outfile_is_stream(file) || (length > 4 && strcmp(file + length - 4, ".csv") == 0);
}

static bool writes(const void *opened, const char *file, struct error *error)
{
    const struct photographs *two = opened;

    if (is_csv(file))
        return true;
    if (two == NULL)
        return error_set(error, "%s: shifts of generated images are written as .csv", file);
    if (image_writable(file, two->image[0].channels, error))
        return true;
    text_add(error->text, sizeof error->text, "; .csv holds the shift alone");
    return false;
}

static bool save_shifts(const float (*numbers)[3], size_t count, const char *file, struct error *error)
{
    struct outfile out;
    char text[120];

    if (!outfile_open(&out, file, error))
        return false;
    outfile_write(&out, "row,column,height\n", strlen("row,column,height\n"));
    for (size_t i = 0; i < count; i++)
        outfile_write(&out, text, (size_t)snprintf(text, sizeof text, "%.9g,%.9g,%.9g\n", (double)numbers[i][0],
                                                   (double)numbers[i][1], (double)numbers[i][2]));
    return outfile_close(&out, error);
}

static bool save_generated(const struct align *p, const char *file, struct error *error)
{
    float(*numbers)[3] = malloc((p->pairs + 1) * sizeof *numbers);

    if (numbers == NULL)
        return error_set(error, "no memory");
    for (size_t i = 0; i < p->pairs; i++) {
        numbers[i][0] = p->shift[2 * i];
        numbers[i][1] = p->shift[2 * i + 1];
        numbers[i][2] = p->height[i];
    }
    const bool saved = save_shifts((const float(*)[3])numbers, p->pairs, file, error);
    free(numbers);
    return saved;
}

static bool save(const void *c, const void *opened, const char *file, struct error *error)
{
    const struct photographs *two = opened;
    struct image mosaic;

    if (two == NULL)
        return save_generated(c, file, error);
    if (!two->at.overlaps)
        return error_set(error, "no overlap of the two images was found, so %s is not written; they must share about a third "
                         "of their pixels, of the same size and not turned", file);
    if (is_csv(file))
        return save_shifts(&(const float[3]){two->shift[0], two->shift[1], two->height}, 1, file, error);
    if (!align_mosaic(&two->image[0], &two->image[1], &two->at, &mosaic, error))
        return false;
    const bool saved = image_write(file, &mosaic, error);
    image_free(&mosaic);
    return saved;
}

/* Rounds to hundredths; no minus stands before 0.00. */
static double hundredths(float x)
{
    return round(100.0 * (double)x) / 100.0 + 0.0;
}

static void remark(const void *opened, char *text, size_t bytes)
{
    const struct photographs *two = opened;

    if (two->known && two->at.overlaps)
        text_add(text, bytes, "moved by %.2f rows and %.2f columns (so much further down and right than in --onto), "
                 "height %.2g", hundredths(two->shift[0]), hundredths(two->shift[1]), (double)two->height);
    else if (two->known)
        text_add(text, bytes, "no overlap of the two images was found");
}

static const struct user_parts parts = {"pair", one, load, keep};

const struct user_data align_data = {.inputs = inputs, .open = open, .close = close, .save = save, .writes = writes,
                                     .remark = remark, .parts = &parts};
