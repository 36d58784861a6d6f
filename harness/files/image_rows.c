/* Rows of files, whose channels alternate, into the planes of an image and back. */
#include <math.h>

#include "harness/files/image_format.h"

static size_t number_bytes(unsigned white)
{
    return white > 255 ? 2 : 1;
}

size_t image_row_bytes(const struct image *image, unsigned white)
{
    return image->cols * image->channels * number_bytes(white);
}

/* Returns where a row of a channel begins in its plane. */
static size_t row_at(const struct image *image, size_t channel, size_t row)
{
    return (channel * image->rows + row) * image->cols;
}

void image_put_row(struct image *image, size_t row, const unsigned char *raw)
{
    const size_t step = image->channels;

    for (size_t channel = 0; channel < step; channel++) {
        const size_t to = row_at(image, channel, row);

        for (size_t c = 0, from = channel; c < image->cols; c++, from += step)
            if (image->bytes != NULL)
                image->bytes[to + c] = raw[from];
            else
                image->floats[to + c] = (float)(raw[2 * from] << 8 | raw[2 * from + 1]);
    }
}

static float value_at(const struct image *image, size_t i)
{
    return image->bytes != NULL ? (float)image->bytes[i] : image->floats[i];
}

/* A mean never exceeds the largest of its values, but its rounding may. */
static bool to_number(const struct image *image, size_t i, unsigned white, unsigned *number)
{
    const float scale = image->white > 0 ? (float)white / (float)image->white : 1.0F;
    const float value = value_at(image, i) * scale, most = (float)white;

    if (image->white == 0 && !(value >= 0.0F && value <= most)) /* also catches NaN */
        return false;
    *number = (unsigned)lrintf(fminf(fmaxf(value, 0.0F), most));
    return true;
}

bool image_get_row(const struct image *image, size_t row, unsigned white, unsigned char *raw,
                   const char *name, struct error *error)
{
    const size_t step = image->channels, wide = number_bytes(white);
    unsigned number = 0;

    for (size_t channel = 0; channel < step; channel++) {
        const size_t from = row_at(image, channel, row);

        for (size_t c = 0, to = channel * wide; c < image->cols; c++, to += step * wide) {
            if (image->bytes != NULL && image->white == white)
                number = image->bytes[from + c];
            else if (!to_number(image, from + c, white, &number))
                return error_set(error, "%s: the pixel in row %zu, column %zu is %g, not between 0 and "
                                 "%u as this format requires; write .npy instead", name, row, c,
                                 (double)value_at(image, from + c), white);
            if (wide == 2)
                raw[to] = (unsigned char)(number >> 8);
            raw[to + wide - 1] = (unsigned char)number;
        }
    }
    return true;
}
