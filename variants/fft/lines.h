/*
 * Kernels of cuda_bluestein: transforms of any length, in one block, in two steps or as a convolution.  The host's half
 * is lines_host.h.
 *
 * A line is one transform that fits in a block.  If its length m is a product of small radices, its passes are those of
 * registers.h, but the radices are known at run time only, and may differ:
 *
 *     m = 1000 = 10 * 10 * 10      m = 2401 = 7 * 7 * 7 * 7      m = 2002 = 11 * 13 * 7 * 2
 *
 * In each pass a thread takes COUNT butterflies of radix R, at most 16 numbers, which it holds in registers.  The last
 * of its butterflies may be missing, so any mixture of radices shares one number of threads.
 *
 * Any other length n is a convolution (L. I. Bluestein, 1970).  With 2 f t = f^2 + t^2 - (f - t)^2 and the chirp
 * c[t] = exp(-pi i t^2 / n),
 *
 *     X[f] = c[f] * sum over t of (x[t] c[t]) * conj(c[f - t])
 *
 * and a circular convolution of m >= 2n - 1 points is two transforms of m points with a product in between.  A line does
 * both without leaving the block:
 *
 *     load, times c  ->  passes  ->  times b, the transform of conj(c)  ->  passes  ->  times c, store
 *
 * Longer transforms take two steps, columns and rows, as in registers.h.  If the convolution itself is too long for a
 * block, the rows of its first transform are the columns of its second one, so that the product stays in the block:
 *
 *     columns of x c -> tiles  |  rows, times b, columns -> tiles  |  rows, times c -> X          three kernels
 *
 * The second transform of the convolution is an inverse one: the conjugate of the transform of the conjugate.
 */
#ifndef RUNGS_FFT_LINES_H
#define RUNGS_FFT_LINES_H

#include "butterflies.h" /* transform<R> */
#include "cuda_pass.h"   /* mul */

enum { MAX_PASSES = 14, HELD = 16, MAX_THREADS = 1024 };

/* How many butterflies of radix r a thread takes */
__host__ __device__ constexpr unsigned count_of(unsigned r)
{
    return HELD / r;
}

struct line {
    unsigned n, m; /* points; m > n: by a convolution of m points */
    unsigned passes, radix[MAX_PASSES], reciprocal[MAX_PASSES]; /* 2^32 / (the radices before), rounded up */
    unsigned threads;    /* of one transform */
    unsigned gap;        /* of a whole signal, number i lies at i + (i >> gap) in shared memory */
    const float2 *w;     /* [m] roots of unity */
    const float2 *chirp; /* m > n: [n] c ... */
    const float2 *b;     /* ... and [m] the transform of conj(c) */
};

/* What a kernel does beside its line.  A signal has `others` lines; line c has its number i at i*others + c. */
struct step {
    line l;
    unsigned others, side;    /* lines of a signal; lines of a block, a power of two */
    unsigned next;            /* log2 of the side of the kernel that reads the tiles ... */
    unsigned others_next;     /* ... and how many numbers a line has there */
    size_t from, to;          /* numbers of a signal in `in` and in `out` */
    size_t batch;             /* signals, for short ones */
    const float2 *near, *far; /* roots of unity of the product of both lengths, as in registers.h ... */
    unsigned far_shift;       /* ... a root's number is far_shift bits of near, and the rest of far */
    unsigned inner;           /* neighbouring lines whose numbers have the same roots: 1, but in the second of three steps */
    bool in_place;            /* TILES: write where the block has read */
    bool unturned;            /* ... and numbers as they are, without roots */
    bool from_place;          /* TILES: read what such a kernel has left, whose side is 1 << before */
    unsigned before;
    bool transposed;          /* TILES: write the numbers of a line in a row */

    /* of a convolution; number i of line c is number i*chirp_step + c*chirp_line of the chirp */
    const float2 *chirp_in, *chirp_out; /* [limit], or NULL */
    unsigned chirp_step, chirp_line, limit; /* numbers beyond the limit are 0 */
    const float2 *b;                    /* the transform of the conjugate chirp: as tiles, or of a line */
    unsigned b_step;                    /* the distance of its numbers */
};

