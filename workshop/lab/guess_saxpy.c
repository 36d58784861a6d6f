/* saxpy: the results of typical mistakes in a*x + y. */
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

static void want(const void *c, double *z)
{
    const struct saxpy *p = c;

    for (size_t i = 0; i < p->n; i++)
        z[i] = (double)p->a * p->x[i] + p->y[i];
}

static void no_y(const void *c, double *z)
{
    const struct saxpy *p = c;

    for (size_t i = 0; i < p->n; i++)
        z[i] = (double)p->a * p->x[i];
}

static void no_a(const void *c, double *z)
{
    const struct saxpy *p = c;

    for (size_t i = 0; i < p->n; i++)
        z[i] = (double)p->x[i] + p->y[i];
}

static void only_y(const void *c, double *z)
{
    const struct saxpy *p = c;

    for (size_t i = 0; i < p->n; i++)
        z[i] = p->y[i];
}

static void minus(const void *c, double *z)
{
    const struct saxpy *p = c;

    for (size_t i = 0; i < p->n; i++)
        z[i] = (double)p->a * p->x[i] - p->y[i];
}

static void a_times_both(const void *c, double *z)
{
    const struct saxpy *p = c;

    for (size_t i = 0; i < p->n; i++)
        z[i] = (double)p->a * ((double)p->x[i] + p->y[i]);
}

static void exchanged(const void *c, double *z)
{
    const struct saxpy *p = c;

    for (size_t i = 0; i < p->n; i++)
        z[i] = (double)p->a * p->y[i] + p->x[i];
}

static void x_for_y(const void *c, double *z)
{
    const struct saxpy *p = c;

    for (size_t i = 0; i < p->n; i++)
        z[i] = (double)p->a * p->x[i] + p->x[i];
}

static void y_for_x(const void *c, double *z)
{
    const struct saxpy *p = c;

    for (size_t i = 0; i < p->n; i++)
        z[i] = (double)p->a * p->y[i] + p->y[i];
}

static void first_a_x(const void *c, double *z)
{
    const struct saxpy *p = c;

    for (size_t i = 0; i < p->n; i++)
        z[i] = (double)p->a * p->x[0] + p->y[0];
}

static const struct guess guess[] = {
    {"term-missing", "what was computed is a*x, without the y", no_y},
    {"term-missing", "what was computed is x + y, without the a", no_a},
    {"not-computed", "z is a copy of y: the product is missing", only_y},
    {"wrong-sign", "what was computed is a*x - y", minus},
    {"wrong-brackets", "what was computed is a*(x + y)", a_times_both},
    {"exchanged", "x and y are exchanged: what was computed is a*y + x", exchanged},
    {"exchanged", "x stands in the place of y: what was computed is a*x + x", x_for_y},
    {"exchanged", "y stands in the place of x: what was computed is a*y + y", y_for_x},
    {"same-for-all", "every element is a*x[0] + y[0]", first_a_x},
    {NULL, NULL, NULL},
};

const struct guesses guesses_saxpy = {"saxpy", view, want, guess, NULL};
