/* stencil: the reference, the tolerance and the verdict. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/stencil.h"
#include "harness/base/interrupt.h"
#include "harness/base/parallel.h"
#include "harness/problems/stencil.h"

/*
 * The reference is computed in patches, which fit a processor's cache while they are smoothed.  Up to
 * KEPT pixels it is kept for all verdicts.  Above, it would take more memory than the images themselves,
 * so each verdict computes each patch again.
 */
enum { KEPT = 1 << 24, ROWS = 32, COLS = 512 };

struct solution {
    bool kept;
    size_t rows, cols;    /* of a patch; the last ones may be smaller */
    size_t down, across;  /* how many patches */
    double *numbers;      /* of each patch, if kept, as in struct patch; they follow this struct */
};

struct patch {
    size_t top, left, rows, cols;
    double *value; /* [rows][cols] its pixels */
    double *size;  /* [rows][cols] means of absolute values; not for bytes */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t patch_numbers(const struct stencil *p, const struct solution *s)
{
    return (p->bytes ? 1 : 2) * s->rows * s->cols;
}

/* Returns patch i, with space for its numbers. */
static struct patch patch_at(const struct stencil *p, const struct solution *s, size_t i, double *numbers)
{
    const size_t top = i / s->across * s->rows, left = i % s->across * s->cols;

    return (struct patch){.top = top, .left = left,
                          .rows = least(s->rows, p->rows - top),
                          .cols = least(s->cols, p->cols - left),
                          .value = numbers, .size = numbers + s->rows * s->cols};
}

/* Makes one sweep in float64 over a window, not empty, whose edges stay.  Sums of nine bytes are
   exact. */
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

/* Rows and columns of the image that a patch depends on. */
struct window {
    size_t top, left, rows, cols;
};

/* The window extends `sweeps` pixels beyond the patch.  Its own edges become wrong, but the errors do
   not reach the patch; edges of the image are right to stay. */
static struct window window_of(const struct stencil *p, const struct patch *a)
{
    const size_t top = a->top - least(p->sweeps, a->top), left = a->left - least(p->sweeps, a->left);

    return (struct window){.top = top, .left = left,
                           .rows = least(p->rows, a->top + a->rows + p->sweeps) - top,
                           .cols = least(p->cols, a->left + a->cols + p->sweeps) - left};
}

static void load(const struct stencil *p, const struct window *w, bool absolute, double *to)
{
    for (size_t r = 0; r < w->rows; r++) {
        const size_t first = (w->top + r) * p->cols + w->left;

        if (p->bytes)
            for (size_t c = 0; c < w->cols; c++)
                to[r * w->cols + c] = p->in8[first + c];
        else
            for (size_t c = 0; c < w->cols; c++)
                to[r * w->cols + c] = absolute ? fabsf(p->in[first + c]) : p->in[first + c];
    }
}

/* Computes the pixels of a patch after all sweeps, or the means of their absolute values.  `from` and
   `to` have space for its window. */
static void solve_numbers(const struct stencil *p, const struct patch *a, bool absolute, double *from,
                          double *to, double *answer)
{
    const struct window w = window_of(p, a);

    load(p, &w, absolute, from);
    for (size_t sweep = 0; sweep < p->sweeps && !interrupted(); sweep++) {
        smooth(w.rows, w.cols, p->bytes, from, to);
        double *swap = from;
        from = to;
        to = swap;
    }
    for (size_t r = 0; r < a->rows; r++)
        memcpy(answer + r * a->cols, from + (a->top - w.top + r) * w.cols + (a->left - w.left),
               a->cols * sizeof *answer);
}

/* False: out of memory. */
static bool solve_patch(const struct stencil *p, const struct patch *a)
{
    const struct window w = window_of(p, a);
    double *windows = malloc(2 * w.rows * w.cols * sizeof *windows);

    if (windows == NULL)
        return false;
    solve_numbers(p, a, false, windows, windows + w.rows * w.cols, a->value);
    if (!p->bytes)
        solve_numbers(p, a, true, windows, windows + w.rows * w.cols, a->size);
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
        const struct patch a =
            patch_at(w->p, w->s, i, w->s->numbers + i * patch_numbers(w->p, w->s));

        if (!solve_patch(w->p, &a))
            atomic_store(&w->short_of_memory, true);
    }
}

/* Sides are four times the sweeps; otherwise most of a window would be margin. */
static struct solution layout_of(const struct stencil *p)
{
    const size_t margin = 4 * p->sweeps;
    struct solution s = {.kept = p->rows * p->cols <= KEPT,
                         .rows = least(p->rows, margin > ROWS ? margin : ROWS),
                         .cols = least(p->cols, margin > COLS ? margin : COLS)};

    s.down = p->cols > 0 ? parallel_chunks(p->rows, s.rows) : 0;
    s.across = parallel_chunks(p->cols, s.cols);
    return s;
}

