/*
 * stencil / cuda_packed
 *
 * Idea     Bytes, sixteen pixels per lane.  A sum of nine bytes fits in 16 bits, so one ordinary
 *          addition adds two pixels: the even pixels of a word are in one register, the odd ones in
 *          another.  Neighbours in the word are then a shift away, and those outside it a shuffle.
 *          Where rows are not aligned to 16 bytes, a lane has four pixels, cut out of two words.
 * Against  cuda_naive: nine reads of a byte per pixel.  Here a read has 16 bytes, and a pixel costs
 *          five instructions instead of thirty.
 * Expect   Bound by the device's memory: 2 bytes per pixel at the rate of a copy.  With four pixels
 *          per lane, ten instructions per pixel, and nearly bound by them.
 * Try      Eight rows in `run` set to 4, 16.  Or a division by nine in `ninths`: does the compiler
 *          make the same code of it?
 * Level    2
 * Read     cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_in, d_out, d_scratch */

enum {
    WARP = 32,
    USED = WARP - 2, /* lanes that make pixels: the first and the last only supply neighbours */
    WARPS = 4        /* of a block */
};

static const unsigned ALL_LANES = 0xffffffff;

/* N words of four pixels, one beside the other */
template <int N>
union alignas(4 * N) pixels {
    unsigned word[N];
    uint8_t byte[4 * N];
};

/* The even and the odd pixels of each word, each in 16 bits */
template <int N>
struct halves {
    unsigned even[N], odd[N];
};

/* Returns four pixels that begin anywhere in memory, out of the two words that they lie in.  SPLIT and not `last`. */
__device__ static unsigned cut(const uint8_t *from)
{
    const unsigned *word = (const unsigned *)((uintptr_t)from & ~(uintptr_t)3);

    return __funnelshift_r(word[0], word[1], (unsigned)(uintptr_t)from * 8);
}

/* Returns a lane's pixels.  Those outside the row are never used.  `last`: the second word may lie outside of the
   image, so only the `count` pixels inside the row are read. */
template <int N, bool SPLIT>
__device__ static pixels<N> load(const uint8_t *from, bool last, int count)
{
    pixels<N> p = {};

    if (!SPLIT)
        return *(const pixels<N> *)from;
    if (!last)
        p.word[0] = cut(from);
    else
        for (int i = 0; i < count; i++)
            p.word[0] |= (unsigned)from[i] << 8 * i;
    return p;
}

/* Writes a lane's pixels.  SPLIT: `to` is not aligned; so the lane writes the aligned word in which its pixels begin, of
   which it gets the first few from the lane before.  A word that lies partly outside of the row, and what is left
   of the row behind its last word, is written by bytes. */
template <int N, bool SPLIT>
__device__ static void store(uint8_t *row, size_t c, size_t cols, pixels<N> p, bool mine)
{
    if (!SPLIT) {
        if (mine)
            *(pixels<N> *)(row + c) = p;
        return;
    }
    unsigned before = __shfl_up_sync(ALL_LANES, p.word[0], 1);
    int shift = (int)((uintptr_t)(row + c) % 4), count = (int)min((size_t)4, cols - c);
    int first = c == 0 ? shift : 0, end = min(4, count + shift); /* of the word's bytes: in the row */
    unsigned word = __funnelshift_l(before, p.word[0], 8 * shift);
    uint8_t *to = row + c - shift;

    if (!mine)
        return;
    if (first == 0 && end == 4)
        *(unsigned *)to = word;
    else
        for (int i = first; i < end; i++)
            to[i] = (uint8_t)(word >> 8 * i);
    if (c + 4 >= cols)
        for (int i = 4 - shift; i < count; i++)
            row[c + i] = p.byte[i];
}