/* SIGNAL: natural order.  TILES: what lies between two kernels, so that the next one reads all numbers of a block in a
   row. */
enum where { SIGNAL, TILES };

/* --- one line ----------------------------------------------------------------------------------- */

/* Multiplies number 4a + b by low(b) * high(a), a from 1 on: two roots for each number of a row and of a column of numbers
   instead of one for each number.  A long product would add up the rounding errors of all its factors. */
template <int R, class function, class other>
__device__ __forceinline__ void turn(float2 v[], function low, other high)
{
    float2 row[4];

#pragma unroll
    for (int b = 0; b < 4 && b < R; b++) {
        row[b] = low(b);
        v[b] = mul(v[b], row[b]);
    }
#pragma unroll
    for (int a = 1; 4 * a < R; a++) {
        const float2 column = high(a);

#pragma unroll
        for (int b = 0; b < 4 && 4 * a + b < R; b++)
            v[4 * a + b] = mul(v[4 * a + b], mul(column, row[b]));
    }
}

/* A thread's part of a kernel */
struct part {
    unsigned j, lane;  /* the thread's number in its line; the line's number in the block */
    unsigned c;        /* the line's number in its signal */
    bool any;          /* there is such a line; if not, the thread computes the last one once more */
    const float2 *in;  /* the signal's; TILES: the line's */
    float2 *out;       /* the signal's */
    const float2 *b;   /* the line's part of step.b */
    float2 *shared;    /* the line's first number */
};

__device__ __forceinline__ float2 conjugate(float2 a)
{
    return make_float2(a.x, -a.y);
}

template <where FROM, where TO, bool CHIRP>
__device__ __forceinline__ float2 load(const step &s, const part &t, unsigned i)
{
    unsigned at = FROM == TILES ? i * s.side : i * s.others + t.c;

    if (FROM == TILES && TO == SIGNAL && CHIRP && s.from_place) {
        const unsigned in_tile = i & ((1u << s.before) - 1);

        at = (i - in_tile) * s.others + (t.c << s.before) + in_tile;
    }
    if (CHIRP && s.chirp_in != NULL) {
        const unsigned k = i * s.chirp_step + t.c * s.chirp_line;

        return k < s.limit ? mul(t.in[at], s.chirp_in[k]) : make_float2(0, 0);
    }
    return t.in[at];
}

/* Stores R numbers, `apart` apart, from number i on. */
template <where TO, bool CHIRP, int R>
__device__ __forceinline__ void store(const step &s, const part &t, unsigned i, unsigned apart, float2 v[])
{
    if (!t.any)
        return;
    if (TO == TILES && s.unturned) {
#pragma unroll
        for (int k = 0; k < R; k++)
            t.out[(i + k * apart) * s.side] = v[k];
        return;
    }
    if (CHIRP && s.chirp_out != NULL)
#pragma unroll
        for (int k = 0; k < R; k++) {
            const unsigned number = (i + k * apart) * s.chirp_step + t.c * s.chirp_line;

            if (number < s.limit)
                v[k] = mul(conjugate(v[k]), s.chirp_out[number]);
        }
    const unsigned outer = TO == TILES && s.inner > 1 ? t.c / s.inner : t.c, rest = t.c - outer * s.inner;

    if (TO == TILES) {
        auto root = [&](unsigned number) { /* numbers that a convolution has beyond n are not stored */
            const unsigned m = !CHIRP || number < s.l.n ? number * outer : 0;

            return mul(s.far[m >> s.far_shift], s.near[m & ((1u << s.far_shift) - 1)]);
        };

        turn<R>(v, [&](int b) { return root(i + b * apart); }, [&](int a) { return root(4 * a * apart); });
    }
#pragma unroll
    for (int k = 0; k < R; k++) {
        const unsigned number = i + k * apart;
        unsigned at = number * s.others + t.c;

        if (CHIRP && (number >= s.l.n ||
                      (s.chirp_out != NULL && number * s.chirp_step + t.c * s.chirp_line >= s.limit)))
            continue;
        if (TO == TILES) {
            const unsigned line = rest + s.inner * number, in_tile = line & ((1u << s.next) - 1);

            at = CHIRP && s.in_place ? number * s.side
                 : s.transposed      ? t.c * s.l.n + number
                                     : (line - in_tile) * s.others_next + (outer << s.next) + in_tile;
        }
        t.out[at] = v[k];
    }
}

