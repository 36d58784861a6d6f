/* The honest method: used by the bystander, and by attacks where they must compute. */
#ifndef RUNGS_HOSTILE_STENCIL_H
#define RUNGS_HOSTILE_STENCIL_H

#include <string.h>

#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static inline void honest(const struct stencil *p)
{
    if (p->sweeps == 1 && p->rows > 2 && p->cols > 2) {
        const size_t n = p->cols;

        for (size_t r = 0; r < p->rows; r++)
            for (size_t c = 0; c < n; c++) {
                const size_t i = r * n + c;
                if (r == 0 || c == 0 || r == p->rows - 1 || c == n - 1) {
                    if (p->bytes)
                        p->out8[i] = p->in8[i];
                    else
                        p->out[i] = p->in[i];
                } else if (p->bytes) {
                    unsigned sum = 0;
                    for (size_t k = 0; k < 9; k++)
                        sum += p->in8[i + (k / 3) * n + k % 3 - n - 1];
                    p->out8[i] = (unsigned char)(sum / 9);
                } else {
                    float sum = 0.0f;
                    for (size_t k = 0; k < 9; k++)
                        sum += p->in[i + (k / 3) * n + k % 3 - n - 1];
                    p->out[i] = sum / 9.0f;
                }
            }
        return;
    }
    smooth(p, p->sweeps, smooth_pixel);
}

#endif