template <int N>
__device__ static halves<N> split(pixels<N> p)
{
    halves<N> h;

    for (int i = 0; i < N; i++) {
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
template <int N>
__device__ static pixels<N> means(const halves<N> &up, const halves<N> &mid, const halves<N> &down)
{
    halves<N> sum; /* of three, one above the other */
    pixels<N> p;

    for (int i = 0; i < N; i++) {
        sum.even[i] = up.even[i] + mid.even[i] + down.even[i];
        sum.odd[i] = up.odd[i] + mid.odd[i] + down.odd[i];
    }
    unsigned left = __shfl_up_sync(ALL_LANES, sum.odd[N - 1], 1);
    unsigned right = __shfl_down_sync(ALL_LANES, sum.even[0], 1);
    for (int i = 0; i < N; i++) { /* pixels 0, 2 and 1, 3 of word i, with their neighbours */
        unsigned both = sum.even[i] + sum.odd[i];
        unsigned before = __funnelshift_r(i > 0 ? sum.odd[i - 1] : left, sum.odd[i], 16);
        unsigned after = __funnelshift_r(sum.even[i], i < N - 1 ? sum.even[i + 1] : right, 16);

        p.word[i] = ninths(before + both, both + after);
    }
    return p;
}

/* Each lane: 4 N pixels of ROWS rows.  All bands of so many rows lie side by side, as in cuda_warp.  `pile` warps of a
   block, of 1 or all, lie one below the other. */
template <int N, bool SPLIT, int ROWS>
__global__ __launch_bounds__(WARP * WARPS) static void stencil_packed(
    size_t rows, size_t cols, unsigned pile, const uint8_t *in, uint8_t *out)
{
    unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    size_t across = (size_t)blockIdx.x * (WARPS / pile) + warp / pile;
    size_t place = max(across * USED + lane, (size_t)1) - 1; /* counts lanes, as does `row` */
    size_t row = (cols + 4 * N - 1) / (4 * N), c = place % row * (4 * N);
    size_t top = (place / row * pile + warp % pile) * ROWS;

    if (__all_sync(ALL_LANES, top >= rows))
        return; /* the whole warp: shuffles need all lanes */
    pixels<N> v[ROWS + 2]; /* in registers; v[1] is row `top` */
    const uint8_t *from = in + min(top > 0 ? top - 1 : 0, rows - 1) * cols + c;
    bool last = min(top + ROWS, rows - 1) * cols + c + 8 > rows * cols;
    int count = (int)min((size_t)4, cols - c);
#pragma unroll
    for (int k = 0; k < ROWS + 2; k++) {
        v[k] = load<N, SPLIT>(from, last, count);
        if (top + k > 0 && top + k < rows) /* else the first or last row once more */
            from += cols;
    }
    pixels<N> kept = {}; /* ones in the image's first and last column */
    if (c == 0)
        kept.byte[0] = 0xff;
#pragma unroll
    for (int i = 0; i < 4 * N; i++)
        kept.byte[i] |= c + i == cols - 1 ? 0xff : 0;
    halves<N> up = split(v[0]), mid = split(v[1]);
    bool lends = lane == 0 || lane == WARP - 1;
#pragma unroll
    for (int k = 1; k <= ROWS; k++) {
        size_t r = top + k - 1;
        halves<N> down = split(v[k + 1]);
        pixels<N> to = means(up, mid, down);

#pragma unroll
        for (int i = 0; i < N; i++)
            to.word[i] = r == 0 || r >= rows - 1
                             ? v[k].word[i]
                             : (v[k].word[i] & kept.word[i]) | (to.word[i] & ~kept.word[i]);
        store<N, SPLIT>(out + r * cols, c, cols, to, !lends && r < rows);
        up = mid;
        mid = down;
    }
}

static const char *refuse(const void *problem)
{
    return ((const struct stencil *)problem)->bytes ? NULL : "float32: this variant is for bytes";
}

template <int N, bool SPLIT, int ROWS>
static void sweep(const struct stencil *p, const uint8_t *from, uint8_t *to)
{
    unsigned pile = p->rows >= WARPS * ROWS ? WARPS : 1;
    size_t bands = (p->rows + pile * ROWS - 1) / (pile * ROWS);
    size_t lanes = bands * ((p->cols + 4 * N - 1) / (4 * N));
    size_t across = (lanes + USED - 1) / USED, blocks = (across * pile + WARPS - 1) / WARPS;

    stencil_packed<N, SPLIT, ROWS><<<(unsigned)blocks, WARP * WARPS>>>(p->rows, p->cols, pile, from,
                                                                       to);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    const uint8_t *from = (const uint8_t *)d_in;
    /* With few rows, most of eight would be outside of the image; with few columns, lanes side by side in the warp would
       be far apart in memory. */
    bool flat = p->rows < 16 || p->cols < 128;

    if (p->rows < 3 || p->cols < 3 || p->sweeps == 0) { /* all is border */
        CUDA(cudaMemcpyAsync(d_out, d_in, image_bytes(p), cudaMemcpyDeviceToDevice));
        return;
    }
    for (size_t left = p->sweeps; left > 0; left--) {
        uint8_t *to = (uint8_t *)(left % 2 == 1 ? d_out : d_scratch);

        if (p->cols % 16 == 0)
            flat ? sweep<4, false, 2>(p, from, to) : sweep<4, false, 8>(p, from, to);
        else if (p->cols % 4 == 0)
            flat ? sweep<1, false, 2>(p, from, to) : sweep<1, false, 8>(p, from, to);
        else
            flat ? sweep<1, true, 2>(p, from, to) : sweep<1, true, 8>(p, from, to);
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
