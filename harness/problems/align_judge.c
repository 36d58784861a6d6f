/*
 * align: the tolerance and the verdict.  align_surface.c computes the reference.
 *
 * With eta the error of a bin of a transform, as in fft_judge.c, and u the unit roundoff,
 *
 *     eta = 4u (log2 N + 1) max(norm2(a), norm2(b))
 *
 * The larger norm counts for both images, because a variant may transform a + ib at once.  R[k] = P/(|P| + eps) with P =
 * A conj(B), and P is off by at most (|A| + |B|) eta + eta^2.  The numerator passes that on, and the denominator once
 * more; 8u is for the arithmetic in between.  As |R| <= 1, no error is above 2:
 *
 *     d[k] = min(2, 2 ((|A| + |B|) eta + eta^2) / (|A||B| + eps) + 8u)
 *
 * g is off by the mean of these errors at most, if all point one way.  If their signs are independent, it is off by less
 * than 8 times the root of the sum of their squares, over N, but for once in 4e13 (Hoeffding).  Bins k and -k have the
 * same error, which is a factor of sqrt(2).  The inverse transform has an error of its own, with norm2(R) <= sqrt(N), and
 * g is stored as float32:
 *
 *     E = min(sum of d, 8 sqrt(2 sum of d^2)) / N + 4u (log2 N + 1) / sqrt(N) + 2^-24
 *
 * Then
 *
 *     peak     g there is at least the highest - 2E: a tie within what both may be off is right
 *     height   within E of g at the variant's own peak
 *     shift    d = n / 2D, D = g- - 2 g0 + g+, at the variant's own peak: n is off by 2E at most, and D by 4E, so d by
 *              (E + 4E |d|) / (|D| - 4E).  Where |D| <= 8E, anything within half a pixel of the peak
 *
 * With inputs rounded to TF32 or halves, d[k] is 2 for most bins: no tolerance would reject anything, and so such a variant
 * is rejected.
 */
#include <math.h>
#include <stdlib.h>

#include "harness/problems/align.h"

/* g at a place and at its neighbours on both axes. */
struct around {
    double g, before[2], after[2];
};

struct solution {
    bool sound;
    struct truth {
        struct align_truth is;
        struct around around; /* its peak */
    } pair[];
};

static struct around look_around(const struct align *p, const double *g, size_t peak)
{
    const size_t row = peak / p->cols, col = peak % p->cols;

    return (struct around){
        g[peak],
        {g[(row + p->rows - 1) % p->rows * p->cols + col], g[row * p->cols + (col + p->cols - 1) % p->cols]},
        {g[(row + 1) % p->rows * p->cols + col], g[row * p->cols + (col + 1) % p->cols]},
    };
}

/* Takes so many pairs at a time that their surfaces are some 300 MB, or one that is larger. */
static size_t group_of(const struct align *p)
{
    const size_t together = ((size_t)1 << 23) / (p->rows * p->cols);

    return together > 1 ? together : 1;
}

void *align_solve(const void *c)
{
    const struct align *p = c;
    const size_t n = p->rows * p->cols, group = group_of(p), most = p->pairs < group ? p->pairs : group;
    struct solution *s = calloc(1, sizeof *s + p->pairs * sizeof s->pair[0]);
    double *g = malloc((most * n + 1) * sizeof *g);
    struct align_truth *truth = calloc(most + 1, sizeof *truth);
    bool done = s != NULL && g != NULL && truth != NULL;

    if (done)
        s->sound = true;
    for (size_t first = 0, count; done && first < p->pairs; first += count) {
        count = p->pairs - first < group ? p->pairs - first : group;
        done = align_surface(p, first, count, g, truth, &s->sound);
        for (size_t i = 0; done && i < count; i++)
            s->pair[first + i] = (struct truth){truth[i], look_around(p, g + i * n, truth[i].peak)};
    }
    free(g);
    free(truth);
    if (done)
        return s;
    free(s);
    return NULL;
}

