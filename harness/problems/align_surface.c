/*
 * align: the surface g in float64.
 *
 * Both images go through one complex transform, z = a + ib, by rows and then by columns.  A transposition lies between,
 * so that columns are rows, too:
 *
 *     z  [rows][cols]  --rows-->  --transpose-->  [cols][rows]  --rows-->  Z, transposed
 *     A[k] = (Z[k] + conj Z[-k]) / 2        B[k] = (Z[k] - conj Z[-k]) / 2i
 *
 * The way back is the same: an inverse transform is the conjugate of the forward transform of the conjugate, over N, and
 * only the size of the result is wanted.
 */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/align.h"
#include "harness/problems/fft_transform.h"

enum { GRAIN = 1 << 14 }; /* pixels in a chunk */

struct surface {
    const struct align *p;
    size_t pixels;                         /* of one image */
    size_t first;                          /* the first pair */
    double complex *of_rows, *of_cols;     /* [rows] and [cols] roots of unity */
    double complex *z, *other;             /* [count][pixels] */
    double *g;                             /* [count][pixels] */
    double *norm;                          /* [count] ||a||^2 + ||b||^2 */
    double *energy, *spectral;             /* [count] what Parseval's theorem leaves of Z, and of R: nearly 0 */
    struct align_truth *truth;             /* [count] */
    size_t bins;                           /* to check by the definition, of each pair */
    double *strayed;                       /* [count][bins] how far they are from it */
};

static double square(double complex a)
{
    return creal(a) * creal(a) + cimag(a) * cimag(a);
}

static void pack(void *context, size_t begin, size_t end)
{
    const struct surface *s = context;
    const float *a = s->p->a + s->first * s->pixels, *b = s->p->b + s->first * s->pixels;

    for (size_t i = begin; i < end; i++)
        s->z[i] = CMPLX(a[i], b[i]);
}

/* --- transforms ------------------------------------------------------------------------------------ */

struct transposition {
    const double complex *from; /* [count][rows][cols] */
    double complex *to;         /* [count][cols][rows] */
    size_t rows, cols;
};

/* Handles bands of BAND rows, which are written as whole cache lines. */
enum { BAND = 8 };

static void transpose_bands(void *context, size_t begin, size_t end)
{
    const struct transposition *t = context;
    const size_t bands = (t->rows + BAND - 1) / BAND;

    for (size_t i = begin; i < end; i++) {
        const size_t image = i / bands * t->rows * t->cols, first = i % bands * BAND;
        const size_t last = first + BAND < t->rows ? first + BAND : t->rows;

        for (size_t col = 0; col < t->cols; col++)
            for (size_t row = first; row < last; row++)
                t->to[image + col * t->rows + row] = t->from[image + row * t->cols + col];
    }
}

/* Transforms `count` arrays [rows][cols] from z; they end transposed in z again. */
static bool transform(struct surface *s, size_t count, size_t rows, size_t cols, const double complex *of_rows,
                      const double complex *of_cols)
{
    struct transposition t = {s->other, s->z, rows, cols};

    if (!fft_transform_wide(count * rows, cols, of_cols, s->z, s->other))
        return false;
    parallel_for(count * ((rows + BAND - 1) / BAND), GRAIN / (BAND * cols) + 1, transpose_bands, &t);
    if (!fft_transform_wide(count * cols, rows, of_rows, s->z, s->other))
        return false;
    double complex *swap = s->z;
    s->z = s->other;
    s->other = swap;
    return true;
}

/* --- the cross-power spectrum ---------------------------------------------------------------------- */

/* See align_judge.c. */
static double bin_error(double A, double B, double eps, double eta, double u)
{
    return fmin(2.0, 2.0 * ((A + B) * eta + eta * eta) / (A * B + eps) + 8.0 * u);
}

static void cross_power(void *context, size_t begin, size_t end)
{
    static const double unit[] = {[ALIGN_F32] = 0x1p-24, [ALIGN_FAST] = 0x1p-21};
    const struct surface *s = context;
    const size_t rows = s->p->rows, cols = s->p->cols, n = s->pixels;
    const double log_n = log2((double)n) + 1.0;

    for (size_t i = begin; i < end; i++) {
        const double complex *Z = s->z + i * n;
        const float *a = s->p->a + (s->first + i) * n, *b = s->p->b + (s->first + i) * n;
        const double eps = s->p->eps[s->first + i];
        double sums[ALIGN_CLASSES] = {0.0}, squares[ALIGN_CLASSES] = {0.0}, power[2] = {0.0}, of_Z = 0.0, of_R = 0.0;

        for (size_t at = 0; at < n; at++) {
            power[0] += (double)a[at] * a[at];
            power[1] += (double)b[at] * b[at];
        }
        const double norm = sqrt(fmax(power[0], power[1]));

        s->norm[i] = power[0] + power[1];
        for (size_t col = 0, k = 0; col < cols; col++)
            for (size_t row = 0; row < rows; row++, k++) {
                const double complex there = conj(Z[(cols - col) % cols * rows + (rows - row) % rows]);
                const double complex A = (Z[k] + there) / 2.0, B = (Z[k] - there) * CMPLX(0.0, -0.5);
                const double size_A = sqrt(square(A)), size_B = sqrt(square(B));
                const double complex R = fft_times(A, conj(B)) / (size_A * size_B + eps);

                s->other[i * n + k] = conj(R);
                of_Z += size_A * size_A + size_B * size_B;
                of_R += square(R);
                for (size_t c = 0; c < ALIGN_CLASSES; c++) {
                    const double eta = 4.0 * unit[c] * log_n * norm;
                    const double d = bin_error(size_A, size_B, eps, eta, unit[c]);
                    sums[c] += d;
                    squares[c] += d * d;
                }
            }
        s->energy[i] = of_Z / (double)n - s->norm[i];
        s->spectral[i] = of_R;
        for (size_t c = 0; c < ALIGN_CLASSES; c++)
            s->truth[i].slack[c] = fmin(sums[c], 8.0 * sqrt(2.0 * squares[c])) / (double)n +
                                   4.0 * unit[c] * log_n / sqrt((double)n) + 0x1p-24;
    }
}

