/*
 * stencil / cuda_fused
 *
 * Idea     Many sweeps in one pass over memory.  A warp moves down a strip of the image, and all
 *          sweeps move with it, in registers, each a row behind the one before:
 *
 *              row 9   read from `in`
 *              row 8       sweep 1 makes, from its sums of rows 7, 8 and 9
 *              row 7           sweep 2 makes ...
 *
 *          A sweep keeps only the sums of three of its input's last two rows.  The loop takes four
 *          rows at a time, for three reasons: every second row shares a sum with the one before,
 *          the sums stay in their registers, and other work hides the latency of a shuffle.  Each
 *          sweep makes one more pixel wrong at each side of the strip and at its top, so strips
 *          overlap there.  The image's bands are cut into strips as if they lay side by side, as in
 *          cuda_warp: so a narrow image fills a warp, too.  An image of less than 32 rows or columns
 *          fits into registers across (cuda_thin.h).
 * Against  cuda_warp: every sweep reads the image from memory and writes it there.
 * Expect   At 16 sweeps bound by arithmetic instead of memory: some six instructions per pixel and
 *          sweep, a quarter of them for the overlap.  Of a small image, bound by fetching these
 *          instructions, since each launch starts without them.  A single sweep gains nothing.
 * Try      ROWS = 2: the sums have to be moved and less work hides a shuffle, but there are half as
 *          many instructions to fetch.  Or compute the warp's number from threadIdx alone: which
 *          instructions then stand before each shuffle in `make sass V=stencil/cuda_fused`?
 * Level    3
 * Read     cuda_buffers.h, cuda_thin.h
 */
#include <cuda_pipeline.h>
#include <limits.h>

#include "cuda_buffers.h" /* prepare, upload, download, release; d_in, d_out, d_scratch; NINTH */
#include "cuda_thin.h"    /* is_thin, thin_pass */

enum {
    DEPTH = 16, /* sweeps in a pass: what the registers hold */
    WARP = 32,
    WARPS = 4,   /* of a block, side by side */
    ROWS = 4,    /* in a turn of the loop: an even number */
    AHEAD = 2,   /* turns whose rows are being fetched, to shared memory: no registers are left */
    RESIDENT = 8 /* warps on a multiprocessor: as many as their registers leave room for */
};

static const unsigned ALL_LANES = 0xffffffff;

/* A lane has a quad: four pixels side by side.  halo: how many quads of a strip are lost on each side, a pixel per sweep.
   width: quads that a strip makes. */
__host__ __device__ static constexpr int halo(int depth) { return (depth + 3) / 4; }
__host__ __device__ static constexpr int width(int depth) { return WARP - 2 * halo(depth); }

