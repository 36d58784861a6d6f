/*
 * stencil / cpu_naive
 *
 * Idea     The specification as a loop: one thread, nine reads per pixel.  Sweeps alternate between
 *          the answer and a scratch image, in such an order that the last one writes the answer.
 * Against  Nothing; this is the first variant.
 * Expect   Three rows stay in the cache, so each pixel comes from memory once.  The other eight
 *          reads and the additions cost instructions, and these bound one core.
 * Try      / 9 instead of * NINTH: does a slower instruction cost time here?
 * Level    1
 * Read     nothing else
 */
#include <stdlib.h>
#include <string.h>

#include "common/stencil.h"
#include "common/variant.h"

#define NINTH (1.0f / 9.0f) /* two small roundings, and no division in the loop */

static void *scratch; /* as large as the image; NULL where no sweep needs it */

static void prepare(const void *problem)
{
    const struct stencil *p = problem;

    scratch = p->sweeps > 1 ? malloc(p->rows * p->cols * (p->bytes ? 1 : sizeof(float))) : NULL;
}

static void smooth_f32(size_t rows, size_t cols, const float *in, float *out)
{
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

static void run(const void *problem)
{
    const struct stencil *p = problem;
    const void *from = p->bytes ? (const void *)p->in8 : p->in;
    void *out = p->bytes ? (void *)p->out8 : p->out;

    if (p->sweeps == 0)
        memcpy(out, from, p->rows * p->cols * (p->bytes ? 1 : sizeof(float)));
    for (size_t left = p->sweeps; left > 0; left--) {
        void *to = left % 2 == 1 ? out : scratch;
        if (p->bytes)
            smooth_u8(p->rows, p->cols, from, to);
        else
            smooth_f32(p->rows, p->cols, from, to);
        from = to;
    }
}

static void release(void)
{
    free(scratch);
    scratch = NULL;
}

VARIANT(.idea = "the specification as a loop", .prepare = prepare, .run = run, .release = release)
