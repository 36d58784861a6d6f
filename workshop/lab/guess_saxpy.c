/* saxpy: the results of typical mistakes in a*x + y. */
#include <math.h>

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
FORMULA(whole_a, trunc(a) * X(i) + Y(i))
FORMULA(whole_all, trunc(a * X(i) + Y(i)))
FORMULA(block_of_x, a * X(i % 256) + Y(i))
FORMULA(block_of_y, a * X(i) + Y(i % 256))
FORMULA(block_of_both, a * X(i % 256) + Y(i % 256))

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
    {"same-for-all", "every element is a*x[0] + y[0]", first_of_both},
    {"same-for-all", "element i is a*x[0] + y[i]: x has always the index 0", first_x},
    {"same-for-all", "element i is a*x[i] + y[0]: y has always the index 0", first_y},
    {"off-by-one", "element i is a*x[i + 1] + y[i]: the index of x is one too large", next_x},
    {"off-by-one", "element i is a*x[i] + y[i + 1]: the index of y is one too large", next_y},
    {"off-by-one", "element i is a*x[i - 1] + y[i]: the index of x is one too small", last_x},
    {"off-by-one", "element i is a*x[i] + y[i - 1]: the index of y is one too small", last_y},
    {"cut-off", "what was computed has the whole part of a: its fraction was cut off", whole_a},
    {"cut-off", "every element is a whole number: the fractions were cut off", whole_all},
    {"wrong-part", "element i is a*x[i % 256] + y[i]: the index of x begins anew in each block", block_of_x},
    {"wrong-part", "element i is a*x[i] + y[i % 256]: the index of y begins anew in each block", block_of_y},
    {"wrong-part", "the indices of x and y begin anew in each block of 256", block_of_both},
    {NULL, NULL, NULL},
};

const struct guesses guesses_saxpy = {.problem = "saxpy", .view = view, .want = want, .guess = guess};
