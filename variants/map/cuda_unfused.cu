/*
 * map / cuda_unfused
 *
 * Idea     A kernel for each operation, and an array for each result between two of them: what a formula of NumPy's or CuPy's
 *          operators does.
 * Against  cpu_naive, on the host.
 * Expect   28 bytes per element for trig and 44 for reldiff, where 12 are needed.  At small sizes three or four launches.
 * Try      n = 10^4 and 2^24, --f reldiff, beside cuda_graph and cuda_naive: which part of the time are launches?
 * Level    1
 * Read     cuda_functions.h, cuda_steps.h, cuda_buffers.h
 */
#include "cuda_steps.h"

static void run(const void *problem)
{
    give_steps((const struct map *)problem, 0);
}

VARIANT(.idea = "a kernel per operation, arrays in between",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_steps,
        .upload = upload_steps,
        .run = run,
        .download = download,
        .release = release_steps)