static void find_peaks(void *context, size_t begin, size_t end)
{
    const struct surface *s = context;
    const size_t n = s->pixels;

    for (size_t i = begin; i < end; i++) {
        struct align_truth *truth = &s->truth[i];
        double *g = s->g + i * n, energy = 0.0;

        truth->peak = 0;
        truth->highest = -1.0;
        for (size_t at = 0; at < n; at++) {
            g[at] = sqrt(square(s->z[i * n + at])) / (double)n;
            energy += g[at] * g[at];
            if (g[at] > truth->highest) {
                truth->highest = g[at];
                truth->peak = at;
            }
        }
        s->spectral[i] -= energy * (double)n;
    }
}

/* --- is it sound? ---------------------------------------------------------------------------------- */

/* Compares some bins of Z, which has its columns as rows, with the definition. */
static void check_bins(void *context, size_t begin, size_t end)
{
    const struct surface *s = context;
    const size_t rows = s->p->rows, cols = s->p->cols;

    for (size_t item = begin; item < end; item++) {
        const size_t i = item / s->bins, at = (s->first + i) * s->pixels;
        const size_t k = (size_t)(random_unit(s->first + i, 1, item % s->bins) * (double)s->pixels);
        const size_t row_bin = k % rows, col_bin = k / rows;
        double complex sum = 0.0;

        for (size_t row = 0, turn = 0; row < rows; row++) {
            double complex part = 0.0;

            for (size_t col = 0, w = 0; col < cols; col++) {
                part += fft_times(CMPLX(s->p->a[at + row * cols + col], s->p->b[at + row * cols + col]), s->of_cols[w]);
                w = w + col_bin < cols ? w + col_bin : w + col_bin - cols;
            }
            sum += fft_times(part, s->of_rows[turn]);
            turn = turn + row_bin < rows ? turn + row_bin : turn + row_bin - rows;
        }
        s->strayed[item] = sqrt(square(sum - s->z[i * s->pixels + k]));
    }
}

static bool is_sound(const struct surface *s, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(s->energy[i]) <= 0x1p-32 * s->norm[i] && fabs(s->spectral[i]) <= 0x1p-32 * (double)s->pixels))
            return false;
        for (size_t bin = 0; bin < s->bins; bin++)
            if (!(s->strayed[i * s->bins + bin] <= 0x1p-32 * sqrt(s->norm[i])))
                return false;
    }
    return true;
}

/* --- all of it ------------------------------------------------------------------------------------- */

static bool compute(struct surface *s, size_t count)
{
    const size_t rows = s->p->rows, cols = s->p->cols;

    parallel_for(count * s->pixels, GRAIN, pack, s);
    if (!transform(s, count, rows, cols, s->of_rows, s->of_cols))
        return false;
    parallel_for(count * s->bins, 1, check_bins, s);
    parallel_for(count, 1, cross_power, s);
    double complex *R = s->other;
    s->other = s->z;
    s->z = R;
    if (!transform(s, count, cols, rows, s->of_cols, s->of_rows))
        return false;
    parallel_for(count, 1, find_peaks, s);
    return true;
}

bool align_surface(const struct align *p, size_t first, size_t count, double g[], struct align_truth truth[],
                   bool *sound)
{
    enum { BINS = 16 };
    struct surface s = {.p = p, .pixels = p->rows * p->cols, .first = first, .g = g, .truth = truth};

    s.bins = count < BINS ? BINS : 1;
    s.of_rows = fft_roots(p->rows);
    s.of_cols = fft_roots(p->cols);
    double complex *both = malloc(2 * (count * s.pixels + 1) * sizeof *both);
    double *numbers = calloc(count * (3 + s.bins) + 1, sizeof *numbers);
    bool done = s.of_rows != NULL && s.of_cols != NULL && both != NULL && numbers != NULL;

    if (done) {
        s.z = both;
        s.other = both + count * s.pixels;
        s.norm = numbers;
        s.energy = numbers + count;
        s.spectral = numbers + 2 * count;
        s.strayed = numbers + 3 * count;
        done = compute(&s, count);
        *sound = *sound && is_sound(&s, count);
    }
    free(s.of_rows);
    free(s.of_cols);
    free(both);
    free(numbers);
    return done;
}