__device__ static float4 operator+(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ static float4 operator*(float f, float4 v)
{
    return make_float4(f * v.x, f * v.y, f * v.z, f * v.w);
}

/* f * v + w */
__device__ static float4 fma(float f, float4 v, float4 w)
{
    return make_float4(fmaf(f, v.x, w.x), fmaf(f, v.y, w.y), fmaf(f, v.z, w.z), fmaf(f, v.w, w.w));
}

/* Returns, for each of a lane's four pixels, the sum of it and its left and right neighbours. */
__device__ static float4 sums_of_three(float4 v)
{
    float left = __shfl_up_sync(ALL_LANES, v.w, 1), right = __shfl_down_sync(ALL_LANES, v.x, 1);
    float xy = v.x + v.y, zw = v.z + v.w;

    return make_float4(left + xy, xy + v.z, v.y + zw, zw + right);
}

enum border { NO_BORDER, AT_SIDE, AT_END }; /* the loop may meet: no border; its columns; its rows as well */

/* What a lane works on: a quad of the columns of a band of rows.  Lanes of a warp may have different bands. */
struct strip {
    int lane, rows;     /* of the image */
    ptrdiff_t cols;     /* of the image */
    int first, last;    /* rows to make: up to `last` - 1; none: the lane only supplies neighbours */
    bool left, right;   /* does the quad hold the image's first, last pixel of a row? */
    float4 top, bottom; /* the image's first and last row: no sweep changes them */
};

/* The quad of the next row that a lane fetches.  It does not go beyond the image's last row. */
struct source {
    const float *at;
    int left; /* rows until the last */
};

/* What a sweep keeps of its input */
struct kept {
    float4 older, old; /* sums of three, of the last row but one, and of the last */
    float first, last; /* the image's first and last pixel of the last row, in lanes that have it */
};

/* PAD: pixels of a row's last quad that are outside of the image */
template <int PAD>
__device__ static float &last_of(float4 &v)
{
    return PAD == 0 ? v.w : PAD == 1 ? v.z : PAD == 2 ? v.y : v.x;
}

/* Puts back the pixels at the image's sides, which no sweep changes. */
template <int PAD>
__device__ static void keep_sides(float4 &v, float first, float last, const strip &s)
{
    last_of<PAD>(v) = s.right ? last : last_of<PAD>(v);
    v.x = s.left ? first : v.x;
}

__device__ static float4 keep_ends(float4 v, int r, const strip &s)
{
    v = r <= 0 ? s.top : v;
    return r >= s.rows - 1 ? s.bottom : v;
}

/* One sweep: v0 and v1 are rows r and r + 1 of its input, and become rows r - 1 and r of what it
   makes.  Both need the sum of the two rows between. */
template <int PAD, border BORDER>
__device__ static void two_rows(float4 &v0, float4 &v1, kept &k, int r, const strip &s)
{
    float4 a = sums_of_three(v0), b = sums_of_three(v1), both = NINTH * (k.old + a);
    float4 above = fma(NINTH, k.older, both), here = fma(NINTH, b, both);

    if (BORDER != NO_BORDER) {
        keep_sides<PAD>(above, k.first, k.last, s);
        keep_sides<PAD>(here, v0.x, last_of<PAD>(v0), s);
        k.first = v1.x;
        k.last = last_of<PAD>(v1);
    }
    if (BORDER == AT_END) {
        above = keep_ends(above, r - 1, s);
        here = keep_ends(here, r, s);
    }
    k.older = a;
    k.old = b;
    v0 = above;
    v1 = here;
}

/* Starts copies of ROWS rows, past the registers.  Each lane copies its own four pixels.  Where rows are not aligned,
   only single pixels can be copied, and for those outside of the row others are. */
template <int PAD>
__device__ static void fetch(float4 slot[ROWS][WARP], source &from, const strip &s)
{
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const float *outside = from.at - (s.right ? PAD : 0);

        if (PAD == 0)
            __pipeline_memcpy_async(&slot[i][s.lane], from.at, sizeof(float4));
        else
#pragma unroll
            for (int j = 0; j < 4; j++)
                __pipeline_memcpy_async((float *)&slot[i][s.lane] + j,
                                        (j < 4 - PAD ? from.at : outside) + j, sizeof(float));
        from.at += from.left > 0 ? s.cols : 0;
        from.left--;
    }
    __pipeline_commit();
}

/* Writes rows y to y + ROWS - 1 of the last sweep to memory: those of this lane's band. */
template <int PAD>
__device__ static void put(const float4 v[ROWS], float *to, int y, const strip &s)
{
#pragma unroll
    for (int i = 0; i < ROWS; i++, to += s.cols) {
        if (y + i < s.first || y + i >= s.last)
            continue;
        if (PAD == 0) {
            *(float4 *)to = v[i];
            continue;
        }
        to[0] = v[i].x;
        if (PAD < 3 || !s.right)
            to[1] = v[i].y;
        if (PAD < 2 || !s.right)
            to[2] = v[i].z;
        if (!s.right)
            to[3] = v[i].w;
    }
}

/* A warp's place in its strip: all its lanes move on together. */
struct place {
    int turn; /* rows that the warp has made */
    int y;    /* the lane's row */
    source from;
    float *to; /* where row y - SWEEPS belongs */
};

