/* stencil: the reference, what an answer may be off by, and the verdict. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/stencil.h"
#include "harness/interrupt.h"
#include "harness/parallel.h"
#include "harness/problems/stencil.h"
#include "harness/random.h"

/* Images of up to FULL pixels are answered in full, in bands of BAND rows or more; of larger ones
   PATCHES squares of SIDE pixels: the four corners, and others at random. */
enum { FULL = 1 << 24, BAND = 4, SIDE = 64, PATCHES = 256 };

struct solution {
    bool full;
    uint64_t seed;
    size_t patches, rows, cols; /* so many, each so large; the last band may have fewer rows */
    double numbers[]; /* of each patch: its pixels, then, but for bytes, means of absolute values */
};

struct patch {
    size_t top, left, rows;
    double *value, *size;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static struct patch patch_at(const struct stencil *p, const struct solution *s, size_t i)
{
    const size_t pixels = s->rows * s->cols;
    const size_t lowest = p->rows - s->rows, rightmost = p->cols - s->cols;
    struct patch a = {.rows = s->rows};

    a.value = (double *)s->numbers + (p->bytes ? 1 : 2) * i * pixels;
    a.size = p->bytes ? a.value : a.value + pixels;
    if (s->full) {
        a.top = i * s->rows;
        a.rows = least(s->rows, p->rows - a.top);
        return a;
    }
    a.top = i < 4 ? i / 2 * lowest : random_bits(s->seed, 2, i) % (lowest + 1);
    a.left = i < 4 ? i % 2 * rightmost : random_bits(s->seed, 3, i) % (rightmost + 1);
    return a;
}

/* One sweep in float64 of a window, not empty, whose edges are kept.  Sums of nine bytes are exact. */
static void smooth(size_t rows, size_t cols, bool bytes, const double *from, double *to)
{
    memcpy(to, from, cols * sizeof *to);
    memcpy(to + (rows - 1) * cols, from + (rows - 1) * cols, cols * sizeof *to);
    for (size_t r = 1; r + 1 < rows; r++) {
        const double *here = from + r * cols, *above = here - cols, *below = here + cols;
        double *mean = to + r * cols;

        mean[0] = here[0];
        mean[cols - 1] = here[cols - 1];
#pragma omp simd
        for (size_t c = 1; c < cols - 1; c++) {
            const double sum = above[c - 1] + above[c] + above[c + 1] + here[c - 1] + here[c] +
                               here[c + 1] + below[c - 1] + below[c] + below[c + 1];

            mean[c] = sum / 9.0;
        }
        for (size_t c = 1; bytes && c < cols - 1; c++)
            mean[c] = floor(mean[c]);
    }
}

/* The pixels of one patch after all sweeps, or the means of their absolute values.  What a patch
   depends on lies within `sweeps` pixels of it: beyond, the window's edges are wrong, and do not
   reach it; or they are the edges of the image, and right to be kept. */
static bool solve_patch(const struct stencil *p, const struct patch *patch, size_t patch_cols,
                        bool absolute, double *answer)
{
    const size_t up = patch->top - least(p->sweeps, patch->top);
    const size_t west = patch->left - least(p->sweeps, patch->left);
    const size_t rows = least(p->rows - up, patch->top - up + patch->rows + p->sweeps);
    const size_t cols = least(p->cols - west, patch->left - west + patch_cols + p->sweeps);
    double *windows = malloc((2 * rows * cols + 1) * sizeof *windows);

    if (windows == NULL)
        return false;
    double *from = windows, *to = windows + rows * cols;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++) {
            const size_t i = (up + r) * p->cols + west + c;
            const double pixel = p->bytes ? (double)p->in8[i] : (double)p->in[i];
            from[r * cols + c] = absolute ? fabs(pixel) : pixel;
        }
    const size_t sweeps = rows > 0 && cols > 0 ? p->sweeps : 0;
    for (size_t sweep = 0; sweep < sweeps && !interrupted(); sweep++) {
        smooth(rows, cols, p->bytes, from, to);
        double *swap = from;
        from = to;
        to = swap;
    }
    for (size_t r = 0; r < patch->rows; r++)
        memcpy(answer + r * patch_cols,
               from + (patch->top - up + r) * cols + (patch->left - west),
               patch_cols * sizeof *answer);
    free(windows);
    return true;
}

struct solving {
    const struct stencil *p;
    struct solution *s;
    atomic_bool short_of_memory;
};

static void solve_patches(void *context, size_t begin, size_t end)
{
    struct solving *w = context;

    for (size_t i = begin; i < end; i++) {
        const struct patch patch = patch_at(w->p, w->s, i);

        if (!solve_patch(w->p, &patch, w->s->cols, false, patch.value) ||
            (!w->p->bytes && !solve_patch(w->p, &patch, w->s->cols, true, patch.size)))
            atomic_store(&w->short_of_memory, true);
    }
}

