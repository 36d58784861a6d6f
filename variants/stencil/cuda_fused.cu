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
 *          A sweep keeps of its input the last two rows' sums of three, and nothing else.  The sums
 *          of every other row take the same registers, so the loop makes two rows a turn.  Each
 *          sweep spoils one more pixel at each side of the strip and at its top; there strips
 *          overlap.
 * Against  cuda_warp: every sweep reads the image from memory, and writes it there.
 * Expect   At 16 sweeps, arithmetic instead of memory: some five instructions a pixel and sweep,
 *          a quarter of them for the overlap.  A single sweep gains nothing.
 * Try      DEPTH = 8: half the registers, and twice the way to memory.  Or RESIDENT = 4 for a small
 *          image: fewer warps, higher strips, less that overlaps.
 */
#include <cuda_pipeline.h>
#include <limits.h>

#include "cuda_buffers.h" /* prepare, upload, download, release; d_in, d_out, d_scratch; NINTH */
#include "quads.h"        /* load, store, inside: four pixels at a time; ALL_LANES */

enum {
    DEPTH = 16, /* sweeps in a pass: what the registers hold */
    WARP = 32,
    WARPS = 4, /* of a block, side by side */
    AHEAD = 4, /* rows on their way from memory, in shared memory: registers are taken */
    ROWS_KEPT = 32, /* a power of two, and more than DEPTH: so long a row may take */
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

/* The first and the last pixel of rows read: what lanes at the image's sides have to keep. */
struct sides {
    float first[ROWS_KEPT], last[ROWS_KEPT]; /* of row y, in y % ROWS_KEPT */
};

__device__ static void note_sides(sides *s, float4 v, int cols, int y, int c)
{
    if (c == 0)
        s->first[y % ROWS_KEPT] = v.x;
    switch (cols - 1 - c) {
    case 0: s->last[y % ROWS_KEPT] = v.x; break;
    case 1: s->last[y % ROWS_KEPT] = v.y; break;
    case 2: s->last[y % ROWS_KEPT] = v.z; break;
    case 3: s->last[y % ROWS_KEPT] = v.w; break;
    }
    __syncwarp();
}

/* Row r of any sweep: what is at the image's sides is as it was. */
template <bool ALIGNED>
__device__ static float4 keep_sides(float4 v, const sides *s, int cols, int r, int c)
{
    float first = s->first[(unsigned)r % ROWS_KEPT], last = s->last[(unsigned)r % ROWS_KEPT];

    v.w = c + 3 == cols - 1 ? last : v.w;
    if (!ALIGNED) { /* a row may end within a quad */
        v.z = c + 2 == cols - 1 ? last : v.z;
        v.y = c + 1 == cols - 1 ? last : v.y;
        v.x = c == cols - 1 ? last : v.x;
    }
    v.x = c == 0 ? first : v.x;
    return v;
}

enum border { NO_BORDER, AT_SIDE, AT_END }; /* what may be in sight: of columns, or of rows too */

/* The image's first and last row, once read: as they were in every sweep. */
struct ends {
    float4 top, bottom;
};

/* A step of all sweeps: v is row y of the image, and becomes row y - SWEEPS of the last sweep.
   Sums of each sweep's input: of two rows before, which this row's replace, and of one before. */
template <int SWEEPS, bool ALIGNED, border BORDER>
__device__ static float4 step(float4 v, float4 two_before[], const float4 one_before[],
                              ends *e, sides *s, int rows, int cols, int y, int c)
{
    if (BORDER != NO_BORDER)
        note_sides(s, v, cols, y, c);
    if (BORDER == AT_END) {
        e->top = y == 0 ? v : e->top;
        e->bottom = v; /* the last row, and then that again */
    }
#pragma unroll
    for (int i = 0; i < SWEEPS; i++) {
        int r = y - i - 1;
        float4 both = two_before[i] + one_before[i];
        two_before[i] = ninths_of_three(v);
        v = both + two_before[i];
        if (BORDER != NO_BORDER)
            v = keep_sides<ALIGNED>(v, s, cols, r, c);
        if (BORDER == AT_END && r <= 0)
            v = e->top;
        if (BORDER == AT_END && r >= rows - 1)
            v = e->bottom;
    }
    return v;
}

/* Rows y and y + 1 */
template <int SWEEPS, bool ALIGNED, border BORDER>
__device__ static void two_steps(float4 v[2], float4 sums[2][SWEEPS], ends *e, sides *s, int rows,
                                 int cols, int y, int c)
{
#pragma unroll
    for (int i = 0; i < 2; i++)
        v[i] = step<SWEEPS, ALIGNED, BORDER>(v[i], sums[i], sums[1 - i], e, s, rows, cols, y + i,
                                             c);
}

/* Asks for a row, or for the last one once more; the copy goes past the registers. */
template <bool ALIGNED>
__device__ static void fetch(float4 *slot, const float *in, int rows, int cols, int y, int c)
{
    const float *row = in + (ptrdiff_t)min(y, rows - 1) * cols;

    if (ALIGNED)
        __pipeline_memcpy_async(slot, row + inside<4>(c, cols), sizeof *slot);
    else
        for (int i = 0; i < 4; i++)
            __pipeline_memcpy_async((float *)slot + i, row + inside<1>(c + i, cols), sizeof(float));
    __pipeline_commit();
}

/* Each warp: `height` rows of a strip, after SWEEPS sweeps */
template <int SWEEPS, bool ALIGNED>
__global__ __launch_bounds__(WARP * WARPS, RESIDENT / WARPS) static void stencil_fused(
    int strips, int height, int rows, int cols, const float *in, float *out)
{
    int warp = (int)(blockIdx.x * WARPS + threadIdx.x / WARP), lane = (int)threadIdx.x % WARP;
    int strip = warp % strips * width(SWEEPS), c = strip - halo(SWEEPS) + 4 * lane;
    int first = warp / strips * height, last = min(first + height, rows);
    bool at_side = strip == 0 || strip + width(SWEEPS) + SWEEPS >= cols;
    bool lends = c < strip || c >= min(strip + width(SWEEPS), cols);
    float4 sums[2][SWEEPS] = {}; /* of the last two rows */
    ends e = {};
    __shared__ float4 ring[WARPS][AHEAD][WARP]; /* each lane reads what it has asked for itself; */
    __shared__ sides all_sides[WARPS];          /* and the pixels noted down */
    float4(*slot)[WARP] = ring[threadIdx.x / WARP];
    sides *s = &all_sides[threadIdx.x / WARP];

    if (first >= rows)
        return; /* the whole warp: shuffles need all lanes */
    s->first[lane] = s->last[lane] = 0; /* of rows that are not read; nothing comes of them */
    __syncwarp();
    int y = max(first - SWEEPS, 0);
    for (int i = 0; i < AHEAD; i++)
        fetch<ALIGNED>(&slot[(y + i) % AHEAD][lane], in, rows, cols, y + i, c);
    for (; y < last + SWEEPS; y += 2) {
        float4 v[2];

        __pipeline_wait_prior(AHEAD - 2);
#pragma unroll
        for (int i = 0; i < 2; i++) {
            v[i] = slot[(y + i) % AHEAD][lane];
            fetch<ALIGNED>(&slot[(y + i) % AHEAD][lane], in, rows, cols, y + i + AHEAD, c);
        }
        if (y - SWEEPS <= 0 || y + 1 >= rows)
            two_steps<SWEEPS, ALIGNED, AT_END>(v, sums, &e, s, rows, cols, y, c);
        else if (at_side)
            two_steps<SWEEPS, ALIGNED, AT_SIDE>(v, sums, &e, s, rows, cols, y, c);
        else
            two_steps<SWEEPS, ALIGNED, NO_BORDER>(v, sums, &e, s, rows, cols, y, c);
#pragma unroll
        for (int i = 0; i < 2; i++) {
            int r = y + i - SWEEPS;

            if (r >= first && r < last && !lends)
                store<ALIGNED>(out + (ptrdiff_t)r * cols, c, cols, v[i]);
        }
    }
}

static const char *refuse(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    if (p->rows > INT_MAX / 4 || p->cols > INT_MAX / 4)
        return "counts rows and columns in 32 bits";
    return p->bytes ? "bytes: this rung is for float32" : NULL;
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
            (int)strips, (int)height, (int)rows, (int)cols, in, out);
    else
        stencil_fused<SWEEPS, false><<<(unsigned)blocks, WARP * WARPS>>>(
            (int)strips, (int)height, (int)rows, (int)cols, in, out);
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
