/*
 * stencil / cuda_packed
 *
 * Idea     Bytes, sixteen pixels per lane.  A sum of nine bytes fits in 16 bits, so one ordinary
 *          addition adds two pixels: the even pixels of a word are in one register, the odd ones in
 *          another.  Neighbours in the word are then a shift away, and those outside it a shuffle.
 * Against  cuda_naive: nine reads of a byte per pixel.  Here a read has 16 bytes, and a pixel costs
 *          five instructions instead of thirty.
 * Expect   Bound by the device's memory: 2 bytes per pixel at the rate of a copy.
 * Try      ROWS = 4, 16.  Or a division by nine in `ninths`: does the compiler make the same code
 *          of it?
 * Level    2
 * Read     cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_in, d_out, d_scratch */

enum {
    ROWS = 8, /* of the answer, that a warp makes */
    WARP = 32,
    WARPS = 4,              /* of a block, one below the other */
    WIDE = 16,              /* pixels of a lane */
    COLS = (WARP - 2) * WIDE /* that a warp makes: its first and last lane only supply neighbours */
};

static const unsigned ALL_LANES = 0xffffffff;

union pixels {
    uint4 all;
    unsigned word[4];
    uint8_t byte[WIDE];
};

/* The even and the odd pixels of each word, each in 16 bits */
struct halves {
    unsigned even[4], odd[4];
};

/* Returns sixteen pixels from column c on.  Those outside the row are never used, so pixels inside are loaded. */
template <bool ALIGNED>
__device__ static pixels load(const uint8_t *row, ptrdiff_t c, ptrdiff_t cols)
{
    pixels p;

    if (ALIGNED)
        p.all = *(const uint4 *)(row + max((ptrdiff_t)0, min(c, cols - WIDE)));
    else
        for (int i = 0; i < WIDE; i++)
            p.byte[i] = row[max((ptrdiff_t)0, min(c + i, cols - 1))];
    return p;
}

template <bool ALIGNED>
__device__ static void store(uint8_t *row, ptrdiff_t c, ptrdiff_t cols, pixels p)
{
    if (ALIGNED)
        *(uint4 *)(row + c) = p.all;
    else
        for (int i = 0; i < WIDE && c + i < cols; i++)
            row[c + i] = p.byte[i];
}

__device__ static halves split(pixels p)
{
    halves h;

    for (int i = 0; i < 4; i++) {
        h.even[i] = p.word[i] & 0x00ff00ff;
        h.odd[i] = p.word[i] >> 8 & 0x00ff00ff;
    }
    return h;
}

/* Returns the ninths of four sums, rounded down: of each sum times 7282, byte 2.  7282 / 2^16 is above 1/9 by 3.4e-6, too
   little to change the result for any sum up to 9 x 255. */
__device__ static unsigned ninths(unsigned even, unsigned odd)
{
    unsigned a = (even & 0xffff) * 7282, b = (odd & 0xffff) * 7282;
    unsigned c = (even >> 16) * 7282, d = (odd >> 16) * 7282;

    return __byte_perm(__byte_perm(a, b, 0x0062), __byte_perm(c, d, 0x0062), 0x5410);
}

/* Returns the means of a row's pixels, from the row above, the row itself and the row below. */
__device__ static pixels means(const halves &up, const halves &mid, const halves &down)
{
    halves sum; /* of three, one above the other */
    pixels p;

    for (int i = 0; i < 4; i++) {
        sum.even[i] = up.even[i] + mid.even[i] + down.even[i];
        sum.odd[i] = up.odd[i] + mid.odd[i] + down.odd[i];
    }
    unsigned left = __shfl_up_sync(ALL_LANES, sum.odd[3], 1);
    unsigned right = __shfl_down_sync(ALL_LANES, sum.even[0], 1);
    for (int i = 0; i < 4; i++) { /* pixels 0, 2 and 1, 3 of word i, with their neighbours */
        unsigned both = sum.even[i] + sum.odd[i];
        unsigned before = __funnelshift_r(i > 0 ? sum.odd[i - 1] : left, sum.odd[i], 16);
        unsigned after = __funnelshift_r(sum.even[i], i < 3 ? sum.even[i + 1] : right, 16);

        p.word[i] = ninths(before + both, both + after);
    }
    return p;
}

template <bool ALIGNED>
__global__ __launch_bounds__(WARP * WARPS) static void stencil_packed(
    size_t rows, size_t cols, const uint8_t *in, uint8_t *out)
{
    unsigned lane = threadIdx.x % WARP, across = (unsigned)((cols + COLS - 1) / COLS);
    size_t top = ((size_t)(blockIdx.x / across) * WARPS + threadIdx.x / WARP) * ROWS;
    ptrdiff_t c = (ptrdiff_t)(blockIdx.x % across) * COLS + WIDE * ((ptrdiff_t)lane - 1);
    ptrdiff_t end = (ptrdiff_t)cols;

    if (top >= rows)
        return; /* the whole warp: shuffles need all lanes */
    pixels v[ROWS + 2]; /* in registers; v[1] is row `top` */
    const uint8_t *row = in + (top > 0 ? top - 1 : 0) * cols;
#pragma unroll
    for (int k = 0; k < ROWS + 2; k++) {
        v[k] = load<ALIGNED>(row, c, end);
        if (top + k > 0 && top + k < rows) /* else the first or last row once more */
            row += cols;
    }
    halves up = split(v[0]), mid = split(v[1]);
    bool lends = lane == 0 || lane == WARP - 1 || c >= end;
#pragma unroll
    for (int k = 1; k <= ROWS; k++) {
        size_t r = top + k - 1;
        halves down = split(v[k + 1]);
        pixels to = means(up, mid, down);

        if (r == 0 || r >= rows - 1)
            to = v[k]; /* the border is kept */
        if (c == 0)
            to.byte[0] = v[k].byte[0];
#pragma unroll
        for (int i = ALIGNED ? WIDE - 1 : 0; i < WIDE; i++)
            to.byte[i] = c + i == end - 1 ? v[k].byte[i] : to.byte[i];
        if (!lends && r < rows)
            store<ALIGNED>(out + r * cols, c, end, to);
        up = mid;
        mid = down;
    }
}

static const char *refuse(const void *problem)
{
    return ((const struct stencil *)problem)->bytes ? NULL : "float32: this variant is for bytes";
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    size_t across = (p->cols + COLS - 1) / COLS;
    size_t blocks = across * ((p->rows + ROWS * WARPS - 1) / (ROWS * WARPS));
    const uint8_t *from = (const uint8_t *)d_in;

    if (blocks == 0)
        return;
    if (p->sweeps == 0)
        CUDA(cudaMemcpyAsync(d_out, d_in, image_bytes(p), cudaMemcpyDeviceToDevice));
    for (size_t left = p->sweeps; left > 0; left--) {
        uint8_t *to = (uint8_t *)(left % 2 == 1 ? d_out : d_scratch);

        if (p->cols % WIDE == 0)
            stencil_packed<true><<<(unsigned)blocks, WARP * WARPS>>>(p->rows, p->cols, from, to);
        else
            stencil_packed<false><<<(unsigned)blocks, WARP * WARPS>>>(p->rows, p->cols, from, to);
        CUDA(cudaGetLastError());
        from = to;
    }
}

VARIANT(.idea = "bytes: two per register, sixteen per lane",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
