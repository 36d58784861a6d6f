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
 *          overlap there.
 * Against  cuda_warp: every sweep reads the image from memory and writes it there.
 * Expect   At 16 sweeps bound by arithmetic instead of memory: some six instructions per pixel and
 *          sweep, a quarter of them for the overlap.  Of a small image, bound by fetching these
 *          instructions, since each launch starts without them.  A single sweep gains nothing.
 * Try      ROWS = 2: the sums have to be moved and less work hides a shuffle, but there are half as
 *          many instructions to fetch.  Or compute the warp's number from threadIdx alone: which
 *          instructions then stand before each shuffle in `make sass V=stencil/cuda_fused`?
 * Level    3
 * Read     cuda_buffers.h, quads.h
 */
#include <cuda_pipeline.h>
#include <limits.h>

#include "cuda_buffers.h" /* prepare, upload, download, release; d_in, d_out, d_scratch; NINTH */
#include "quads.h"        /* load, store, inside: four pixels at a time; ALL_LANES */

enum {
    DEPTH = 16, /* sweeps in a pass: what the registers hold */
    WARP = 32,
    WARPS = 4,   /* of a block, side by side */
    ROWS = 4,    /* in a turn of the loop: an even number */
    AHEAD = 2,   /* turns whose rows are being fetched, to shared memory: no registers are left */
    RESIDENT = 8 /* warps on a multiprocessor: as many as their registers leave room for */
};

/* halo: how far strips overlap on each side: a column per sweep, in whole quads.  width: columns that a strip makes. */
__host__ __device__ static constexpr int halo(int depth) { return (depth + 3) / 4 * 4; }
__host__ __device__ static constexpr int width(int depth) { return 4 * WARP - 2 * halo(depth); }

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

/* What a warp works on */
struct strip {
    const float *in;
    float *out;
    int rows, cols;               /* of the image */
    int first, last, left, right; /* rows and columns to make: up to `last` - 1 and `right` - 1 */
    int start, from;              /* the first row and column that it reads */
    int lane, c;                  /* c: the first of the lane's four columns */
    float4 top, bottom;           /* the image's first and last row: no sweep changes them */
    float4 (*ring)[ROWS][WARP];   /* [AHEAD]: rows read */
    float4 (*made)[WARP];         /* [ROWS]: rows to be written */
};

/* What a sweep keeps of its input */
struct kept {
    float4 older, old; /* sums of three, of the last row but one, and of the last */
    float first, last; /* the image's first and last pixel of the last row, in lanes that have it */
};

/* Returns the image's last pixel of a row, if it is among these four. */
template <bool ALIGNED>
__device__ static float last_of(float4 v, const strip &s)
{
    int n = s.cols - 1 - s.c;

    return ALIGNED ? v.w : n == 0 ? v.x : n == 1 ? v.y : n == 2 ? v.z : v.w;
}

/* Puts back the pixels at the image's sides, which no sweep changes. */
template <bool ALIGNED>
__device__ static float4 keep_sides(float4 v, float first, float last, const strip &s)
{
    int n = s.cols - 1 - s.c;

    v.w = n == 3 ? last : v.w;
    if (!ALIGNED) { /* a row may end within a quad */
        v.z = n == 2 ? last : v.z;
        v.y = n == 1 ? last : v.y;
        v.x = n == 0 ? last : v.x;
    }
    v.x = s.c == 0 ? first : v.x;
    return v;
}

__device__ static float4 keep_ends(float4 v, int r, const strip &s)
{
    v = r <= 0 ? s.top : v;
    return r >= s.rows - 1 ? s.bottom : v;
}

/* One sweep: v0 and v1 are rows r and r + 1 of its input, and become rows r - 1 and r of what it
   makes.  Both need the sum of the two rows between. */
