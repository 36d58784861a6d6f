/*
 * stencil / cuda_fused
 *
 * Idea     Many sweeps in one pass over memory.  A warp runs down a strip of the image, and all
 *          sweeps run with it, in registers, each a row behind the one before:
 *
 *              row 9   read from `in`
 *              row 8       sweep 1 makes, from its sums of rows 7, 8 and 9
 *              row 7           sweep 2 makes ...
 *
 *          A sweep keeps of its input the last two rows' sums of three, and nothing else.  Each
 *          spoils one more pixel at each side of the strip and at its top; there strips overlap.
 * Against  cuda_warp: every sweep reads the image from memory, and writes it there.
 * Expect   At 16 sweeps, arithmetic instead of memory: some five instructions a pixel and sweep,
 *          a quarter of them for the overlap.  A single sweep gains nothing.
 * Try      DEPTH = 8: half the registers, twice the warps, and twice the way to memory.
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_in, d_out, d_scratch; NINTH */
#include "quads.h"        /* load, store: four pixels at a time; ALL_LANES */

enum {
    DEPTH = 16, /* sweeps in a pass: what the registers hold */
    WARP = 32,
    WARPS = 4, /* of a block, side by side */
    RESIDENT = 8 /* warps on a multiprocessor, as many as have room for their registers */
};

/* What the strips of a pass overlap on each side: a column a sweep, in whole quads */
__host__ __device__ static constexpr int halo(int depth) { return (depth + 3) / 4 * 4; }
__host__ __device__ static constexpr int width(int depth) { return 4 * WARP - 2 * halo(depth); }

