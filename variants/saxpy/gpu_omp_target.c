/*
 * saxpy / gpu_omp_target
 *
 * Idea     The loop in C, which the compiler turns into a kernel: `omp target` says that it runs on the GPU, `map` and
 *          `update` say what is copied and when.  No line of CUDA.
 * Against  cpu_openmp, the same pragma without `target`; cuda_naive, which spells out the copies and the launch.
 * Expect   Slow: GCC's runtime on the GPU shares out the iterations, and sets up its threads anew in each region.  GCC 12 on
 *          an H200: 1.16 ms at S where cuda_naive takes 2 us, and 2.67 ms in place of 0.23 ms at n = 2^26 (2026-11-23).
 * Try      `#pragma omp target teams loop`: does the compiler share the loop out better?
 * Level    1
 * Read     nothing else
 */
#include <omp.h>

#include "common/saxpy.h"
#include "common/variant.h"

/* The case's arrays, which the pragmas name. */
static const float *x, *y;
static float *z;
static size_t n;

static const char *refuse(const void *problem)
{
    (void)problem;
    return omp_get_num_devices() > 0 ? NULL : "OpenMP finds no GPU";
}

static void prepare(const void *problem)
{
    const struct saxpy *p = problem;

    x = p->x, y = p->y, z = p->z, n = p->n;
#pragma omp target enter data map(alloc : x[:n], y[:n], z[:n])
}

static void upload(const void *problem)
{
    (void)problem;
#pragma omp target update to(x[:n], y[:n])
}

static void run(const void *problem)
{
    const float a = ((const struct saxpy *)problem)->a;

#pragma omp target teams distribute parallel for
    for (size_t i = 0; i < n; i++)
        z[i] = a * x[i] + y[i];
}

static void download(const void *problem)
{
    (void)problem;
#pragma omp target update from(z[:n])
}

static void release(void)
{
#pragma omp target exit data map(delete : x[:n], y[:n], z[:n])
}

VARIANT(.idea = "the loop, sent to the GPU by OpenMP",
        .base = "cpu_openmp",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