/* Makes all sweeps, ROWS rows at a time, up to `end` turns. */
template <int SWEEPS, int PAD, border BORDER>
__device__ static void turns(place &at, int end, kept k[SWEEPS], float4 (*ring)[ROWS][WARP],
                             const strip &s)
{
    for (; at.turn < end; at.turn += ROWS) {
        float4(*slot)[WARP] = ring[at.turn / ROWS % AHEAD], v[ROWS];

        __pipeline_wait_prior(AHEAD - 1);
        __syncwarp();
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            v[i] = slot[i][s.lane];
        __syncwarp();
        fetch<PAD>(slot, at.from, s);
#pragma unroll
        for (int i = 0; i < SWEEPS; i++)
#pragma unroll
            for (int j = 0; j < ROWS; j += 2)
                two_rows<PAD, BORDER>(v[j], v[j + 1], k[i], at.y - i + j, s);
        put<PAD>(v, at.to, at.y - SWEEPS, s);
        at.y += ROWS;
        at.to += ROWS * s.cols;
    }
}

/* Returns four pixels; for those outside of the row, others. */
template <int PAD>
__device__ static float4 quad(const float *at, bool right)
{
    const float *outside = at - (right ? PAD : 0);

    if (PAD == 0)
        return *(const float4 *)at;
    return make_float4(at[0], (PAD < 3 ? at : outside)[1], (PAD < 2 ? at : outside)[2], outside[3]);
}

/* Each lane: `height` rows of a quad, after SWEEPS sweeps */
template <int SWEEPS, int PAD>
__global__ __launch_bounds__(WARP * WARPS, RESIDENT / WARPS) static void stencil_fused(
    int bands, int height, int rows, int cols, const float *in, float *out)
{
    /* One lane's value, by a shuffle: so the compiler knows that it is the same in all lanes.  Else it would take each
       branch for one on which lanes part, and make them meet again before each shuffle. */
    int in_block = __shfl_sync(ALL_LANES, (int)threadIdx.x / WARP, 0);
    int warp = (int)blockIdx.x * WARPS + in_block, lane = (int)threadIdx.x % WARP;
    int quads = (cols + 3) / 4, n = warp * width(SWEEPS) + lane - halo(SWEEPS);
    bool makes = lane >= halo(SWEEPS) && lane < WARP - halo(SWEEPS) && n < bands * quads;
    __shared__ float4 ring[WARPS][AHEAD][ROWS][WARP];

    if (warp * width(SWEEPS) >= bands * quads)
        return; /* the whole warp: shuffles need all lanes */
    n = max(0, min(n, bands * quads - 1));
    int band = n / quads, c = n % quads * 4, first = band * height;
    int start = max(first - SWEEPS, 0); /* the first row that the lane reads */
    bool right = c + 4 >= cols;
    const ptrdiff_t at = (ptrdiff_t)start * cols + c;
    const strip s = {lane, rows, cols, makes ? first : 0, makes ? min(first + height, rows) : 0,
                     c == 0, right, quad<PAD>(in + c, right),
                     quad<PAD>(in + (ptrdiff_t)(rows - 1) * cols + c, right)};
    place here = {0, start, {in + at, rows - 1 - start}, out + at - (ptrdiff_t)SWEEPS * cols};
    kept k[SWEEPS] = {};

    for (int i = 0; i < AHEAD; i++)
        fetch<PAD>(ring[in_block][i], here.from, s);
    /* Rows grow with the lane.  So the first lane is the last to leave the image's first rows, and the last lane the
       first to reach the last rows; it has the longest way, too. */
    int least = __shfl_sync(ALL_LANES, start, 0), most = __shfl_sync(ALL_LANES, start, WARP - 1);
    int length = __shfl_sync(ALL_LANES, first + height + SWEEPS - start, WARP - 1);
    bool side = __any_sync(ALL_LANES, s.left || s.right);
#pragma unroll 1 /* the image's first rows, the rows between, its last rows: the first and the last are the same code */
    for (int part = 0; part < 3; part++) {
        int end = min(length, part == 0 ? SWEEPS + 1 - least : part == 1 ? rows - ROWS + 1 - most : length);

        if (part != 1)
            turns<SWEEPS, PAD, AT_END>(here, end, k, ring[in_block], s);
        else if (side)
            turns<SWEEPS, PAD, AT_SIDE>(here, end, k, ring[in_block], s);
        else
            turns<SWEEPS, PAD, NO_BORDER>(here, end, k, ring[in_block], s);
    }
}

