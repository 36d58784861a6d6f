/*
 * saxpy / gpu_openacc
 *
 * Idea     The same as gpu_omp_target in OpenACC, which was made for GPUs alone: `parallel loop` where OpenMP has four
 *          words.
 * Against  gpu_omp_target: the same compiler makes both kernels.
 * Expect   Faster than gpu_omp_target: the compiler itself shares the loop out among threads.  GCC 12 on an H200: 36 us at
 *          S, 443 us at n = 2^26 (2026-11-23).
 * Try      `num_workers(32) vector_length(32)`.
 * Level    1
 * Read     nothing else
 */
#include <openacc.h>

#include "common/saxpy.h"
#include "common/variant.h"

/* The case's arrays, which the pragmas name.  GCC's runtime cannot map arrays without elements. */
static const float *x, *y;
static float *z;
static size_t n;

static const char *refuse(const void *problem)
{
    (void)problem;
    return acc_get_num_devices(acc_device_nvidia) > 0 ? NULL : "OpenACC finds no GPU";
}

static void prepare(const void *problem)
{
    const struct saxpy *p = problem;

    x = p->x, y = p->y, z = p->z, n = p->n;
#pragma acc enter data create(x[:n], y[:n], z[:n]) if (n > 0)
}

static void upload(const void *problem)
{
    (void)problem;
#pragma acc update device(x[:n], y[:n]) if (n > 0)
}

static void run(const void *problem)
{
    const float a = ((const struct saxpy *)problem)->a;

    if (n == 0)
        return;
#pragma acc parallel loop present(x[:n], y[:n], z[:n])
    for (size_t i = 0; i < n; i++)
        z[i] = a * x[i] + y[i];
}

static void download(const void *problem)
{
    (void)problem;
#pragma acc update self(z[:n]) if (n > 0)
}

static void release(void)
{
#pragma acc exit data delete(x[:n], y[:n], z[:n]) if (n > 0)
}

VARIANT(.idea = "the loop, sent to the GPU by OpenACC",
        .base = "gpu_omp_target",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