__device__ static float4 operator+(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/* Of each of a lane's four pixels: a ninth of it and its neighbours to the left and to the right */
__device__ static float4 ninths_of_three(float4 v)
{
    float left = __shfl_up_sync(ALL_LANES, v.w, 1), right = __shfl_down_sync(ALL_LANES, v.x, 1);
    float xy = NINTH * (v.x + v.y), zw = NINTH * (v.z + v.w);

    return make_float4(fmaf(NINTH, left, xy), fmaf(NINTH, v.z, xy),
                       fmaf(NINTH, v.y, zw), fmaf(NINTH, right, zw));
}

/* Row r of any sweep, where the image's border is in it: that is as it was. */
template <bool ALIGNED>
__device__ static float4 keep_border(float4 v, ptrdiff_t rows, ptrdiff_t cols, const float *in,
                                     ptrdiff_t r, ptrdiff_t c)
{
    float4 was = load<ALIGNED>(in + max((ptrdiff_t)0, min(r, rows - 1)) * cols, c, cols);

    if (r <= 0 || r >= rows - 1)
        return was;
    return make_float4(c == 0 || c == cols - 1 ? was.x : v.x, c + 1 == cols - 1 ? was.y : v.y,
                       c + 2 == cols - 1 ? was.z : v.z, c + 3 == cols - 1 ? was.w : v.w);
}

/* A step of all sweeps: v is row y of the image, and becomes row y - SWEEPS of the last sweep. */
template <int SWEEPS, bool ALIGNED, bool AT_BORDER>
__device__ static float4 step(float4 v, float4 one[], float4 two[], ptrdiff_t rows, ptrdiff_t cols,
                              const float *in, ptrdiff_t y, ptrdiff_t c)
{
#pragma unroll
    for (int i = 0; i < SWEEPS; i++) {
        float4 sums = ninths_of_three(v);
        v = two[i] + sums;
        two[i] = one[i] + sums;
        one[i] = sums;
        if (AT_BORDER)
            v = keep_border<ALIGNED>(v, rows, cols, in, y - i - 1, c);
    }
    return v;
}

/* Each warp: `height` rows of a strip, after SWEEPS sweeps */
template <int SWEEPS, bool ALIGNED>
__global__ __launch_bounds__(WARP * WARPS, RESIDENT / WARPS) static void stencil_fused(
    size_t strips, ptrdiff_t height, ptrdiff_t rows, ptrdiff_t cols, const float *in, float *out)
{
    size_t warp = (size_t)blockIdx.x * WARPS + threadIdx.x / WARP;
    ptrdiff_t strip = (ptrdiff_t)(warp % strips) * width(SWEEPS), lane = threadIdx.x % WARP;
    ptrdiff_t c = strip - halo(SWEEPS) + 4 * lane;
    ptrdiff_t first = (ptrdiff_t)(warp / strips) * height, last = min(first + height, rows);
    bool at_side = strip == 0 || strip + width(SWEEPS) + SWEEPS >= cols;
    bool lends = c < strip || c >= min(strip + width(SWEEPS), cols);
    float4 one[SWEEPS] = {}, two[SWEEPS] = {}; /* of the last row, and of the last two together */

    if (first >= rows)
        return; /* the whole warp: shuffles need all lanes */
    ptrdiff_t y = max(first - SWEEPS, (ptrdiff_t)0);
    float4 next = load<ALIGNED>(in + y * cols, c, cols);
    for (; y < last + SWEEPS; y++) {
        float4 v = next;
        next = load<ALIGNED>(in + min(y + 1, rows - 1) * cols, c, cols);
        if (at_side || y - SWEEPS <= 0 || y >= rows)
            v = step<SWEEPS, ALIGNED, true>(v, one, two, rows, cols, in, y, c);
        else
            v = step<SWEEPS, ALIGNED, false>(v, one, two, rows, cols, in, y, c);
        if (y - SWEEPS >= first && !lends)
            store<ALIGNED>(out + (y - SWEEPS) * cols, c, cols, v);
    }
}

static const char *refuse(const void *problem)
{
    return ((const struct stencil *)problem)->bytes ? "bytes: this rung is for float32" : NULL;
}

static size_t multiprocessors(void)
{
    int device, count;

    CUDA(cudaGetDevice(&device));
    CUDA(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return (size_t)count;
}

/* One pass.  All warps run at once, as high strips as that allows. */
template <int SWEEPS>
static void sweep(size_t rows, size_t cols, const float *in, float *out)
{
    size_t strips = (cols + width(SWEEPS) - 1) / width(SWEEPS);
    size_t bands = multiprocessors() * RESIDENT / strips;
    size_t height = bands > 1 ? (rows + bands - 1) / bands : rows;
    size_t blocks = (strips * ((rows + height - 1) / height) + WARPS - 1) / WARPS;

    if (cols % 4 == 0)
        stencil_fused<SWEEPS, true><<<(unsigned)blocks, WARP * WARPS>>>(
            strips, (ptrdiff_t)height, (ptrdiff_t)rows, (ptrdiff_t)cols, in, out);
    else
        stencil_fused<SWEEPS, false><<<(unsigned)blocks, WARP * WARPS>>>(
            strips, (ptrdiff_t)height, (ptrdiff_t)rows, (ptrdiff_t)cols, in, out);
    CUDA(cudaGetLastError());
}

/* How many of `left` sweeps the next pass makes.  Where a device could hold the strips with a few
   rows each, what they overlap is most of the work, and fewer sweeps overlap less. */
static size_t depth_of(size_t left, const struct stencil *p)
{
    bool small = p->rows * p->cols < multiprocessors() * RESIDENT * DEPTH * width(DEPTH);
    size_t depth = small ? DEPTH / 2 : DEPTH;

    while (depth > left)
        depth /= 2;
    return depth;
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    const float *from = (const float *)d_in;
    size_t passes = 0;

    if (p->rows == 0 || p->cols == 0)
        return;
    if (p->sweeps == 0)
        CUDA(cudaMemcpyAsync(d_out, d_in, image_bytes(p), cudaMemcpyDeviceToDevice));
    for (size_t left = p->sweeps; left > 0; left -= depth_of(left, p))
        passes++;
    for (size_t left = p->sweeps, depth; left > 0; left -= depth) {
        float *to = (float *)(passes-- % 2 == 1 ? d_out : d_scratch);

        switch (depth = depth_of(left, p)) {
        case 16: sweep<16>(p->rows, p->cols, from, to); break;
        case 8: sweep<8>(p->rows, p->cols, from, to); break;
        case 4: sweep<4>(p->rows, p->cols, from, to); break;
        case 2: sweep<2>(p->rows, p->cols, from, to); break;
        default: sweep<1>(p->rows, p->cols, from, to); break;
        }
        from = to;
    }
}

VARIANT(.idea = "sixteen sweeps at once, in registers, each a row behind the one before",
        .base = "cuda_warp",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