/* --- judge ----------------------------------------------------------------------------------------- */

/* What the shift should be along one axis, and how far it may be from that. */
struct expected {
    double shift, tolerance;
};

static struct expected expect(const struct around *g, int axis, size_t at, size_t length, double E)
{
    const double D = g->before[axis] - 2.0 * g->g + g->after[axis];
    const double whole = 2 * at > length ? (double)at - (double)length : (double)at;

    if (!(fabs(D) > 8.0 * E))
        return (struct expected){whole, 0.5 + 0x1p-23 * (fabs(whole) + 0.5)};
    /* D is negative: else g would be higher beside the peak by more than 2E */
    const double d = fmax(-0.5, fmin(0.5, (g->before[axis] - g->after[axis]) / (2.0 * D)));
    return (struct expected){whole + d, (E + 4.0 * E * fabs(d)) / (fabs(D) - 4.0 * E) + 0x1p-23 * fabs(whole + d)};
}

/* Sets what g is around a peak that is not the reference's.  Returns false if memory runs out. */
static bool look_elsewhere(const struct align *p, size_t pair, struct around *around)
{
    double *g = malloc(p->rows * p->cols * sizeof *g);
    struct align_truth truth;
    bool sound = true;
    const bool done = g != NULL && align_surface(p, pair, 1, g, &truth, &sound);

    if (done)
        *around = look_around(p, g, p->peak[pair]);
    free(g);
    return done;
}

/* Returns false if the verdict is final. */
static bool judge_pair(struct verdict *v, const struct align *p, const struct truth *truth, size_t pair, int class)
{
    const size_t peak = p->peak[pair], at[] = {peak / p->cols, peak % p->cols}, length[] = {p->rows, p->cols};
    const double E = truth->is.slack[class];
    struct around around = truth->around;

    if (peak >= p->rows * p->cols) {
        verdict_reject(v, "peak[%zu] is %zu, an image has %zu pixels", pair, peak, p->rows * p->cols);
        return false;
    }
    v->asked++;
    v->same += peak == truth->is.peak;
    if (truth->is.highest <= 0.0 && peak != 0) {
        verdict_reject(v, "peak[%zu] is %zu, but g is 0 everywhere, so that the first pixel is the peak", pair, peak);
        return false;
    }
    if (peak != truth->is.peak && !look_elsewhere(p, pair, &around)) {
        verdict_reject(v, "no memory to judge pair %zu", pair);
        return false;
    }
    if (!(around.g >= truth->is.highest - 2.0 * E)) {
        verdict_reject(v, "peak[%zu] is (%zu, %zu), where g is %.3g; it is %.3g +- %.1e at (%zu, %zu)", pair, at[0], at[1],
                       around.g, truth->is.highest, 2.0 * E, truth->is.peak / p->cols, truth->is.peak % p->cols);
        return false;
    }
    if (!verdict_see(v, "height", pair, p->height[pair], around.g, E))
        return false;
    for (int axis = 0; axis < 2; axis++) {
        const struct expected want = expect(&around, axis, at[axis], length[axis], E);

        if (!verdict_see(v, "shift", 2 * pair + (size_t)axis, p->shift[2 * pair + (size_t)axis], want.shift,
                         want.tolerance))
            return false;
    }
    return true;
}

struct verdict align_judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    const struct align *p = c;
    const struct solution *s = solution;
    struct verdict v = verdict_start();

    (void)seed; /* nothing is sampled */
    if (math == MATH_TF32 || math == MATH_F16)
        verdict_reject(&v, "align has no tolerance for TF32 and halves: the phases of weak bins would be lost");
    else if (!s->sound)
        verdict_reject(&v, "the reference has failed its own check");
    else
        for (size_t i = 0; i < p->pairs; i++)
            if (!judge_pair(&v, p, &s->pair[i], i, math == MATH_FAST ? ALIGN_FAST : ALIGN_F32))
                break;
    return v;
}
