/* map: the arrays of the problem, page-locked where they lie, for variants whose copies or kernels need that. */
#ifndef RUNGS_MAP_CUDA_LOCKED_H
#define RUNGS_MAP_CUDA_LOCKED_H

#include "cuda_functions.h"

static void *locked[3]; /* x, y and z; NULL: there is none, or it has no elements */

static inline void lock_arrays(const struct map *p, unsigned flags)
{
    const struct arrays host = arrays_of(p);
    const void *const wanted[] = {host.x, host.y, host.z};

    for (int i = 0; i < 3; i++) {
        locked[i] = p->n > 0 ? (void *)wanted[i] : NULL;
        if (locked[i] != NULL) /* the inputs are read-only */
            CUDA(cudaHostRegister(locked[i], p->n * host.element, flags | (i < 2 ? cudaHostRegisterReadOnly : 0)));
    }
}

static inline void unlock_arrays(void)
{
    for (void *array : locked)
        if (array != NULL)
            CUDA(cudaHostUnregister(array));
}

#endif