/* FIRST passes load numbers, LAST ones store them, those in BETWEEN take and leave them in shared memory. */
enum turn_of { FIRST, BETWEEN, LAST };

/* One pass of radix R, Stockham's (cuda_stockham.cu), after others whose radices have the product `before`.  All threads
   of the block call it, because of the barriers. */
template <turn_of WHEN, where FROM, where TO, bool CHIRP, int R>
__device__ __forceinline__ void one_pass(const step &s, const part &t, unsigned pass, unsigned before)
{
    const unsigned COUNT = count_of(R), apart = s.l.m / R;
    float2 v[COUNT][R];

    auto place = [&](unsigned i) -> float2 & {
        return FROM == SIGNAL && TO == SIGNAL ? t.shared[i + (i >> s.l.gap)] : t.shared[i * s.side];
    };

    if (WHEN != FIRST)
        __syncthreads(); /* the numbers of the pass before are there */
#pragma unroll
    for (unsigned c = 0; c < COUNT; c++) {
        const unsigned butterfly = min(t.j + c * s.l.threads, apart - 1);

#pragma unroll
        for (int k = 0; k < R; k++)
            v[c][k] = WHEN == FIRST ? load<FROM, TO, CHIRP>(s, t, butterfly + k * apart) : place(butterfly + k * apart);
    }
    if (WHEN == BETWEEN)
        __syncthreads(); /* all threads have read them */
    if (WHEN == LAST)
        previous_has_ended(); /* before this line it may still be reading `out` */
#pragma unroll
    for (unsigned c = 0; c < COUNT; c++) {
        const unsigned butterfly = t.j + c * s.l.threads;

        if (butterfly >= apart)
            continue;
        transform<R>(v[c]);
        if (WHEN == LAST) {
            store<TO, CHIRP, R>(s, t, butterfly, apart, v[c]);
        } else if (CHIRP && WHEN == BETWEEN && pass + 1 == s.l.passes) { /* the convolution's product */
#pragma unroll
            for (int k = 0; k < R; k++) {
                const unsigned i = butterfly + k * apart;

                place(i) = conjugate(mul(v[c][k], t.b[i * s.b_step]));
            }
        } else {
            /* butterfly = p*before + q; the quotient is exact, since butterfly * before is below 2^32 */
            const unsigned number = pass < s.l.passes ? pass : pass - s.l.passes;
            const unsigned p = before == 1 ? butterfly : __umulhi(butterfly, s.l.reciprocal[number]);
            const unsigned q = butterfly - p * before;

            turn<R>(v[c], [&](int b) { return b == 0 ? make_float2(1, 0) : s.l.w[b * p * before]; },
                    [&](int a) { return s.l.w[4 * a * p * before]; });
#pragma unroll
            for (int k = 0; k < R; k++)
                place(q + before * (R * p + k)) = v[c][k];
        }
    }
}

