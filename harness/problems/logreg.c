/* logreg: sizes, data, cost.  common/logreg.h defines the problem; logreg_judge.c is its judge. */
#include "common/logreg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/logreg.h"

enum { M, N };

static const struct member members[] = {
    SCALAR(logreg, m, MEMBER_U8),      SCALAR(logreg, n, MEMBER_U8),     SCALAR(logreg, lambda, MEMBER_F4),
    SCALAR(logreg, tau, MEMBER_F4),    INPUT(logreg, x, MEMBER_F4, "m,n"), INPUT(logreg, y, MEMBER_U1, "m"),
    OUTPUT(logreg, w, MEMBER_F4, "n+1"), {.name = NULL},
};

/* In the data of trouble() each remainder n % 5 meets another kind, so each kind has a size with hundreds of rows. */
static const struct size check_sizes[] = {
    {"no feature", {1, 0}},        {"one sample", {1, 1}},          {"fewer samples than features", {2, 3}},
    {"three samples", {3, 2}},     {"one feature", {33, 1}},        {"over a warp", {31, 33}},
    {"whole warps", {64, 32}},     {"prime, over a block", {257, 5}}, {"ten features", {1000, 10}},
    {"under a block", {1023, 31}}, {"over a block", {1025, 64}},    {"prime", {4099, 17}},
    {"long", {20011, 3}},          {"many features", {512, 200}},   {NULL, {0}},
};

/* S fits a second-level cache, M a third-level one and a GPU's shared memory.  L has the shape of the data set HIGGS. */
static const struct size bench_sizes[] = {
    {"S", {4096, 32}}, {"M", {65536, 32}}, {"L", {11000000, 28}}, {"XL", {1 << 24, 128}}, {NULL, {0}},
};

/* 128 KiB to 512 MiB. */
static const struct growth growth = {.from = {1 << 10, 32}, .grows = {true, false}, .to = 1 << 22};

static const char *impossible(const size_t dims[])
{
    return dims[M] == 0 ? "a mean of no samples does not exist" : NULL;
}

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct logreg *p = c;

    p->m = dims[M];
    p->n = dims[N];
    p->x = arena_input(arena, "x", p->m, p->n, sizeof *p->x);
    p->y = arena_input(arena, "y", p->m, 1, sizeof *p->y);
    p->w = arena_output(arena, "w", p->n + 1, 1, sizeof *p->w);
    p->lambda = p->tau = NAN; /* values, not sizes, so prepare must not see them */
}

/* --- data ------------------------------------------------------------------------------------- */

enum { COMMON, OWN, LABELS, SHARES, SCALES, RADII, ANGLES, PLACES }; /* streams of random numbers */

/* What the data are made from.  Columns share a common part, so they are correlated, and have unequal scales. */
struct model {
    const struct logreg *p;
    uint64_t seed;
    float *x;
    uint8_t *y;
    double *share, *own, *scale, *w; /* [n]: share of the common part, of the own one, 2^e, the weights behind it */
};

/* A normal number (G. Box, M. Muller, Ann. Math. Stat. 29(2), 1958). */
static double normal(uint64_t seed, size_t i)
{
    return sqrt(-2.0 * log(1.0 - random_unit(seed, RADII, i))) * cos(2.0 * M_PI * random_unit(seed, ANGLES, i));
}

static bool model_open(struct model *model, const struct logreg *p, uint64_t seed)
{
    double *numbers = malloc((4 * p->n + 1) * sizeof *numbers);

    *model = (struct model){p, seed, (float *)p->x, (uint8_t *)p->y, numbers, numbers + p->n, numbers + 2 * p->n,
                            numbers + 3 * p->n};
    if (numbers == NULL)
        return false;
    for (size_t j = 0; j < p->n; j++) {
        model->share[j] = 0.6 * (2.0 * random_unit(seed, SHARES, j) - 1.0);
        model->own[j] = sqrt(3.0 - 3.0 * model->share[j] * model->share[j]);
        model->scale[j] = (double)(1U << random_bits(seed, SCALES, j) % 3) / 2.0;
        model->w[j] = 1.5 / sqrt((double)p->n) / model->scale[j] * normal(seed, j);
    }
    return true;
}

/* The margin of the row as it is stored, by the weights behind the data. */
static double margin(const struct model *m, size_t i)
{
    const size_t n = m->p->n;
    double sum = -0.3;

    for (size_t j = 0; j < n; j++)
        sum += (double)m->x[i * n + j] * m->w[j];
    return sum;
}

