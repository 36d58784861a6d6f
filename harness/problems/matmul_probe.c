#include "harness/problems/matmul_probe.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/matmul.h"

enum { CHUNK = 1 << 17 }; /* multiplications in a chunk: a tenth of a millisecond */
enum { LINES = 64 };      /* columns in a chunk that has all rows: a multiple of VECTORS */

struct work {
    const struct matmul *p;
    struct probe *probe;
    uint64_t seed;
    double *inner; /* B*r, [k][VECTORS][across]; or r*A, [k][down][VECTORS] */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t strips(size_t count)
{
    return (count + STRIP - 1) / STRIP;
}

size_t probe_numbers(const struct matmul *p)
{
    return (1 + VECTORS) * (p->m + p->n) + strips(p->m) + strips(p->n) + p->m * strips(p->n) + strips(p->m) * p->n;
}

/* --- lengths ---------------------------------------------------------------------------------- */

/* Rows of zeros get a length so small that only zero is accepted there. */
static const double NO_LENGTH = 0x1p-100;

static double length(double squares)
{
    return fmax(sqrt(squares), NO_LENGTH);
}

static void add_scales(const double norm[], size_t count, double scale[])
{
    for (size_t q = 0; q < strips(count); q++)
        scale[q] = 0.0;
    for (size_t i = 0; i < count; i++)
        scale[i / STRIP] += norm[i] > NO_LENGTH ? 1.0 / norm[i] : 0.0;
}

static void measure_rows(void *context, size_t begin, size_t end)
{
    const struct work *w = context;
    const size_t k = w->p->k;

    for (size_t i = begin; i < end; i++) {
        const float *a = w->p->a + i * k;
        double sum = 0.0;

#pragma omp simd reduction(+ : sum)
        for (size_t l = 0; l < k; l++)
            sum += (double)a[l] * a[l];
        w->probe->a_norm[i] = length(sum);
    }
}

static void measure_columns(void *context, size_t begin, size_t end)
{
    const struct work *w = context;
    double *norm = w->probe->b_norm;

    for (size_t j = begin; j < end; j++)
        norm[j] = 0.0;
    for (size_t l = 0; l < w->p->k; l++) {
        const float *b = w->p->b + l * w->p->n;

#pragma omp simd
        for (size_t j = begin; j < end; j++)
            norm[j] += (double)b[j] * b[j];
    }
    for (size_t j = begin; j < end; j++)
        norm[j] = length(norm[j]);
}

void probe_begin(struct probe *probe, const struct matmul *p, double numbers[])
{
    struct work w = {.p = p, .probe = probe};

    probe->across = strips(p->n);
    probe->down = strips(p->m);
    probe->a_norm = numbers;
    probe->b_norm = probe->a_norm + p->m;
    probe->row_scale = probe->b_norm + p->n;
    probe->column_scale = probe->row_scale + probe->across;
    probe->row_weight = probe->column_scale + probe->down;
    probe->column_weight = probe->row_weight + VECTORS * p->n;
    probe->row_sum = probe->column_weight + VECTORS * p->m;
    probe->column_sum = probe->row_sum + p->m * probe->across;
    parallel_for(p->m, CHUNK / (p->k + 1) + 1, measure_rows, &w);
    parallel_for(p->n, LINES, measure_columns, &w);
    add_scales(probe->b_norm, p->n, probe->row_scale);
    add_scales(probe->a_norm, p->m, probe->column_scale);
}

/* --- C*r = A*(B*r) ---------------------------------------------------------------------------- */

static double sign(uint64_t seed, uint64_t stream, size_t i)
{
    return random_bits(seed, stream, i) >> 63 ? 1.0 : -1.0;
}

/* Rows of B. */
static void inner_of_rows(void *context, size_t begin, size_t end)
{
    const struct work *w = context;
    const size_t n = w->p->n, across = w->probe->across;

    for (size_t l = begin; l < end; l++)
        for (size_t v = 0; v < VECTORS; v++)
            for (size_t q = 0; q < across; q++) {
                const float *b = w->p->b + l * n;
                const double *weight = w->probe->row_weight + v * n;
                const size_t stop = least((q + 1) * STRIP, n);
                double sum = 0.0;

#pragma omp simd reduction(+ : sum)
                for (size_t j = q * STRIP; j < stop; j++)
                    sum += weight[j] * b[j];
                w->inner[(l * VECTORS + v) * across + q] = sum;
            }
}

/* Rows of A, AT_ONCE of them, because each time all of B*r is read. */
static void outer_of_rows(void *context, size_t begin, size_t end)
{
    enum { AT_ONCE = 32 };
    const struct work *w = context;
    const size_t k = w->p->k, across = w->probe->across;

    for (size_t first = begin; first < end; first += AT_ONCE) {
        const size_t stop = least(end, first + AT_ONCE);

        for (size_t at = first * across; at < stop * across; at++)
            w->probe->row_sum[at] = 0.0;
        for (size_t l = 0; l < k; l++)
            for (size_t i = first; i < stop; i++) {
                const double a = w->p->a[i * k + l];
                const double *inner = w->inner + (l * VECTORS + i % VECTORS) * across;
                double *sum = w->probe->row_sum + i * across;

#pragma omp simd
                for (size_t q = 0; q < across; q++)
                    sum[q] += a * inner[q];
            }
    }
}

/* --- r*C = (r*A)*B ---------------------------------------------------------------------------- */

/* Columns of A. */
static void inner_of_columns(void *context, size_t begin, size_t end)
{
    const struct work *w = context;
    const size_t m = w->p->m, k = w->p->k, down = w->probe->down;

    for (size_t q = 0; q < down; q++) {
        double sum[LINES][VECTORS] = {{0.0}};

        for (size_t i = q * STRIP; i < least((q + 1) * STRIP, m); i++) {
            const double *weight = w->probe->column_weight + i * VECTORS;

            for (size_t l = begin; l < end; l++) {
                const double a = w->p->a[i * k + l];
#pragma omp simd
                for (size_t v = 0; v < VECTORS; v++)
                    sum[l - begin][v] += a * weight[v];
            }
        }
        for (size_t l = begin; l < end; l++)
            for (size_t v = 0; v < VECTORS; v++)
                w->inner[(l * down + q) * VECTORS + v] = sum[l - begin][v];
    }
}

/* Columns of B. */
static void outer_of_columns(void *context, size_t begin, size_t end)
{
    const struct work *w = context;
    const size_t n = w->p->n, down = w->probe->down;

    for (size_t q = 0; q < down; q++)
        for (size_t j = begin; j < end; j++)
            w->probe->column_sum[q * n + j] = 0.0;
    for (size_t l = 0; l < w->p->k; l++)
        for (size_t q = 0; q < down; q++) {
            const double *inner = w->inner + (l * down + q) * VECTORS;
            const float *b = w->p->b + l * n;
            double *sum = w->probe->column_sum + q * n;

            for (size_t first = begin; first < end; first += VECTORS) {
                const size_t count = least(VECTORS, end - first);
#pragma omp simd
                for (size_t v = 0; v < count; v++)
                    sum[first + v] += inner[v] * b[first + v];
            }
        }
}

/* --- both ------------------------------------------------------------------------------------- */

bool probe_draw(struct probe *probe, const struct matmul *p, uint64_t seed)
{
    const size_t most = probe->across > probe->down ? probe->across : probe->down;
    struct work w = {p, probe, seed, malloc((p->k * VECTORS * most + 1) * sizeof *w.inner)};

    if (w.inner == NULL)
        return false;
    for (size_t v = 0; v < VECTORS; v++) {
        for (size_t j = 0; j < p->n; j++)
            probe->row_weight[v * p->n + j] = sign(seed, STREAM_ROW_SIGN + v, j) / probe->b_norm[j];
        for (size_t i = 0; i < p->m; i++)
            probe->column_weight[i * VECTORS + v] =
                sign(seed, STREAM_COLUMN_SIGN + v, i) / probe->a_norm[i];
    }
    parallel_for(p->k, CHUNK / (VECTORS * p->n + 1) + 1, inner_of_rows, &w);
    parallel_for(p->m, VECTORS * (CHUNK / (VECTORS * (p->k * probe->across + 1)) + 1),
                 outer_of_rows, &w);
    parallel_for(p->k, LINES, inner_of_columns, &w);
    parallel_for(p->n, LINES, outer_of_columns, &w);
    free(w.inner);
    return true;
}
