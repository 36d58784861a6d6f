/*
 * stencil: many sweeps over an image that is narrow or low, for cuda_fused.
 *
 * A strip of quads has little to do there: its sides are most of it.  Here a warp holds a segment of the image, across its
 * whole shorter side, in registers, and makes all sweeps there: a lane has some neighbours along the longer side, and all that
 * lies across.  So a segment loses a pixel per sweep at its two ends only, and not where it meets the image's long sides.  Shared
 * memory is between the registers and the image, because each pixel is to be read and written once, in the order of memory.
 *
 * Positions: `along` counts along the image's longer side, `across` along its shorter one, which is a parameter of the kernel.
 */
#ifndef RUNGS_STENCIL_CUDA_THIN_H
#define RUNGS_STENCIL_CUDA_THIN_H

#include <cuda_pipeline.h>
#include <utility>

#include "cuda_buffers.h" /* NINTH */

enum {
    THIN = 31,        /* pixels across, at most: what registers hold */
    THINNEST = 8,     /* up to here also for few sweeps */
    THIN_DEPTH = 16   /* sweeps in a pass, at most */
};

struct thin {
    int along;
    bool upright;     /* is `along` counted by rows? */
    int made, sweeps; /* of a block along, without what the sweeps lose; in this pass */
};

/* Warps of a block: what shared memory has room for.  How many neighbours along a lane has, and how many pixels along a warp. */
__host__ __device__ static constexpr int thin_warps(int across) { return across <= 22 ? 4 : 2; }
__host__ __device__ static constexpr int thin_each(int across) { return across <= 6 ? 8 : 4; }
__host__ __device__ static constexpr int thin_segment(int across) { return 32 * thin_each(across); }

/* Where a pixel along lies in shared memory: a gap after 32, so that lanes thin_each() apart use different banks.  An odd length: so
   do neighbours across. */
__host__ __device__ static constexpr int thin_place(int along) { return along + along / 32; }
__host__ __device__ static constexpr int thin_stride(int across) { return thin_place(thin_warps(across) * thin_segment(across)) | 1; }

/* Calls move(pixel of the image, pixel in shared memory) for those of a block from `begin` to `end` along, in the order of
   memory. */
template <int ACROSS, class F>
__device__ static inline void thin_move(const struct thin &t, int first, int begin, int end, F move)
{
    const int fast = t.upright ? ACROSS : end - begin, slow = t.upright ? end - begin : ACROSS;
    const int step_slow = (int)blockDim.x / fast, step_fast = (int)blockDim.x % fast;
    int i = (int)threadIdx.x / fast, j = (int)threadIdx.x % fast;

    while (i < slow) {
        const int along = begin + (t.upright ? i : j), across = t.upright ? j : i;
        const size_t there = t.upright ? (size_t)(first + along) * ACROSS + across : (size_t)across * t.along + first + along;

        move(there, across * thin_stride(ACROSS) + thin_place(along));
        i += step_slow;
        j += step_fast;
        if (j >= fast) {
            j -= fast;
            i++;
        }
    }
}

/* The sums of each pixel and its two neighbours along */
template <int EACH> __device__ static inline void thin_sums(const float (&v)[EACH], float (&sums)[EACH])
{
    const float left = __shfl_up_sync(0xffffffff, v[EACH - 1], 1), right = __shfl_down_sync(0xffffffff, v[0], 1);

#pragma unroll
    for (int j = 0; j < EACH; j++)
        sums[j] = (j > 0 ? v[j - 1] : left) + v[j] + (j + 1 < EACH ? v[j + 1] : right);
}

template <int EACH> __device__ static inline void thin_copy(const float (&from)[EACH], float (&to)[EACH])
{
#pragma unroll
    for (int j = 0; j < EACH; j++)
        to[j] = from[j];
}

/* One sweep.  KEEP: does the segment hold an end of the image, whose pixels stay?  top, bottom: the sums of the image's two long
   sides, which stay, too. */
template <bool KEEP, int ACROSS, int EACH>
__device__ static inline void thin_sweep(float (&v)[ACROSS][EACH], const float (&top)[EACH], const float (&bottom)[EACH], unsigned stays)
{
    float above[EACH], here[EACH], below[EACH];

    thin_copy(top, above);
    thin_sums(v[1], here);
#pragma unroll
    for (int r = 1; r + 1 < ACROSS; r++) {
        if (r + 2 < ACROSS)
            thin_sums(v[r + 1], below);
        else
            thin_copy(bottom, below);
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            const float made = NINTH * (above[j] + here[j] + below[j]);

            v[r][j] = KEEP && (stays >> j & 1) ? v[r][j] : made;
            above[j] = here[j];
            here[j] = below[j];
        }
    }
}

