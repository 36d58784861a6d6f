/* saxpy: the results of typical mistakes in a*x + y. */
#include <math.h>
#include <stdio.h>

#include "common/saxpy.h"
#include "workshop/lab/pattern.h"

static bool view(const void *c, struct view *v)
{
    const struct saxpy *p = c;

    v->array = "z";
    v->rows = 1;
    v->cols = p->n;
    v->got = p->z;
    v->scale = 2.0;
    return true;
}

/* Each mistake is a formula for element i of z.  One that reads past the arrays is NaN there. */
static double at(const float *array, size_t n, size_t i)
{
    return i < n ? array[i] : NAN;
}

#define FORMULA(name, formula)                                                                     \
    static void name(const void *c, double *z)                                                     \
    {                                                                                              \
        const struct saxpy *p = c;                                                                 \
        const double a = p->a;                                                                     \
                                                                                                   \
        (void)a; /* some leave it out */                                                           \
        for (size_t i = 0; i < p->n; i++)                                                          \
            z[i] = formula;                                                                        \
    }
#define X(i) at(p->x, p->n, i)
#define Y(i) at(p->y, p->n, i)

FORMULA(want, a * X(i) + Y(i))
FORMULA(no_y, a * X(i))
FORMULA(no_a, X(i) + Y(i))
FORMULA(only_y, Y(i))
FORMULA(only_x, X(i))
FORMULA(minus, a * X(i) - Y(i))
FORMULA(minus_product, Y(i) - a * X(i))
FORMULA(a_times_both, a * (X(i) + Y(i)))
FORMULA(product_of_all, a * X(i) * Y(i))
FORMULA(a_added, a + X(i) * Y(i))
FORMULA(all_added, a + X(i) + Y(i))
FORMULA(exchanged, a * Y(i) + X(i))
FORMULA(x_for_y, a * X(i) + X(i))
FORMULA(y_for_x, a * Y(i) + Y(i))
FORMULA(first_of_both, a * X(0) + Y(0))
FORMULA(first_x, a * X(0) + Y(i))
FORMULA(first_y, a * X(i) + Y(0))
FORMULA(next_x, a * X(i + 1) + Y(i))
FORMULA(next_y, a * X(i) + Y(i + 1))
FORMULA(last_x, a * X(i - 1) + Y(i))
FORMULA(last_y, a * X(i) + Y(i - 1))
FORMULA(x_from_end, a * X(p->n - 1 - i) + Y(i))
FORMULA(y_from_end, a * X(i) + Y(p->n - 1 - i))
FORMULA(whole_a, trunc(a) * X(i) + Y(i))
FORMULA(whole_all, trunc(a * X(i) + Y(i)))
FORMULA(block_of_x, a * X(i % 256) + Y(i))
FORMULA(block_of_y, a * X(i) + Y(i % 256))
FORMULA(block_of_both, a * X(i % 256) + Y(i % 256))

/* A variable that is added to in each turn, and never set back. */
static void running_products(const void *c, double *z)
{
    const struct saxpy *p = c;
    double sum = 0.0;

    for (size_t i = 0; i < p->n; i++)
        z[i] = (sum += (double)p->a * p->x[i]) + p->y[i];
}

static void running_results(const void *c, double *z)
{
    const struct saxpy *p = c;
    double sum = 0.0;

    for (size_t i = 0; i < p->n; i++)
        z[i] = sum += (double)p->a * p->x[i] + p->y[i];
}

static const struct guess guess[] = {
    {"term-missing", "what was computed is a*x, without the y", no_y},
    {"term-missing", "what was computed is x + y, without the a", no_a},
    {"not-computed", "z is a copy of y: the product is missing", only_y},
    {"not-computed", "z is a copy of x: the factor and y are missing", only_x},
    {"wrong-sign", "what was computed is a*x - y", minus},
    {"wrong-sign", "what was computed is y - a*x", minus_product},
    {"wrong-brackets", "what was computed is a*(x + y)", a_times_both},
    {"wrong-operator", "what was computed is a*x*y: y is multiplied, and not added", product_of_all},
    {"wrong-operator", "what was computed is a + x*y", a_added},
    {"wrong-operator", "what was computed is a + x + y: a is added, and not multiplied", all_added},
    {"exchanged", "x and y are exchanged: what was computed is a*y + x", exchanged},
    {"exchanged", "x stands in the place of y: what was computed is a*x + x", x_for_y},
    {"exchanged", "y stands in the place of x: what was computed is a*y + y", y_for_x},
    {"not-reset", "element i is the sum of a*x of all elements up to i, and y[i]: what was added up before is not set back", running_products},
    {"not-reset", "element i is the sum of all results up to i: what was added up before is not set back", running_results},
    {"same-for-all", "every element is a*x[0] + y[0]", first_of_both},
    {"same-for-all", "element i is a*x[0] + y[i]: x has always the index 0", first_x},
    {"same-for-all", "element i is a*x[i] + y[0]: y has always the index 0", first_y},
    {"off-by-one", "element i is a*x[i + 1] + y[i]: the index of x is one too large", next_x},
    {"off-by-one", "element i is a*x[i] + y[i + 1]: the index of y is one too large", next_y},
    {"off-by-one", "element i is a*x[i - 1] + y[i]: the index of x is one too small", last_x},
    {"off-by-one", "element i is a*x[i] + y[i - 1]: the index of y is one too small", last_y},
    {"reversed", "element i is a*x[n - 1 - i] + y[i]: x is read from its end", x_from_end},
    {"reversed", "element i is a*x[i] + y[n - 1 - i]: y is read from its end", y_from_end},
    {"cut-off", "what was computed has the whole part of a: its fraction was cut off", whole_a},
    {"cut-off", "every element is a whole number: the fractions were cut off", whole_all},
    {"wrong-part", "element i is a*x[i % 256] + y[i]: the index of x begins anew in each block", block_of_x},
    {"wrong-part", "element i is a*x[i] + y[i % 256]: the index of y begins anew in each block", block_of_y},
    {"wrong-part", "the indices of x and y begin anew in each block of 256", block_of_both},
    {NULL, NULL, NULL},
};