template <bool ALIGNED, border BORDER>
__device__ static void two_rows(float4 &v0, float4 &v1, kept &k, int r, const strip &s)
{
    float4 a = sums_of_three(v0), b = sums_of_three(v1), both = NINTH * (k.old + a);
    float4 above = fma(NINTH, k.older, both), here = fma(NINTH, b, both);

    if (BORDER != NO_BORDER) {
        above = keep_sides<ALIGNED>(above, k.first, k.last, s);
        here = keep_sides<ALIGNED>(here, v0.x, last_of<ALIGNED>(v0, s), s);
        k.first = v1.x;
        k.last = last_of<ALIGNED>(v1, s);
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

/* Starts copies of ROWS rows from y on, past the registers; beyond the image, of its last row once more.  Each lane
   copies its own four pixels.  Where rows are not aligned, only single pixels can be copied: then each lane takes
   every 32nd, so that those of a warp are side by side. */
template <bool ALIGNED>
__device__ static void fetch(float4 slot[ROWS][WARP], int y, const strip &s)
{
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const float *row = s.in + (ptrdiff_t)min(y + i, s.rows - 1) * s.cols;

        if (ALIGNED)
            __pipeline_memcpy_async(&slot[i][s.lane], row + inside<4>(s.c, s.cols), sizeof(float4));
        else
            for (int n = s.lane; n < s.lane + 4 * WARP; n += WARP)
                __pipeline_memcpy_async((float *)slot[i] + n,
                                        row + max(0, min(s.from + n, s.cols - 1)), sizeof(float));
    }
    __pipeline_commit();
}

/* Writes rows y to y + ROWS - 1 of the last sweep to memory: those of this strip, and of these its columns. */
template <bool ALIGNED>
__device__ static void put(const float4 v[ROWS], int y, const strip &s)
{
#pragma unroll
    for (int i = 0; i < ROWS && !ALIGNED; i++)
        s.made[i][s.lane] = v[i];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        float *row = s.out + (ptrdiff_t)(y + i) * s.cols;

        if (y + i < s.first || y + i >= s.last)
            continue;
        if (!ALIGNED)
            for (int n = s.lane; n < s.lane + 4 * WARP; n += WARP)
                if (s.from + n >= s.left && s.from + n < s.right)
                    row[s.from + n] = ((const float *)s.made[i])[n];
        if (ALIGNED && s.c >= s.left && s.c < s.right)
            *(float4 *)(row + s.c) = v[i];
    }
    __syncwarp();
}

/* Makes all sweeps, ROWS rows at a time, from row y up to `end`.  Returns the next row. */
template <int SWEEPS, bool ALIGNED, border BORDER>
__device__ static int turns(int y, int end, kept k[SWEEPS], const strip &s)
{
    for (; y < end; y += ROWS) {
        float4(*slot)[WARP] = s.ring[(y - s.start) / ROWS % AHEAD], v[ROWS];

        __pipeline_wait_prior(AHEAD - 1);
        __syncwarp();
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            v[i] = slot[i][s.lane];
        __syncwarp();
        fetch<ALIGNED>(slot, y + AHEAD * ROWS, s);
#pragma unroll
        for (int i = 0; i < SWEEPS; i++)
#pragma unroll
            for (int j = 0; j < ROWS; j += 2)
                two_rows<ALIGNED, BORDER>(v[j], v[j + 1], k[i], y - i + j, s);
        put<ALIGNED>(v, y - SWEEPS, s);
    }
    return y;
}

