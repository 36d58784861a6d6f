#include "harness/problems/data/align_overlap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- pixels ---------------------------------------------------------------------------------------- */

static float pixel_of(const struct image *image, size_t channel, size_t at)
{
    const size_t place = channel * image->rows * image->cols + at;

    return image->bytes != NULL ? (float)image->bytes[place] : image->floats[place];
}

bool align_gray(const struct image *image, struct gray *to, struct error *error)
{
    const size_t count = image->rows * image->cols;

    *to = (struct gray){image->rows, image->cols, malloc((count + 1) * sizeof *to->pixel)};
    if (to->pixel == NULL)
        return error_set(error, "no memory");
    for (size_t i = 0; i < count; i++)
        to->pixel[i] = image->channels < 3 ? pixel_of(image, 0, i)
                                           : 0.299f * pixel_of(image, 0, i) + 0.587f * pixel_of(image, 1, i) +
                                                 0.114f * pixel_of(image, 2, i);
    return true;
}

/* --- where ----------------------------------------------------------------------------------------- */

static long larger(long a, long b)
{
    return a > b ? a : b;
}

static long smaller(long a, long b)
{
    return a < b ? a : b;
}

/* How a pixel differs from its four neighbours.  Neighbouring pixels are alike in any photograph, and so are two
   photographs of different things; their details are not. */
static double detail(const struct gray *image, long row, long col)
{
    const float *p = image->pixel + (size_t)row * image->cols + (size_t)col;

    return 4.0 * p[0] - p[-1] - p[1] - *(p - image->cols) - p[image->cols];
}

/* Correlates the details of what both images have. */
static struct placed place(const struct gray *a, const struct gray *b, long row, long col)
{
    enum { LEAST = 8 }; /* rows and columns in common: fewer prove nothing */
    const long top = larger(0, row) + 1, bottom = smaller((long)a->rows, (long)b->rows + row) - 1;
    const long left = larger(0, col) + 1, right = smaller((long)a->cols, (long)b->cols + col) - 1;
    struct placed at = {.row = row, .col = col, .agreement = 0.0};
    double sum_a = 0.0, sum_b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;

    if (bottom - top < LEAST || right - left < LEAST)
        return at;
    for (long r = top; r < bottom; r++)
        for (long c = left; c < right; c++) {
            const double x = detail(a, r, c), y = detail(b, r - row, c - col);
            sum_a += x;
            sum_b += y;
            aa += x * x;
            bb += y * y;
            ab += x * y;
        }
    const double n = (double)(bottom - top) * (double)(right - left);
    const double variances = (aa - sum_a * sum_a / n) * (bb - sum_b * sum_b / n);

    at.pixels = (size_t)n;
    if (variances > 0.0)
        at.agreement = (ab - sum_a * sum_b / n) / sqrt(variances);
    return at;
}

/*
 * The correlation of n unrelated details has a standard deviation of 1/sqrt(n).  Ten of them are no chance, although
 * neighbouring details are not quite independent: of 24 pairs of crops without a common pixel, none had more than 4, and of
 * 120 that were placed rightly, with noise as well, none less than 49.
 */
static const double SIGNIFICANT = 10.0;

static double significance(const struct placed *at)
{
    return at->agreement * sqrt((double)at->pixels);
}

struct placed align_place(const struct gray *a, const struct gray *b, long row, long col, long rows, long cols)
{
    struct placed best = {.overlaps = false};

    for (long up = -1; up <= 1; up++)
        for (long across = -1; across <= 1; across++) {
            const struct placed at = place(a, b, row + up * rows, col + across * cols);
            if (significance(&at) > significance(&best))
                best = at;
        }
    best.overlaps = significance(&best) >= SIGNIFICANT;
    return best;
}

/* --- mosaic ---------------------------------------------------------------------------------------- */

/* Adds an image, whose first pixel lies at (row, col) of the frame. */
static void add(const struct image *image, long row, long col, struct image *to, unsigned char *count)
{
    const size_t pixels = to->rows * to->cols;

    for (size_t r = 0; r < image->rows; r++)
        for (size_t c = 0; c < image->cols; c++) {
            const size_t at = ((size_t)row + r) * to->cols + (size_t)col + c;

            count[at]++;
            for (size_t channel = 0; channel < to->channels; channel++)
                to->floats[channel * pixels + at] += pixel_of(image, channel, r * image->cols + c);
        }
}

static void describe(const struct image *image, char *text, size_t bytes)
{
    const int length = snprintf(text, bytes, "%zu channel%s of ", image->channels, image->channels > 1 ? "s" : "");

    if (image->white > 0)
        (void)snprintf(text + length, bytes - (size_t)length, "0 to %u", image->white);
    else
        (void)snprintf(text + length, bytes - (size_t)length, "float32");
}

bool align_mosaic(const struct image *a, const struct image *b, const struct placed *at, struct image *to, struct error *error)
{
    const long top = smaller(0, at->row), left = smaller(0, at->col);
    const long bottom = larger((long)a->rows, (long)b->rows + at->row), right = larger((long)a->cols, (long)b->cols + at->col);
    const size_t pixels = (size_t)(bottom - top) * (size_t)(right - left);

    if (a->channels != b->channels || a->white != b->white) {
        char kind[2][80];

        describe(a, kind[0], sizeof kind[0]);
        describe(b, kind[1], sizeof kind[1]);
        return error_set(error, "one image has %s, the other %s: they have no joint picture; write the shift, as .csv",
                         kind[0], kind[1]);
    }
    *to = (struct image){.rows = (size_t)(bottom - top), .cols = (size_t)(right - left), .channels = a->channels,
                         .white = a->white > 255 ? a->white : 0, /* floats of up to 255 need no name */
                         .floats = calloc(pixels * a->channels + 1, sizeof *to->floats)};
    unsigned char *count = calloc(pixels + 1, 1);

    if (to->floats == NULL || count == NULL) {
        free(count);
        image_free(to);
        return error_set(error, "no memory");
    }
    add(a, -top, -left, to, count);
    add(b, at->row - top, at->col - left, to, count);
    for (size_t i = 0; i < pixels * to->channels; i++)
        if (count[i % pixels] > 1)
            to->floats[i] /= 2.0f;
    free(count);
    return true;
}