static void fill_rows(void *context, size_t begin, size_t end)
{
    const struct model *m = context;
    const size_t n = m->p->n;

    for (size_t i = begin; i < end; i++) {
        const double common = sqrt(3.0) * (2.0 * random_unit(m->seed, COMMON, i) - 1.0);
        for (size_t j = 0; j < n; j++) {
            const double own = 2.0 * random_unit(m->seed, OWN, i * n + j) - 1.0;
            m->x[i * n + j] = (float)(m->scale[j] * (m->share[j] * common + m->own[j] * own));
        }
        m->y[i] = random_unit(m->seed, LABELS, i) < 1.0 / (1.0 + exp(-margin(m, i)));
    }
}

static void fill(void *c, uint64_t seed)
{
    enum { GRAIN = 1024 };
    struct logreg *p = c;
    struct model model;

    p->lambda = (float)(1.0 / (double)p->m);
    p->tau = 1e-4f;
    if (!model_open(&model, p, seed))
        abort();
    parallel_for(p->m, GRAIN, fill_rows, &model);
    free(model.share);
}

/* --- awkward data ----------------------------------------------------------------------------- */

enum { ORDINARY, SEPARABLE, ONE_LABEL, COLUMNS, LARGE, KINDS };

/* Labels that a plane separates, and one row in eight far from it: exp of its margin is beyond float32. */
static void separate(const struct model *m)
{
    const size_t n = m->p->n;

    for (size_t i = 0; i < m->p->m; i++) {
        for (size_t j = 0; j < n && i % 8 == 5; j++)
            m->x[i * n + j] *= 128.0f;
        m->y[i] = margin(m, i) > 0.0;
    }
}

/* A column of ones, which does what the intercept does, one of zeros, and two that are equal. */
static void set_columns(const struct model *m)
{
    const size_t n = m->p->n;

    for (size_t i = 0; i < m->p->m && n > 0; i++) {
        float *row = m->x + i * n;
        row[0] = 1.0f;
        row[n - 1] = n > 1 ? 0.0f : row[n - 1];
        row[n / 2] = n > 2 ? row[1] : row[n / 2];
    }
}

static void trouble(void *c, uint64_t seed)
{
    enum { MOST = 1 << 22 };
    struct logreg *p = c;
    struct model model;

    if (p->m * (p->n + 1) > MOST || !model_open(&model, p, seed))
        return;
    switch ((p->n + seed) % KINDS) {
    case SEPARABLE: separate(&model); break;
    case ONE_LABEL: memset(model.y, 1, p->m); break;
    case COLUMNS: set_columns(&model); break;
    case LARGE:
        for (size_t i = 0; i < p->m && p->n > 0; i++)
            model.x[i * p->n + p->n / 2] *= 32.0f;
        break;
    case ORDINARY: break;
    }
    free(model.share);
}

/* A number so far from the others that it moves the gradient beyond tau, or the other label. */
static void touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed)
{
    const struct logreg *p = c;
    const double far = (4.0 + (double)p->m * 0x1p-10) * (1.0 + random_unit(seed, PLACES, 0));
    const float value = (float)(random_bits(seed, PLACES, 1) % 2 == 0 ? far : -far);
    const uint8_t label = (uint8_t)(1 - p->y[array->element == sizeof label ? index : 0]);

    if (array->element == sizeof label)
        memcpy(element, &label, sizeof label);
    else
        memcpy(element, &value, sizeof value);
}

/* Of one evaluation: how many a method needs is its own matter. */
static struct cost cost(const size_t dims[])
{
    const double m = (double)dims[M], n = (double)dims[N];

    return (struct cost){.flops = 4.0 * m * n, .bytes = 4.0 * m * n + m + 4.0 * (n + 1.0), .specials = m, .items = m};
}

PROBLEM(.formula = "w that minimises the mean of log(1 + exp(-s x.w)), to a gradient of tau", .axes = {"m", "n"},
        .rate = RATE_BYTES, .item = "samples", .check_sizes = check_sizes, .bench_sizes = bench_sizes,
        .growth = &growth, .case_bytes = sizeof(struct logreg), .members = members, .impossible = impossible,
        .shape = shape, .fill = fill, .trouble = trouble, .solve = logreg_solve, .judge = logreg_judge,
        .touch = touch, .cost = cost, .data = &logreg_data, .extra = true)