/* Each warp: `height` rows of a strip, after SWEEPS sweeps */
template <int SWEEPS, bool ALIGNED>
__global__ __launch_bounds__(WARP * WARPS, RESIDENT / WARPS) static void stencil_fused(
    int strips, int height, int rows, int cols, const float *in, float *out)
{
    /* One lane's value, by a shuffle: so the compiler knows that it is the same in all lanes.  Else it would take each
       branch for one on which lanes part, and make them meet again before each shuffle. */
    int in_block = __shfl_sync(ALL_LANES, (int)threadIdx.x / WARP, 0);
    int warp = (int)blockIdx.x * WARPS + in_block, lane = (int)threadIdx.x % WARP;
    int left = warp % strips * width(SWEEPS), right = min(left + width(SWEEPS), cols);
    int first = warp / strips * height, last = min(first + height, rows);
    int y = max(first - SWEEPS, 0), end = last + SWEEPS;
    int from = left - halo(SWEEPS), c = from + 4 * lane;
    kept k[SWEEPS] = {};
    __shared__ float4 ring[WARPS][AHEAD][ROWS][WARP], made[ALIGNED ? 1 : WARPS][ROWS][WARP];

    if (first >= rows)
        return; /* the whole warp: shuffles need all lanes */
    const strip s = {in, out, rows, cols, first, last, left, right, y, from, lane, c,
                     load<ALIGNED>(in, c, cols),
                     load<ALIGNED>(in + (ptrdiff_t)(rows - 1) * cols, c, cols),
                     ring[in_block], made[ALIGNED ? 0 : in_block]};
    for (int i = 0; i < AHEAD; i++)
        fetch<ALIGNED>(s.ring[i], y + i * ROWS, s);
    y = turns<SWEEPS, ALIGNED, AT_END>(y, min(end, SWEEPS + 1), k, s);
    if (left == 0 || left + width(SWEEPS) + SWEEPS >= cols)
        y = turns<SWEEPS, ALIGNED, AT_SIDE>(y, min(end, rows - ROWS + 1), k, s);
    else
        y = turns<SWEEPS, ALIGNED, NO_BORDER>(y, min(end, rows - ROWS + 1), k, s);
    turns<SWEEPS, ALIGNED, AT_END>(y, end, k, s);
}

static const char *refuse(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    if (p->rows > INT_MAX / 4 || p->cols > INT_MAX / 4)
        return "counts rows and columns in 32 bits";
    return p->bytes ? "bytes: this variant is for float32" : NULL;
}

static size_t multiprocessors(void)
{
    static int count; /* cached: every pass needs it */

    if (count == 0)
        CUDA(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    return (size_t)count;
}

/* Is the image small?  Then most of a pass is overlap and the wait for the first rows.  With fewer sweeps strips
   overlap less, and with one warp per scheduler instead of two they are higher. */
static bool small(const struct stencil *p)
{
    return p->rows * p->cols < multiprocessors() * RESIDENT * DEPTH * width(DEPTH);
}

/* One pass.  All warps run at once; strips are as high as that allows. */
template <int SWEEPS>
static void sweep(const struct stencil *p, const float *in, float *out)
{
    size_t strips = (p->cols + width(SWEEPS) - 1) / width(SWEEPS);
    size_t bands = multiprocessors() * (small(p) ? RESIDENT / 2 : RESIDENT) / strips;
    size_t height = bands > 1 ? (p->rows + bands - 1) / bands : p->rows;
    size_t blocks = (strips * ((p->rows + height - 1) / height) + WARPS - 1) / WARPS;
    auto kernel = p->cols % 4 == 0 ? stencil_fused<SWEEPS, true> : stencil_fused<SWEEPS, false>;

    kernel<<<(unsigned)blocks, WARP * WARPS>>>((int)strips, (int)height, (int)p->rows,
                                               (int)p->cols, in, out);
    CUDA(cudaGetLastError());
}

/* Returns how many of `left` sweeps the next pass makes. */
static size_t depth_of(size_t left, const struct stencil *p)
{
    size_t depth = small(p) ? DEPTH / 2 : DEPTH;

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
        case 16: sweep<16>(p, from, to); break;
        case 8: sweep<8>(p, from, to); break;
        case 4: sweep<4>(p, from, to); break;
        case 2: sweep<2>(p, from, to); break;
        default: sweep<1>(p, from, to); break;
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
