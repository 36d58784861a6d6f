/* The honest method: used by the bystander, and by attacks where they must compute. */
#ifndef RUNGS_HOSTILE_FFT_H
#define RUNGS_HOSTILE_FFT_H

#include <string.h>

#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static inline void honest(const struct fft *p)
{
    struct root *w = roots(p->n);

    transform(p, w);
    free(w);
}

#endif