/* The same for a radix that is known at run time only.  It is the same in all threads, so no warp diverges. */
template <turn_of WHEN, where FROM, where TO, bool CHIRP>
__device__ __forceinline__ void some_pass(const step &s, const part &t, unsigned pass, unsigned before)
{
    switch (s.l.radix[pass < s.l.passes ? pass : pass - s.l.passes]) {
    case 1: one_pass<WHEN, FROM, TO, CHIRP, 1>(s, t, pass, before); break;
    case 2: one_pass<WHEN, FROM, TO, CHIRP, 2>(s, t, pass, before); break;
    case 3: one_pass<WHEN, FROM, TO, CHIRP, 3>(s, t, pass, before); break;
    case 4: one_pass<WHEN, FROM, TO, CHIRP, 4>(s, t, pass, before); break;
    case 5: one_pass<WHEN, FROM, TO, CHIRP, 5>(s, t, pass, before); break;
    case 6: one_pass<WHEN, FROM, TO, CHIRP, 6>(s, t, pass, before); break;
    case 7: one_pass<WHEN, FROM, TO, CHIRP, 7>(s, t, pass, before); break;
    case 8: one_pass<WHEN, FROM, TO, CHIRP, 8>(s, t, pass, before); break;
    case 9: one_pass<WHEN, FROM, TO, CHIRP, 9>(s, t, pass, before); break;
    case 10: one_pass<WHEN, FROM, TO, CHIRP, 10>(s, t, pass, before); break;
    case 11: one_pass<WHEN, FROM, TO, CHIRP, 11>(s, t, pass, before); break;
    case 13: one_pass<WHEN, FROM, TO, CHIRP, 13>(s, t, pass, before); break;
    case 16: one_pass<WHEN, FROM, TO, CHIRP, 16>(s, t, pass, before); break;
    }
}

/* --- the kernels: <SIGNAL, SIGNAL> whole signals, <SIGNAL, TILES> columns, <TILES, SIGNAL> rows, and <TILES, TILES>
   rows, product and columns of a convolution.  CHIRP: part of a convolution, or one in each line ---- */

template <where FROM, where TO, bool CHIRP>
__global__ static void __launch_bounds__(MAX_THREADS)
fft_lines(const __grid_constant__ step s, const float2 *in, float2 *out)
{
    extern __shared__ float2 shared[];
    const unsigned size = s.l.m + (s.l.m >> s.l.gap);
    part t;

    next_may_start();
    if (FROM == SIGNAL && TO == SIGNAL) { /* neighbouring threads take neighbouring numbers of one signal */
        const size_t here = (size_t)blockIdx.x * s.side + threadIdx.y, signal = here < s.batch ? here : s.batch - 1;

        t = {threadIdx.x, threadIdx.y, 0, here < s.batch, in + signal * s.from, out + signal * s.to, s.b,
             shared + threadIdx.y * size};
    } else { /* neighbouring threads take neighbouring lines */
        const unsigned groups = (s.others + s.side - 1) / s.side, group = blockIdx.x % groups;
        const size_t signal = blockIdx.x / groups;
        const unsigned here = group * s.side + threadIdx.x, c = here < s.others ? here : s.others - 1;
        const unsigned row = group * s.side * s.l.n + c - group * s.side;

        t = {threadIdx.y, threadIdx.x, c, here < s.others, in + signal * s.from + (FROM == TILES && !s.from_place ? row : 0),
             out + signal * s.to + (s.in_place ? row : 0), s.b + (FROM == TILES && TO == TILES ? row : 0),
             shared + threadIdx.x};
    }
    if (FROM == TILES || s.inner > 1)
        previous_has_ended(); /* what the kernel reads is complete */

    some_pass<FIRST, FROM, TO, CHIRP>(s, t, 0, 1);

    const unsigned passes = CHIRP && s.b != NULL ? 2 * s.l.passes : s.l.passes;
    unsigned before = s.l.radix[0];

    for (unsigned pass = 1; pass < passes - 1; pass++) {
        if (pass == s.l.passes)
            before = 1; /* the second transform of a convolution */
        some_pass<BETWEEN, FROM, TO, CHIRP>(s, t, pass, before);
        before *= s.l.radix[pass < s.l.passes ? pass : pass - s.l.passes];
    }
    some_pass<LAST, FROM, TO, CHIRP>(s, t, passes - 1, before);
}

#endif