template <int ACROSS>
__global__ static void __launch_bounds__(32 * thin_warps(ACROSS)) stencil_thin(struct thin t, const float *in, float *out)
{
    constexpr int EACH = thin_each(ACROSS), SEGMENT = thin_segment(ACROSS), STRIDE = thin_stride(ACROSS);
    __shared__ float piece[ACROSS * STRIDE];
    const int makes = (int)blockIdx.x * t.made, last = min(makes + t.made, t.along);
    const int first = max(makes - t.sweeps, 0), length = min(last + t.sweeps, t.along) - first;
    /* Segments overlap by what the sweeps lose. */
    const int begin = (int)threadIdx.x / 32 * (SEGMENT - 2 * t.sweeps), mine = begin + (int)threadIdx.x % 32 * EACH;
    const int right = first + begin == 0 ? 0 : begin + t.sweeps; /* the first pixel that is right after all sweeps */
    float v[ACROSS][EACH], top[EACH], bottom[EACH];
    unsigned stays = 0; /* bit j: is pixel `mine + j` an end of the image? */

    thin_move<ACROSS>(t, first, 0, length, [&](size_t there, int here) {
        __pipeline_memcpy_async(&piece[here], &in[there], sizeof(float)); /* past the registers: all are on their way at once */
    });
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        stays |= (unsigned)(first + mine + j == 0 || first + mine + j == t.along - 1) << j;
#pragma unroll
        for (int r = 0; r < ACROSS; r++)
            v[r][j] = mine + j < length ? piece[r * STRIDE + thin_place(mine + j)] : 0;
    }
    thin_sums(v[0], top);
    thin_sums(v[ACROSS - 1], bottom);
    __syncthreads(); /* all have read the piece */

    if (__any_sync(0xffffffff, stays != 0)) {
#pragma unroll 1
        for (int i = 0; i < t.sweeps; i++)
            thin_sweep<true>(v, top, bottom, stays);
    } else {
#pragma unroll 1
        for (int i = 0; i < t.sweeps; i++)
            thin_sweep<false>(v, top, bottom, stays);
    }
#pragma unroll
    for (int j = 0; j < EACH; j++)
        if (mine + j >= right && mine + j < begin + SEGMENT - t.sweeps && mine + j < length)
#pragma unroll
            for (int r = 1; r + 1 < ACROSS; r++)
                piece[r * STRIDE + thin_place(mine + j)] = v[r][j];
    __syncthreads();
    thin_move<ACROSS>(t, first, makes - first, last - first, [&](size_t there, int here) { out[there] = piece[here]; });
}

typedef void thin_kernel(struct thin, const float *, float *);

template <int... A> static thin_kernel *thin_kernel_of(int across, std::integer_sequence<int, A...>)
{
    static thin_kernel *const kernels[] = {stencil_thin<3 + A>...};

    return kernels[across - 3];
}

/* Of so many sweeps?  Few are over before the code of a wide segment has arrived. */
static inline bool is_thin(const struct stencil *p, size_t sweeps)
{
    const size_t across = p->rows < p->cols ? p->rows : p->cols;

    return across <= (sweeps > THIN_DEPTH / 2 ? THIN : THINNEST);
}

/* One pass of at most THIN_DEPTH sweeps.  All blocks make about as many pixels, and each multiprocessor has as many blocks. */
static inline void thin_pass(const struct stencil *p, size_t sweeps, size_t multiprocessors, const float *in, float *out)
{
    const bool upright = p->rows > p->cols;
    const int across = (int)(upright ? p->cols : p->rows), along = (int)(upright ? p->rows : p->cols);
    const int most = thin_warps(across) * (thin_segment(across) - 2 * (int)sweeps), blocks = (along + most - 1) / most;
    const int all = (blocks + (int)multiprocessors - 1) / (int)multiprocessors * (int)multiprocessors;
    const struct thin t = {.along = along, .upright = upright, .made = (along + all - 1) / all, .sweeps = (int)sweeps};

    thin_kernel_of(across, std::make_integer_sequence<int, THIN - 2>())
        <<<(unsigned)((along + t.made - 1) / t.made), 32 * thin_warps(across)>>>(t, in, out);
    CUDA(cudaGetLastError());
}

#endif
