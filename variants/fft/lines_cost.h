/*
 * How cuda_bluestein divides a length: into passes, blocks and steps, the cheapest ones.
 *
 *     line_length         how many points the passes of a line have: n, or more for a convolution
 *     line_passes         their radices, and the threads of a line
 *     blocks_of           how many lines a block takes
 *     split_exactly       n = n1*n2 or n1*n2*n3
 *     split_convolution   n1*n2 >= 2n - 1
 *
 * Costs are instructions per number, roughly, on 132 multiprocessors with 128 lanes at 1.8 GHz: 35 fs each.  One trip through
 * memory takes as long as 110 of them, 16 bytes at 4.3 TB/s.  docs/limits/fft.md has the measurements behind the others.
 */
#ifndef RUNGS_FFT_LINES_COST_H
#define RUNGS_FFT_LINES_COST_H

#include "lines.h" /* the kernels */

enum { LONGEST = 1 << 14, TRIP = 110, UNITS = 132, WIDEST = 8 };
static const float LAUNCH = 2e8f; /* of one more kernel, for all of its numbers */
static const float ALONE = 1.2f;  /* what a block takes longer that has a multiprocessor for itself */

static const struct {
    unsigned radix;
    float cost; /* of one pass */
} radices[] = {{16, 22}, {13, 30}, {11, 27}, {10, 22}, {9, 23}, {8, 19},
               {7, 22},  {6, 19},  {5, 20},  {4, 16},  {3, 17}, {2, 14}};

static float passes_cost[LONGEST + 1];       /* of a line of m points; 0: there are no such passes */
static unsigned char first_radix[LONGEST + 1]; /* of the cheapest passes */

/* Fills both tables, each length from those that a radix leaves. */
static void find_passes(void)
{
    if (first_radix[2] != 0)
        return;
    for (unsigned m = 2; m <= LONGEST; m++)
        for (const auto &r : radices)
            if (m % r.radix == 0 && (m == r.radix || passes_cost[m / r.radix] > 0)) {
                const float cost = r.cost + passes_cost[m / r.radix];

                if (passes_cost[m] == 0 || cost < passes_cost[m]) {
                    passes_cost[m] = cost;
                    first_radix[m] = (unsigned char)r.radix;
                }
            }
}

/* Returns the length of the convolution for n points in a block: the cheapest from 2n - 1 on, n itself if it needs none, and
   0 if n is too long. */
static unsigned line_length(size_t n)
{
    unsigned best = 0;

    find_passes();
    if (n <= LONGEST && passes_cost[n] > 0)
        return (unsigned)n;
    for (size_t m = n == 1 ? 2 : 2 * n - 1; m <= LONGEST && m <= 3 * n + 8; m++)
        if (passes_cost[m] > 0 && (best == 0 || passes_cost[m] * (float)m < passes_cost[best] * (float)best))
            best = (unsigned)m;
    return best;
}

/* Sets the passes of m points, and how many threads a transform takes. */
static void line_passes(line *l, unsigned n, unsigned m)
{
    unsigned before = 1;

    *l = {};
    l->n = n;
    l->m = m;
    l->gap = 31;
    if (first_radix[m] == m) { /* there must be a first and a last pass: the first one is a copy */
        l->radix[0] = 1;
        l->reciprocal[l->passes++] = 0;
        l->threads = (m + HELD - 1) / HELD;
    }
    for (unsigned left = m; left > 1; left /= first_radix[left]) {
        const unsigned r = first_radix[left], butterflies = m / r, count = count_of(r);

        l->radix[l->passes] = r;
        l->reciprocal[l->passes++] = (unsigned)((((uint64_t)1 << 32) + before - 1) / before);
        before *= r;
        if ((butterflies + count - 1) / count > l->threads)
            l->threads = (butterflies + count - 1) / count;
    }
    /* After the first pass threads write first_radix numbers apart: a gap after each 2, 4, 8 or 16 puts them in different
       banks. */
    for (unsigned shift = 1; shift <= 4; shift++)
        if (l->radix[0] > 1 && l->radix[0] % (1u << shift) == 0)
            l->gap = shift;
}

static size_t line_bytes(const line &l)
{
    return (l.m + (l.m >> l.gap)) * sizeof(float2);
}

static size_t shared_limit(void)
{
    int bytes;

    CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    return (size_t)bytes;
}

/* --- a kernel's blocks ------------------------------------------------------------------------- */

/* How so many lines of n points are divided into blocks: `side` of them, a power of two, and what that costs per number */
struct blocks {
    unsigned side; /* 0: not even one line fits in a block */
    float cost;
};

