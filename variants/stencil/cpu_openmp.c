/*
 * stencil / cpu_openmp
 *
 * Idea     All cores: each computes an equal band of rows, in every sweep.
 * Against  cpu_naive, the same loops on one core.
 * Expect   As many times faster as there are cores, until memory is the bottleneck.  That is soon:
 *          a pixel costs 8 additions and moves 12 bytes, 4 of them only because an ordinary store
 *          first reads the cache line.
 * Try      sweeps = 16 on an image that fits in the cores' own caches, and on one that does not.
 * Level    1
 * Read     sweeps.h
 */
#include "sweeps.h" /* prepare, run, release: sweep after sweep through a scratch image */

#define NINTH (1.0f / 9.0f) /* two small roundings, and no division in the loop */

static void smooth_f32(size_t rows, size_t cols, const float *in, float *out)
{
#pragma omp parallel for schedule(static)
    for (size_t r = 0; r < rows; r++) {
        const float *mid = in + r * cols;
        float *to = out + r * cols;

        if (r == 0 || r == rows - 1 || cols < 3) {
            memcpy(to, mid, cols * sizeof *to);
            continue;
        }
        const float *up = mid - cols, *down = mid + cols;
        to[0] = mid[0];
        for (size_t c = 1; c < cols - 1; c++)
            to[c] = (up[c - 1] + up[c] + up[c + 1] +
                     mid[c - 1] + mid[c] + mid[c + 1] +
                     down[c - 1] + down[c] + down[c + 1]) * NINTH;
        to[cols - 1] = mid[cols - 1];
    }
}

static void smooth_u8(size_t rows, size_t cols, const uint8_t *in, uint8_t *out)
{
#pragma omp parallel for schedule(static)
    for (size_t r = 0; r < rows; r++) {
        const uint8_t *mid = in + r * cols;
        uint8_t *to = out + r * cols;

        if (r == 0 || r == rows - 1 || cols < 3) {
            memcpy(to, mid, cols);
            continue;
        }
        const uint8_t *up = mid - cols, *down = mid + cols;
        to[0] = mid[0];
        for (size_t c = 1; c < cols - 1; c++)
            to[c] = (up[c - 1] + up[c] + up[c + 1] +
                     mid[c - 1] + mid[c] + mid[c + 1] +
                     down[c - 1] + down[c] + down[c + 1]) / 9;
        to[cols - 1] = mid[cols - 1];
    }
}

VARIANT(.idea = "all cores, equal bands of rows",
        .base = "cpu_naive",
        .prepare = prepare,
        .run = run,
        .release = release)