void *stencil_solve(const void *c, uint64_t seed)
{
    const struct stencil *p = c;
    const bool full = p->rows * p->cols <= FULL;
    const size_t band = p->sweeps < BAND / 4 ? BAND : 4 * p->sweeps; /* or most of it were margin */
    const size_t rows = least(p->rows, full ? band : SIDE), cols = full ? p->cols : least(p->cols, SIDE);
    const size_t patches = full ? parallel_chunks(p->rows, rows) : PATCHES;
    const size_t numbers = (p->bytes ? 1 : 2) * patches * rows * cols;
    struct solution *s = malloc(sizeof *s + numbers * sizeof *s->numbers);
    struct solving w = {.p = p, .s = s};

    if (s == NULL)
        return NULL;
    *s = (struct solution){full, seed, patches, rows, cols};
    parallel_for(patches, 1, solve_patches, &w);
    if (atomic_load(&w.short_of_memory)) {
        free(s);
        return NULL;
    }
    return s;
}

/* --- judge ------------------------------------------------------------------------------------ */

/*
 * Bytes are exact: the limit is 0.  So are the border and no sweeps at all.  For float32, with unit
 * roundoff u, the sum of nine numbers x in any order takes 8 additions, and
 *
 *     |computed sum - sum x| <= 8u * sum |x|
 *
 * (N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 4.2), leaving out u^2.
 *
 * The product with 1/9 adds a rounding, and 1/9 itself one more: 10u times the mean of |x|.  The
 * next sweep takes the mean of these errors, with the same weights as of |x|; so s sweeps are off
 * by at most
 *
 *     |error| <= gamma * A,    gamma = 10su / (1 - 10su),    A = |in| smoothed s times
 *
 * gamma covers all powers of u.  Below the smallest normal number u no longer bounds the rounding
 * of a product; half the smallest subnormal number does, once a sweep.
 */
struct question {
    const struct stencil *p;
    const struct solution *s;
    double gamma, underflow;
};

/* The limits of `count` pixels of a row, from column `left` on. */
static void row_limits(const struct question *q, size_t row, size_t left, size_t count,
                       const double size[], double limit[])
{
    const struct stencil *p = q->p;

    if (p->bytes || p->sweeps == 0 || row == 0 || row == p->rows - 1) {
        memset(limit, 0, count * sizeof *limit);
        return;
    }
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        limit[i] = q->gamma * size[i] + q->underflow;
    if (left == 0)
        limit[0] = 0.0;
    if (left + count == p->cols)
        limit[count - 1] = 0.0;
}

static bool judge_row(struct verdict *v, const struct question *q, size_t row, size_t left,
                      const double value[], const double size[])
{
    enum { PIECE = 1024 };
    const struct stencil *p = q->p;
    double limit[PIECE];
    float bytes[PIECE];

    for (size_t at = 0; at < q->s->cols; at += PIECE) {
        const size_t count = least(q->s->cols - at, PIECE), i = row * p->cols + left + at;

        for (size_t k = 0; p->bytes && k < count; k++)
            bytes[k] = p->out8[i + k];
        row_limits(q, row, left + at, count, size + at, limit);
        if (!verdict_see_row(v, p->bytes ? "out8" : "out", i, count, p->bytes ? bytes : p->out + i,
                             value + at, limit))
            return false;
    }
    return true;
}

static void judge_patches(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct question *q = context;

    for (size_t i = begin; i < end; i++) {
        const struct patch a = patch_at(q->p, q->s, i);

        for (size_t r = 0; r < a.rows; r++)
            if (!judge_row(v, q, a.top + r, a.left, a.value + r * q->s->cols,
                           a.size + r * q->s->cols))
                return;
    }
}

/* Where only patches were compared, no pixel may have been left as it was before the run. */
static void judge_written(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct stencil *p = ((const struct question *)context)->p;

    for (size_t row = begin; row < end; row++) {
        const float *out = p->out + row * p->cols;
        unsigned missing = 0;

#pragma omp simd reduction(| : missing)
        for (size_t c = 0; c < p->cols; c++)
            missing |= !(fabsf(out[c]) < INFINITY);
        for (size_t c = 0; missing && c < p->cols; c++)
            if (!isfinite(out[c])) {
                verdict_see(v, "out", row * p->cols + c, out[c], 0.0, 0.0);
                return;
            }
    }
}

struct verdict stencil_judge(const void *c, const void *solution, enum math math)
{
    const struct stencil *p = c;
    const struct solution *s = solution;
    const double u = math_unit(math == MATH_F64 ? MATH_F32 : math); /* stored as float32 anyway */
    const double n = 10.0 * (double)p->sweeps * u;
    const struct question q = {p, s, n < 1.0 ? n / (1.0 - n) : INFINITY,
                               (double)p->sweeps * 0x1p-150};
    const size_t pixels = s->rows * s->cols + 1;
    struct verdict v = verdict_of(s->patches, (1 << 16) / pixels + 1, judge_patches, &q);

    if (!s->full && !p->bytes && v.finite) {
        const struct verdict all = verdict_of(p->rows, 16, judge_written, &q);
        verdict_add(&v, &all);
    }
    v.columns = p->cols;
    return v;
}
