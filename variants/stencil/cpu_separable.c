/*
 * stencil / cpu_separable
 *
 * Idea     The nine pixels are three columns of three, and neighbours share columns.  So add up
 *          each column once, keep a row of these sums, and a pixel costs 4 additions instead of 8.
 * Against  cpu_naive, which adds nine pixels anew for each one.
 * Expect   Less gain than half the additions suggest.  The row of sums is written and read again,
 *          and the compiler's code for nine reads was not slow.  Bytes even get slower: their sums
 *          need 16 bits and the division 32, so fewer fit in a register and more must be converted.
 * Try      cols = 2^20: the sums no longer fit in the first-level cache.  Does it matter?
 * Level    1
 * Read     sweeps.h
 */
#include "sweeps.h" /* prepare, run, release: sweep after sweep through a scratch image */

#define NINTH (1.0f / 9.0f) /* two small roundings, and no division in the loop */

static void smooth_f32(size_t rows, size_t cols, const float *in, float *out)
{
    float *sums = malloc(cols * sizeof *sums); /* of three rows, column by column */

    for (size_t r = 0; r < rows; r++) {
        const float *mid = in + r * cols;
        float *to = out + r * cols;

        if (r == 0 || r == rows - 1 || cols < 3) {
            memcpy(to, mid, cols * sizeof *to);
            continue;
        }
        const float *up = mid - cols, *down = mid + cols;
        for (size_t c = 0; c < cols; c++)
            sums[c] = up[c] + mid[c] + down[c];
        to[0] = mid[0];
        for (size_t c = 1; c < cols - 1; c++)
            to[c] = (sums[c - 1] + sums[c] + sums[c + 1]) * NINTH;
        to[cols - 1] = mid[cols - 1];
    }
    free(sums);
}

static void smooth_u8(size_t rows, size_t cols, const uint8_t *in, uint8_t *out)
{
    uint16_t *sums = malloc(cols * sizeof *sums); /* at most 3 * 255 each */

    for (size_t r = 0; r < rows; r++) {
        const uint8_t *mid = in + r * cols;
        uint8_t *to = out + r * cols;

        if (r == 0 || r == rows - 1 || cols < 3) {
            memcpy(to, mid, cols);
            continue;
        }
        const uint8_t *up = mid - cols, *down = mid + cols;
        for (size_t c = 0; c < cols; c++)
            sums[c] = (uint16_t)(up[c] + mid[c] + down[c]);
        to[0] = mid[0];
        for (size_t c = 1; c < cols - 1; c++)
            to[c] = (uint8_t)((sums[c - 1] + sums[c] + sums[c + 1]) / 9);
        to[cols - 1] = mid[cols - 1];
    }
    free(sums);
}

VARIANT(.idea = "columns added up once: 4 additions per pixel",
        .base = "cpu_naive",
        .prepare = prepare,
        .run = run,
        .release = release)