static const char *refuse(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    if (p->rows > INT_MAX / 4 || p->cols > INT_MAX / 4)
        return "counts rows and columns in 32 bits";
    return p->bytes ? "bytes: this variant is for float32" : NULL;
}

static size_t attribute(enum cudaDeviceAttr which, int *cached)
{
    if (*cached == 0)
        CUDA(cudaDeviceGetAttribute(cached, which, 0));
    return (size_t)*cached;
}

static size_t multiprocessors(void)
{
    static int count; /* cached: every pass needs it */

    return attribute(cudaDevAttrMultiProcessorCount, &count);
}

/* Does the image stay in the second-level cache, but for a little, from one pass to the next?  Then a second pass costs
   less than the overlap of twice as many sweeps. */
static bool in_cache(const struct stencil *p)
{
    static int bytes;

    return p->rows * p->cols * sizeof(float) <= attribute(cudaDevAttrL2CacheSize, &bytes) / 4 * 5;
}

/* Is the image small?  Then most of a pass is overlap and the wait for the first rows.  With one warp per scheduler
   instead of two strips are higher. */
static bool small(const struct stencil *p)
{
    return p->rows * p->cols < multiprocessors() * RESIDENT * DEPTH * 4 * width(DEPTH);
}

/* One pass.  All warps run at once; bands are as high as that allows. */
template <int SWEEPS>
static void sweep(const struct stencil *p, const float *in, float *out)
{
    static void (*const kernels[])(int, int, int, int, const float *, float *) = {
        stencil_fused<SWEEPS, 0>, stencil_fused<SWEEPS, 1>, stencil_fused<SWEEPS, 2>,
        stencil_fused<SWEEPS, 3>};
    size_t quads = (p->cols + 3) / 4;
    size_t most = multiprocessors() * (small(p) ? RESIDENT / 2 : RESIDENT) * width(SWEEPS) / quads;
    size_t height = most > 1 ? (p->rows + most - 1) / most : p->rows;
    size_t bands = (p->rows + height - 1) / height;
    size_t warps = (bands * quads + width(SWEEPS) - 1) / width(SWEEPS);
    auto kernel = kernels[4 * quads - p->cols];

    kernel<<<(unsigned)((warps + WARPS - 1) / WARPS), WARP * WARPS>>>(
        (int)bands, (int)height, (int)p->rows, (int)p->cols, in, out);
    CUDA(cudaGetLastError());
}

/* Returns how many of `left` sweeps the next pass makes. */
static size_t depth_of(size_t left, const struct stencil *p)
{
    size_t depth = in_cache(p) ? DEPTH / 2 : DEPTH;

    if (is_thin(p, left))
        return left < THIN_DEPTH ? left : THIN_DEPTH;
    while (depth > left)
        depth /= 2;
    return depth;
}

static void pass(const struct stencil *p, size_t depth, const float *from, float *to)
{
    if (is_thin(p, depth)) {
        thin_pass(p, depth, multiprocessors(), from, to);
        return;
    }
    switch (depth) {
    case 16: sweep<16>(p, from, to); break;
    case 8: sweep<8>(p, from, to); break;
    case 4: sweep<4>(p, from, to); break;
    case 2: sweep<2>(p, from, to); break;
    default: sweep<1>(p, from, to); break;
    }
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    const float *from = (const float *)d_in;
    size_t passes = 0;

    if (p->rows < 3 || p->cols < 3 || p->sweeps == 0) { /* all is border */
        CUDA(cudaMemcpyAsync(d_out, d_in, image_bytes(p), cudaMemcpyDeviceToDevice));
        return;
    }
    for (size_t left = p->sweeps; left > 0; left -= depth_of(left, p))
        passes++;
    for (size_t left = p->sweeps, depth; left > 0; left -= depth) {
        float *to = (float *)(passes-- % 2 == 1 ? d_out : d_scratch);

        depth = depth_of(left, p);
        pass(p, depth, from, to);
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
