/*
 * stencil / cuda_warp
 *
 * Idea     A lane holds four pixels of a row in registers, 16 bytes per read, and gets the pixels
 *          to their left and right from the neighbouring lanes by shuffles.  It reads ten rows, all
 *          in flight at once, and from their sums of three makes eight rows of the answer.
 *
 *          Such a band of eight rows is cut into warps as if all bands lay side by side:
 *
 *              | rows 0 to 7           | rows 8 to 15          | rows 16 to 23         | ...
 *              |  warp 0   |  warp 1   |  warp 2   |  warp 3   |  warp 4  ...
 *
 *          So no lane is idle in an image of any width.  What a lane gets from another band by a
 *          shuffle is not used, because the image's first and last column are kept.
 * Against  cuda_naive: nine reads of 4 bytes per pixel.  Here it is a third of a read of 16 bytes.
 * Expect   Bound by the device's memory: 8 bytes per pixel at the rate of a copy.  Enough bytes are
 *          in flight for it, and each sum of three is computed once and used in three rows.  Where
 *          rows are not aligned to 16 bytes, a lane holds one pixel of each row, and the rate is
 *          nearly the same.
 * Try      Eight rows in `run` set to 1, 4, 16: with few rows, more are read twice; with many, the
 *          registers leave room for fewer threads.  Single pixels for all images: what is lost?
 * Level    2
 * Read     cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_in, d_out, d_scratch; NINTH */

enum {
    WARP = 32,
    USED = WARP - 2, /* lanes that make pixels: the first and the last only supply neighbours */
    WARPS = 8,       /* of a block */
    THREADS = WARP * WARPS
};

static const unsigned ALL_LANES = 0xffffffff;

/* N pixels of a row, one beside the other, read and written at once */
template <int N>
struct alignas(N * sizeof(float)) pixels {
    float p[N];
};

/* Returns, for each of a lane's pixels, the sum of it and its left and right neighbours. */
template <int N>
__device__ static pixels<N> sums_of_three(const pixels<N> &v)
{
    float left = __shfl_up_sync(ALL_LANES, v.p[N - 1], 1);
    float right = __shfl_down_sync(ALL_LANES, v.p[0], 1);
    pixels<N> sums;

#pragma unroll
    for (int i = 0; i < N; i++)
        sums.p[i] = (i > 0 ? v.p[i - 1] : left) + v.p[i] + (i < N - 1 ? v.p[i + 1] : right);
    return sums;
}

/* Each lane: N pixels of ROWS rows.  `pile` warps of a block, of 1 or all, lie one below the other, so that they find
   each other's rows in the cache. */
template <int N, int ROWS>
__global__ static void stencil_warp(size_t rows, size_t cols, unsigned pile, const float *in,
                                    float *out)
{
    unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    size_t across = (size_t)blockIdx.x * (WARPS / pile) + warp / pile;
    size_t place = max(across * USED + lane, (size_t)1) - 1, row = cols / N; /* count lanes */
    size_t top = (place / row * pile + warp % pile) * ROWS, c = place % row * N;

    if (__all_sync(ALL_LANES, top >= rows))
        return; /* the whole warp: shuffles need all lanes */
    pixels<N> v[ROWS + 2]; /* in registers; v[1] is row `top` */
    const float *from = in + min(top > 0 ? top - 1 : 0, rows - 1) * cols + c;
#pragma unroll
    for (int k = 0; k < ROWS + 2; k++) {
        v[k] = *(const pixels<N> *)from;
        if (top + k > 0 && top + k < rows) /* else the first or last row once more */
            from += cols;
    }
    pixels<N> up = sums_of_three(v[0]), mid = sums_of_three(v[1]);
    bool lends = lane == 0 || lane == WARP - 1;
#pragma unroll
    for (int k = 1; k <= ROWS; k++) {
        size_t r = top + k - 1;
        pixels<N> down = sums_of_three(v[k + 1]), to = v[k]; /* the border is kept */

#pragma unroll
        for (int i = 0; i < N; i++) {
            bool border = r == 0 || r >= rows - 1 || (i == 0 && c == 0) ||
                          (i == N - 1 && c + i == cols - 1);
            to.p[i] = border ? to.p[i] : (up.p[i] + mid.p[i] + down.p[i]) * NINTH;
        }
        if (!lends && r < rows)
            *(pixels<N> *)(out + r * cols + c) = to;
        up = mid;
        mid = down;
    }
}

static const char *refuse(const void *problem)
{
    return ((const struct stencil *)problem)->bytes ? "bytes: this variant is for float32" : NULL;
}

template <int N, int ROWS>
static void sweep(const struct stencil *p, const float *from, float *to)
{
    unsigned pile = p->rows >= WARPS * ROWS ? WARPS : 1;
    size_t bands = (p->rows + pile * ROWS - 1) / (pile * ROWS), lanes = bands * (p->cols / N);
    size_t across = (lanes + USED - 1) / USED, blocks = (across * pile + WARPS - 1) / WARPS;

    stencil_warp<N, ROWS><<<(unsigned)blocks, THREADS>>>(p->rows, p->cols, pile, from, to);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    const float *from = (const float *)d_in;
    /* With few rows, most of eight would be outside of the image; with few columns, lanes side by side in the warp would
       be far apart in memory. */
    bool flat = p->rows < 16 || p->cols < 32, quads = p->cols % 4 == 0;

    if (p->rows < 3 || p->cols < 3 || p->sweeps == 0) { /* all is border */
        CUDA(cudaMemcpyAsync(d_out, d_in, image_bytes(p), cudaMemcpyDeviceToDevice));
        return;
    }
    for (size_t left = p->sweeps; left > 0; left--) {
        float *to = (float *)(left % 2 == 1 ? d_out : d_scratch);

        if (flat)
            quads ? sweep<4, 2>(p, from, to) : sweep<1, 2>(p, from, to);
        else
            quads ? sweep<4, 8>(p, from, to) : sweep<1, 8>(p, from, to);
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
