/*
 * stencil / cuda_warp
 *
 * Idea     A lane holds four pixels of a row in registers, 16 bytes per read, and gets the pixels
 *          to their left and right from the neighbouring lanes by shuffles.  It reads ten rows, all
 *          in flight at once, and from their sums of three makes eight rows of the answer.
 * Against  cuda_naive: nine reads of 4 bytes per pixel.  Here it is a third of a read of 16 bytes.
 * Expect   Bound by the device's memory: 8 bytes per pixel at the rate of a copy.  Enough bytes are
 *          in flight for it, and each sum of three is computed once and used in three rows.
 * Try      ROWS = 1, 4, 16: with few rows, more are read twice; with many, the registers leave room
 *          for fewer threads.
 * Level    2
 * Read     cuda_buffers.h, quads.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_in, d_out, d_scratch; NINTH */
#include "quads.h"        /* load, store: four pixels at a time; ALL_LANES */

enum {
    ROWS = 8, /* of the answer, that a warp makes */
    WARP = 32,
    WARPS = 8,              /* of a block, one below the other */
    COLS = (WARP - 2) * 4,  /* that a warp makes: its first and last lane only supply neighbours */
    THREADS = WARP * WARPS
};

/* Returns, for each of a lane's four pixels, the sum of it and its left and right neighbours. */
__device__ static float4 sums_of_three(float4 v)
{
    float left = __shfl_up_sync(ALL_LANES, v.w, 1), right = __shfl_down_sync(ALL_LANES, v.x, 1);

    return make_float4(left + v.x + v.y, v.x + v.y + v.z, v.y + v.z + v.w, v.z + v.w + right);
}

template <bool ALIGNED>
__global__ static void stencil_warp(size_t rows, size_t cols, const float *in, float *out)
{
    unsigned lane = threadIdx.x % WARP, across = (unsigned)((cols + COLS - 1) / COLS);
    size_t top = ((size_t)(blockIdx.x / across) * WARPS + threadIdx.x / WARP) * ROWS;
    ptrdiff_t c = (ptrdiff_t)(blockIdx.x % across) * COLS + 4 * ((ptrdiff_t)lane - 1);
    ptrdiff_t end = (ptrdiff_t)cols;

    if (top >= rows)
        return; /* the whole warp: shuffles need all lanes */
    float4 v[ROWS + 2]; /* in registers; v[1] is row `top` */
    const float *row = in + (top > 0 ? top - 1 : 0) * cols;
#pragma unroll
    for (int k = 0; k < ROWS + 2; k++) {
        v[k] = load<ALIGNED>(row, c, end);
        if (top + k > 0 && top + k < rows) /* else the first or last row once more */
            row += cols;
    }
    float4 up = sums_of_three(v[0]), mid = sums_of_three(v[1]);
    bool lends = lane == 0 || lane == WARP - 1 || c >= end;
#pragma unroll
    for (int k = 1; k <= ROWS; k++) {
        size_t r = top + k - 1;
        float4 down = sums_of_three(v[k + 1]), to = v[k]; /* the border is kept */

        if (r > 0 && r < rows - 1) {
            to.x = c == 0 || c == end - 1 ? to.x : (up.x + mid.x + down.x) * NINTH;
            to.y = c + 1 == end - 1 ? to.y : (up.y + mid.y + down.y) * NINTH;
            to.z = c + 2 == end - 1 ? to.z : (up.z + mid.z + down.z) * NINTH;
            to.w = c + 3 == end - 1 ? to.w : (up.w + mid.w + down.w) * NINTH;
        }
        if (!lends && r < rows)
            store<ALIGNED>(out + r * cols, c, end, to);
        up = mid;
        mid = down;
    }
}

static const char *refuse(const void *problem)
{
    return ((const struct stencil *)problem)->bytes ? "bytes: this variant is for float32" : NULL;
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    size_t across = (p->cols + COLS - 1) / COLS;
    size_t blocks = across * ((p->rows + ROWS * WARPS - 1) / (ROWS * WARPS));
    const float *from = (const float *)d_in;

    if (blocks == 0)
        return;
    if (p->sweeps == 0)
        CUDA(cudaMemcpyAsync(d_out, d_in, image_bytes(p), cudaMemcpyDeviceToDevice));
    for (size_t left = p->sweeps; left > 0; left--) {
        float *to = (float *)(left % 2 == 1 ? d_out : d_scratch);

        if (p->cols % 4 == 0)
            stencil_warp<true><<<(unsigned)blocks, THREADS>>>(p->rows, p->cols, from, to);
        else
            stencil_warp<false><<<(unsigned)blocks, THREADS>>>(p->rows, p->cols, from, to);
        CUDA(cudaGetLastError());
        from = to;
    }
}

VARIANT(.idea = "rows in registers, neighbours by shuffles",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