/* Returns what a trip through memory costs with so many lines side by side.  An access takes sectors of 32 bytes, four numbers;
   it takes another one where neighbouring rows begin at any place in a sector. */
static float trip_cost(unsigned side, size_t lines)
{
    if (lines % 4 != 0)
        return TRIP * (float)(side + 3) / (float)side;
    return side >= 8 ? TRIP : side == 4 ? 1.1f * TRIP : 4.0f / (float)side * TRIP;
}

/* Returns the cheapest division.  A multiprocessor should have two blocks, of which one computes while the other waits, and
   all multiprocessors equally many. */
static blocks blocks_of(const line &l, size_t lines, bool twice)
{
    const size_t limit = shared_limit();
    const float passes = passes_cost[l.m] * (l.m > l.n ? 2 * (float)l.m / (float)l.n : twice ? 2 : 1);
    blocks best = {0, 0};

    for (unsigned side = WIDEST; side > 0; side /= 2) {
        const size_t threads = (side * l.threads + 31) / 32 * 32, bytes = side * line_bytes(l);

        if (side * l.threads > MAX_THREADS || bytes > limit)
            continue;

        const size_t count = (lines + side - 1) / side, each = (count + UNITS - 1) / UNITS;
        const bool pair = 2 * threads <= MAX_THREADS && 2 * bytes <= limit;
        const float cost = (trip_cost(side, lines) + passes) * (pair ? 1 : ALONE) * (float)(each * UNITS * side) / (float)lines;

        if (best.side == 0 || cost < best.cost)
            best = {side, cost};
    }
    return best;
}

/* Returns the cost per number of so many lines of n points; 0 if there is no such line. */
static float line_cost(size_t n, size_t lines, bool twice)
{
    const unsigned m = line_length(n);
    line l;

    if (m == 0)
        return 0;
    line_passes(&l, (unsigned)n, m);
    return blocks_of(l, lines, twice).cost;
}

/* --- steps ------------------------------------------------------------------------------------- */

/* The lengths of the lines of n points, or of a convolution for them: n1*n2, or n1*n2*n3 */
struct split {
    size_t n1, n2, n3;
    float cost; /* 0: there is none */
};

/* Returns the cheapest n1 * n2 = n, or n1 * n2 * n3 = n. */
static split split_exactly(size_t n, size_t batch)
{
    static size_t divisors[LONGEST];
    size_t count = 0;
    split best = {0, 0, 0, 0};

    for (size_t d = 2; d <= LONGEST; d++)
        if (n % d == 0 && line_length(d) > 0)
            divisors[count++] = d;
    for (size_t i = 0; i < count; i++) {
        const size_t n1 = divisors[i], left = n / n1;
        const float first = line_cost(n1, left * batch, false);

        for (size_t k = 0; k < count && first > 0; k++) {
            const size_t n2 = divisors[k], n3 = left % n2 == 0 ? left / n2 : 0;

            if (n3 == 0 || n3 > LONGEST)
                continue;

            const float second = line_cost(n2, n / n2 * batch, false);
            const float third = n3 == 1 ? 0 : line_cost(n3, n / n3 * batch, false);
            const float cost = first + second + third + (n3 == 1 ? 0 : LAUNCH / (float)(n * batch));

            if (second > 0 && (n3 == 1 || third > 0) && (best.cost == 0 || cost < best.cost))
                best = {n1, n2, n3, cost};
        }
    }
    return best;
}

/* Returns the cheapest convolution of at least 2n - 1 points. */
static split split_convolution(size_t n, size_t batch)
{
    split best = {0, 0, 0, 0};

    find_passes();
    for (size_t n1 = 2; n1 <= LONGEST; n1++)
        for (size_t n2 = (2 * n - 1 + n1 - 1) / n1; passes_cost[n1] > 0 && n2 <= LONGEST; n2++)
            if (n2 > 1 && passes_cost[n2] > 0) { /* the next longer one is hardly ever cheaper */
                const float one = line_cost(n1, n2 * batch, false), two = line_cost(n2, n1 * batch, true);
                const float cost = (2 * one + two) * (float)(n1 * n2) / (float)n;

                if (one > 0 && two > 0 && (best.cost == 0 || cost < best.cost))
                    best = {n1, n2, 1, cost};
                break;
            }
    return best;
}

/* Returns whether a block can transform a whole signal. */
static bool whole_fits(size_t n)
{
    const unsigned m = line_length(n);
    line l;

    if (m == 0)
        return false;
    line_passes(&l, (unsigned)n, m);
    return blocks_of(l, 1, false).side > 0;
}

#endif
