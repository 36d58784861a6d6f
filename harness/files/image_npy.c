#include <stdlib.h>

#include "harness/files/image_format.h"
#include "harness/files/npy.h"

static bool read_npy(struct infile *in, struct image *image, struct error *error)
{
    struct array array;

    if (!npy_read_from(in, &array, error))
        return false;
    if (array.rank != 2 || array.element == ELEMENT_COMPLEX) {
        array_free(&array);
        return error_set(error, "%s: an image has two dimensions, and pixels of float32, float64 "
                         "or bytes", in->name);
    }
    image->rows = array.shape[0];
    image->cols = array.shape[1];
    if (array.element == ELEMENT_U8)
        image->bytes = array.data;
    else
        image->floats = array.data;
    return true;
}

static bool write_npy(struct outfile *out, const struct image *image, struct error *error)
{
    const size_t shape[] = {image->rows, image->cols};

    (void)error; /* outfile_close reports errors */
    if (image->bytes != NULL)
        npy_write_to(out, ELEMENT_U8, 2, shape, image->bytes);
    else
        npy_write_to(out, ELEMENT_F32, 2, shape, image->floats);
    return true;
}

IMAGE_FORMAT(.name = "NPY", .extension = ".npy", .first_byte = 0x93, .read = read_npy,
             .write = write_npy)
