/* NPY of rows x columns, or of rows x columns x channels, as NumPy's imaging libraries have them. */
#include <stdlib.h>
#include <string.h>

#include "harness/files/allocate.h"
#include "harness/files/image_format.h"
#include "harness/files/npy.h"

/* Copies numbers of `bytes` each from [pixels][channels] to [channels][pixels], or back if `back`. */
static void rearrange(char *to, const char *from, size_t pixels, size_t channels, size_t bytes, bool back)
{
    for (size_t channel = 0; channel < channels; channel++)
        for (size_t i = 0; i < pixels; i++) {
            const size_t plane = (channel * pixels + i) * bytes, mixed = (i * channels + channel) * bytes;

            memcpy(to + (back ? mixed : plane), from + (back ? plane : mixed), bytes);
        }
}

/* Moves the numbers of an array, which it frees, into the planes of an image. */
static bool take_array(struct image *image, struct array *a, const char *name, struct error *error)
{
    const bool taken = image_take(image, name, error);
    char *to = image->bytes != NULL ? (char *)image->bytes : (char *)image->floats;

    if (taken)
        rearrange(to, a->data, image->rows * image->cols, image->channels, element_bytes(a->element), false);
    array_free(a);
    return taken;
}

static bool read_npy(struct infile *in, struct image *image, struct error *error)
{
    struct array a;

    if (!npy_read_from(in, &a, error))
        return false;
    const size_t channels = a.rank == 3 ? a.shape[2] : 1;
    if ((a.rank != 2 && a.rank != 3) || channels < 1 || channels > 4 ||
        (a.element != ELEMENT_U8 && a.element != ELEMENT_F32)) {
        array_free(&a);
        return error_set(error, "%s: an image is rows x columns, or rows x columns x 1 to 4 channels, of "
                         "float32, float64 or bytes", in->name);
    }
    *image = (struct image){.rows = a.shape[0], .cols = a.shape[1], .channels = channels,
                            .white = a.element == ELEMENT_U8 ? 255 : 0};
    if (channels > 1)
        return take_array(image, &a, in->name, error);
    if (a.element == ELEMENT_U8)
        image->bytes = a.data;
    else
        image->floats = a.data;
    return true;
}

static bool write_npy(struct outfile *out, const struct image *image, struct error *error)
{
    const size_t shape[] = {image->rows, image->cols, image->channels}, pixels = shape[0] * shape[1];
    const enum element element = image->bytes != NULL ? ELEMENT_U8 : ELEMENT_F32;
    const void *data = image->bytes != NULL ? (void *)image->bytes : (void *)image->floats;

    if (image->channels == 1) {
        npy_write_to(out, element, 2, shape, data);
        return true; /* outfile_close reports errors */
    }
    char *mixed = allocate(pixels * image->channels, element_bytes(element), out->name, error);
    if (mixed == NULL)
        return false;
    rearrange(mixed, data, pixels, image->channels, element_bytes(element), true);
    npy_write_to(out, element, 3, shape, mixed);
    free(mixed);
    return true;
}

IMAGE_FORMAT(npy, .name = "NPY", .extension = ".npy", .first_byte = 0x93,
             .holds = {false, true, true, true, true}, .read = read_npy, .write = write_npy)
