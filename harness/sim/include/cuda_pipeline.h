/*
 * Asynchronous copies from global to shared memory: __pipeline_memcpy_async, of 4, 8 or 16 bytes, and
 * related functions.  pipeline.c says when they happen.
 */
#ifndef CUDASIM_PIPELINE_H
#define CUDASIM_PIPELINE_H

#include "cuda_runtime.h"

/* The last `zeros` bytes of the target become zero, whatever the source holds. */
static inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes,
                                           size_t zeros = 0)
{
    const struct cudasim_copy c = {to, from, bytes, zeros, 0};

    cudasim_copy_put(&c);
}

static inline void __pipeline_commit() { cudasim_copies_commit(); }

template <class word>
static inline void cudasim_arrive(const cudasim_copy &c)
{
    word w = {};

    if (c.zeros < c.bytes)
        w = *(const word *)c.from;
    memset((char *)&w + c.bytes - c.zeros, 0, c.zeros);
    *(word *)c.to = w;
}

/* Waits until at most the last `prior` batches are under way. */
static inline void __pipeline_wait_prior(size_t prior)
{
    struct cudasim_copy c;

    while (cudasim_copy_take(prior, &c))
        if (c.bytes == 4)
            cudasim_arrive<unsigned>(c);
        else if (c.bytes == 8)
            cudasim_arrive<uint2>(c);
        else
            cudasim_arrive<uint4>(c);
}

#endif