/* --- the factors by which x and y were added up --------------------------------------------------- */

enum { TERMS = 3 }; /* x, y, and what is the same for all elements */

/* Solves a system of TERMS equations in place; the solution stands in the last column.  Returns false if it has no single solution. */
static bool solve(double e[TERMS][TERMS + 1])
{
    for (int k = 0; k < TERMS; k++) {
        if (fabs(e[k][k]) < 1e-9)
            return false;
        for (int r = 0; r < TERMS; r++) {
            const double factor = e[r][k] / e[k][k];
            for (int c = k; r != k && c <= TERMS; c++)
                e[r][c] -= factor * e[k][c];
        }
    }
    for (int k = 0; k < TERMS; k++)
        e[k][TERMS] /= e[k][k];
    return true;
}

/* Finds the factors by least squares.  Returns false if there are none by which all elements come out. */
static bool find_factors(const struct saxpy *p, const struct view *v, double factor[TERMS])
{
    enum { ENOUGH = 8 };
    double e[TERMS][TERMS + 1] = {{0.0}};

    for (size_t i = 0; i < p->n; i++) {
        const double term[] = {p->x[i], p->y[i], 1.0, p->z[i]};
        for (int r = 0; r < TERMS; r++)
            for (int c = 0; c <= TERMS; c++)
                e[r][c] += term[r] * term[c];
    }
    if (p->n < ENOUGH || !solve(e))
        return false;
    for (int k = 0; k < TERMS; k++)
        factor[k] = e[k][TERMS];
    for (size_t i = 0; i < p->n; i++)
        if (!(fabs(factor[0] * p->x[i] + factor[1] * p->y[i] + factor[2] - p->z[i]) <= 10.0 * v->error * v->scale))
            return false;
    return true;
}

/* Says what a factor is: a, or a number. */
static const char *words(double factor, double a, char *text, size_t room)
{
    const struct {
        double value;
        const char *name;
    } known[] = {{1.0, "1"}, {0.0, "0"}, {-1.0, "-1"}, {a, "a"}, {-a, "-a"}, {a * a, "a * a"}, {1.0 + a, "1 + a"}, {1.0 - a, "1 - a"}, {1.0 / a, "1 / a"}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (fabs(factor - known[i].value) <= 1e-4 * (1.0 + fabs(factor)))
            return known[i].name;
    snprintf(text, room, "%.5g", factor);
    return text;
}

/* Finds the element whose a*x was added to y everywhere. */
static bool same_product(const struct saxpy *p, double product, struct mistake *m)
{
    for (size_t j = p->n; j-- > 0;) {
        if (fabs((double)p->a * p->x[j] - product) > 1e-5 * (1.0 + fabs(product)))
            continue;
        mistake_set(m, "same-for-all");
        mistake_add(m, "every element is a*x[%zu] + y[i], with the x of one element%s: the product is the same number for all of them", j,
                    j + 1 == p->n ? ", the last one" : "");
        return true;
    }
    return false;
}

static bool last_look(const void *c, const struct view *v, struct mistake *m)
{
    const struct saxpy *p = c;
    double factor[TERMS];
    char of_x[24], of_y[24], rest[24];

    if (v->untouched > 0 || !find_factors(p, v, factor))
        return false;
    if (v->count > 8 && fabs(factor[0]) < 1e-4 && fabs(factor[1] - 1.0) < 1e-4 && same_product(p, factor[2], m)) {
        m->explains = v->wrong_count;
        return true;
    }
    mistake_set(m, "wrong-operator");
    mistake_add(m, "what was computed is (%s) * x + (%s) * y + (%s), and not (a) * x + (1) * y + (0)", words(factor[0], p->a, of_x, sizeof of_x),
                words(factor[1], p->a, of_y, sizeof of_y), words(factor[2], p->a, rest, sizeof rest));
    m->explains = v->wrong_count;
    return true;
}

/* Finds inputs whose index begins anew after each part of the result: from the first wrong element on. */
static bool begins_anew(const void *c, const struct view *v, struct mistake *m)
{
    enum { ENOUGH = 32, BLOCK = 256 };
    const struct saxpy *p = c;
    const size_t part = result_first_wrong(v);
    bool of_x = true, of_y = true;

    if (v->untouched > 0 || part < ENOUGH || part == BLOCK || v->wrong_count < ENOUGH) /* blocks have guesses of their own */
        return false;
    for (size_t i = 0; i < p->n; i++) {
        of_x = of_x && result_close(v, p->z[i], (double)p->a * p->x[i % part] + p->y[i]);
        of_y = of_y && result_close(v, p->z[i], (double)p->a * p->x[i] + p->y[i % part]);
    }
    if (of_x == of_y)
        return false;
    mistake_set(m, "wrong-part");
    mistake_add(m, "element i is a*x[%s] + y[%s]: after each %zu elements the index of %s begins anew, and the other one goes on",
                of_x ? "i % part" : "i", of_y ? "i % part" : "i", part, of_x ? "x" : "y");
    m->explains = v->wrong_count;
    return true;
}

const struct guesses guesses_saxpy = {
    .problem = "saxpy", .view = view, .want = want, .guess = guess, .look = begins_anew, .last_look = last_look};
