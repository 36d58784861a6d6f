/*
 * map / cuda_warp
 *
 * Idea     The lanes of a warp share the rare work.  A large argument in one lane makes all 32 wait for it, and once more for y.
 *          Here a warp gathers its large arguments in shared memory, each lane reduces one of them, and all return together.
 * Against  cuda_naive, whose lanes wait for one another in cosf, and again in sinf.
 * Expect   Nothing where there are no large arguments, and nothing where memory is the limit.  With a few per warp one pass in place
 *          of two.
 * Try      A case with all arguments in (-2^20, 2^20): two passes either way.
 * Level    3
 * Read     sine.h, payne_hanek.h, cuda_functions.h, cuda_sine.h, cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */
#include "cuda_sine.h"    /* trig, windows_upload */

enum { THREADS = 256, WARP = 32 };

static const unsigned ALL_LANES = 0xffffffff;

/* Puts a lane's large argument behind those of the lanes below it, from `at` on. */
__device__ static void hand_in(float *large, unsigned lanes, int at, float x)
{
    const unsigned lane = threadIdx.x % WARP;

    if (lanes >> lane & 1)
        large[at + __popc(lanes & ((1u << lane) - 1))] = x;
}

__device__ static struct angle take_back(const struct angle *reduced, unsigned lanes, int at, struct angle mine)
{
    const unsigned lane = threadIdx.x % WARP;

    return lanes >> lane & 1 ? reduced[at + __popc(lanes & ((1u << lane) - 1))] : mine;
}

__global__ static void trig_warp(size_t n, const float *x, const float *y, float *z)
{
    __shared__ float larges[THREADS / WARP][2 * WARP];
    __shared__ struct angle reduceds[THREADS / WARP][2 * WARP];
    float *large = larges[threadIdx.x / WARP];
    struct angle *reduced = reduceds[threadIdx.x / WARP];
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const float mine_x = i < n ? x[i] : 0.0f, mine_y = i < n ? y[i] : 0.0f;
    struct angle a = reduce_near(mine_x), b = reduce_near(mine_y);
    const unsigned of_x = __ballot_sync(ALL_LANES, !(fabsf(mine_x) < NEAR)), of_y = __ballot_sync(ALL_LANES, !(fabsf(mine_y) < NEAR));
    const int first_y = __popc(of_x), count = first_y + __popc(of_y);

    if (count > 0) { /* the same for all lanes of a warp */
        hand_in(large, of_x, 0, mine_x);
        hand_in(large, of_y, first_y, mine_y);
        __syncwarp();
        for (int job = (int)(threadIdx.x % WARP); job < count; job += WARP)
            reduced[job] = reduce_far(large[job], d_windows);
        __syncwarp();
        a = take_back(reduced, of_x, 0, a);
        b = take_back(reduced, of_y, first_y, b);
    }
    a.quarters++; /* cos x = sin(x + pi/2) */
    if (i < n)
        z[i] = sine_of(a) + sine_of(b);
}

template <class F, class T> __global__ static void map_warp(size_t n, F f, const T *x, const T *y, T *z)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        z[i] = f(x[i], second(f, y, i));
}

static void prepare_windows(const void *problem)
{
    windows_upload();
    prepare(problem);
}

static void run(const void *problem)
{
    const struct map *p = (const struct map *)problem;
    const unsigned blocks = (unsigned)((p->n + THREADS - 1) / THREADS);

    if (blocks == 0)
        return;
    if (p->f == MAP_TRIG)
        trig_warp<<<blocks, THREADS>>>(p->n, (const float *)d_x, (const float *)d_y, (float *)d_z);
    else if (p->f == MAP_RELDIFF)
        map_warp<<<blocks, THREADS>>>(p->n, reldiff(), (const float *)d_x, (const float *)d_y, (float *)d_z);
    else
        map_warp<<<blocks, THREADS>>>(p->n, suppress{p->threshold}, (const int16_t *)d_x, (const int16_t *)d_y, (int16_t *)d_z);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "a warp reduces its large arguments together",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_windows,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
