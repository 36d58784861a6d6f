/*
 * prepare, run and release of a variant that makes one sweep after another, as cpu_naive.c spells them out.  The
 * variant defines one sweep, smooth_f32 and smooth_u8.
 */
#include <stdlib.h>
#include <string.h>

#include "common/stencil.h"
#include "common/variant.h"

/* one sweep, from in[rows][cols] to out[rows][cols] */
static void smooth_f32(size_t rows, size_t cols, const float *in, float *out);
static void smooth_u8(size_t rows, size_t cols, const uint8_t *in, uint8_t *out);

static void *scratch; /* as large as the image; NULL where no sweep needs it */

static void prepare(const void *problem)
{
    const struct stencil *p = problem;

    scratch = p->sweeps > 1 ? malloc(p->rows * p->cols * (p->bytes ? 1 : sizeof(float))) : NULL;
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
