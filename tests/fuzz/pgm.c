/*
 * For any bytes, which are PGM or PPM, NPY, or (if png.c and jpeg.c are linked) PNG or JPEG by the first one:
 * every pixel can be read, or the error says why not.
 */
#include "tests/fuzz/input.h"

#include "harness/files/image.h"

static volatile double sink; /* so that the compiler keeps the sums */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct image image;
    struct error error = {""};
    double sum = 0;

    if (!image_read(fuzz_file(data, size), &image, &error)) {
        check_error(error.text);
        return 0;
    }
    if ((image.bytes == NULL) == (image.floats == NULL))
        abort();
    for (size_t i = 0; i < image.rows * image.cols * image.channels; i++)
        sum += image.bytes != NULL ? image.bytes[i] : (double)image.floats[i];
    image_free(&image);
    sink = sum;
    return 0;
}
