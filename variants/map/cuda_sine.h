/* map: our own sine and cosine on the device.  A large argument costs a branch and a few operations in float64, and no memory of a
   thread's own, in which CUDA's functions keep the digits of its product. */
#ifndef RUNGS_MAP_CUDA_SINE_H
#define RUNGS_MAP_CUDA_SINE_H

#include "cuda_functions.h"
#include "sine.h"

__constant__ static struct window d_windows[WINDOWS]; /* for arguments beyond NEAR */

/* For prepare; each GPU has constants of its own. */
static inline void windows_upload(void)
{
    struct window windows[WINDOWS];

    windows_make(windows);
    CUDA(cudaMemcpyToSymbol(d_windows, windows, sizeof windows));
}

struct trig : trig_of_cuda {
    __device__ float operator()(float x, float y) const { return cosine(x, d_windows) + sine(y, d_windows); }
};

#endif
