/* The number formats of tensor cores. */
#ifndef CUDASIM_PTX_MATRIX_H
#define CUDASIM_PTX_MATRIX_H

#include "harness/sim/ptx/ptx.h"

enum ptx_type { PTX_F16, PTX_BF16, PTX_TF32 };

enum ptx_type ptx_type_in(const char *name); /* of an instruction */
float ptx_number(enum ptx_type type, uint32_t bits);

static inline float ptx_float(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t ptx_bits(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    return bits;
}

#endif