void *stencil_solve(const void *c)
{
    const struct stencil *p = c;
    const struct solution layout = layout_of(p);
    const size_t patches = layout.down * layout.across;
    const size_t numbers = layout.kept ? patches * patch_numbers(p, &layout) : 0;
    struct solution *s = malloc(sizeof *s + numbers * sizeof *s->numbers);
    struct solving w = {.p = p, .s = s};

    if (s == NULL)
        return NULL;
    *s = layout;
    s->numbers = (double *)(s + 1);
    if (s->kept)
        parallel_for(patches, 1, solve_patches, &w);
    if (atomic_load(&w.short_of_memory)) {
        free(s);
        return NULL;
    }
    return s;
}

/* --- judge ------------------------------------------------------------------------------------ */

/*
 * Bytes are exact: the tolerance is 0.  So are the border and 0 sweeps.  For float32 with unit roundoff
 * u, the sum of nine numbers x in any order takes 8 additions, and
 *
 *     |computed sum - sum x| <= 8u * sum |x|
 *
 * (N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 4.2), without terms in u^2.
 *
 * The product with 1/9 adds a rounding, and 1/9 itself another: 10u times the mean of |x|.  The next
 * sweep takes the mean of these errors, with the same weights as of |x|.  So s sweeps are off by at most
 *
 *     |error| <= gamma * A,    gamma = 10su / (1 - 10su),    A = |in| smoothed s times
 *
 * gamma covers all powers of u.  Below the smallest normal number u no longer bounds the rounding of a
 * product; half the smallest subnormal number does.  A mean may be made of two products (the middle column's
 * sum times 1/9, then a multiply-add), so a sweep may be off by the smallest subnormal number.  Sums of
 * subnormal numbers are exact.
 */
struct question {
    const struct stencil *p;
    const struct solution *s;
    double gamma, underflow;
};

/* Computes the tolerances of `count` pixels of a row, from column `left` on. */
static void row_tolerances(const struct question *q, size_t row, size_t left, size_t count,
                       const double size[], double tolerance[])
{
    const struct stencil *p = q->p;

    if (p->bytes || p->sweeps == 0 || row == 0 || row == p->rows - 1) {
        memset(tolerance, 0, count * sizeof *tolerance);
        return;
    }
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        tolerance[i] = q->gamma * size[i] + q->underflow;
    if (left == 0)
        tolerance[0] = 0.0;
    if (left + count == p->cols)
        tolerance[count - 1] = 0.0;
}

/* Judges row r of a patch. */
static bool judge_row(struct verdict *v, const struct question *q, const struct patch *a, size_t r)
{
    enum { PIECE = COLS };
    const struct stencil *p = q->p;
    const size_t row = a->top + r, left = a->left;
    const double *value = a->value + r * a->cols, *size = a->size + r * a->cols;
    double tolerance[PIECE];
    float bytes[PIECE];

    for (size_t at = 0; at < a->cols; at += PIECE) {
        const size_t count = least(a->cols - at, PIECE), i = row * p->cols + left + at;

        for (size_t k = 0; p->bytes && k < count; k++)
            bytes[k] = p->out8[i + k];
        row_tolerances(q, row, left + at, count, size + at, tolerance);
        if (!verdict_see_row(v, p->bytes ? "out8" : "out", i, count, p->bytes ? bytes : p->out + i,
                             value + at, tolerance))
            return false;
    }
    return true;
}

static void judge_patches(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct question *q = context;
    const size_t numbers = patch_numbers(q->p, q->s);
    double *anew = q->s->kept ? NULL : malloc(numbers * sizeof *anew);

    for (size_t i = begin; i < end; i++) {
        const struct patch a =
            patch_at(q->p, q->s, i, anew != NULL ? anew : q->s->numbers + i * numbers);

        if (!q->s->kept && (anew == NULL || !solve_patch(q->p, &a))) {
            verdict_reject(v, "no memory to judge %zu x %zu pixels", a.rows, a.cols);
            break;
        }
        for (size_t r = 0; r < a.rows; r++)
            if (!judge_row(v, q, &a, r)) {
                free(anew);
                return;
            }
    }
    free(anew);
}

struct verdict stencil_judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    const struct stencil *p = c;
    const struct solution *s = solution;
    const double u = math_unit(math == MATH_F64 ? MATH_F32 : math); /* the answer is stored as float32 anyway */
    const double n = 10.0 * (double)p->sweeps * u;
    const struct question q = {p, s, n < 1.0 ? n / (1.0 - n) : INFINITY,
                               (double)p->sweeps * 0x1p-149};
    const size_t pixels = s->rows * s->cols + 1;
    struct verdict v =
        verdict_of(s->down * s->across, (1 << 16) / pixels + 1, judge_patches, &q);

    (void)seed; /* nothing is sampled */
    v.columns = p->cols;
    return v;
}
