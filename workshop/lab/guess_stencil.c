/* stencil: the results of typical mistakes: too few or too many steps, means of other neighbours. */
#include "common/stencil.h"

#include <stdlib.h>
#include <string.h>

#include "workshop/lab/pattern.h"

static bool view(const void *c, struct view *v)
{
    const struct stencil *p = c;

    v->array = "out";
    v->rows = p->rows;
    v->cols = p->cols;
    v->got = p->out;
    v->scale = 0.1; /* a smoothed value may be much smaller than the pixels that were added up for it */
    return !p->bytes;
}

/* Which pixels the mean is of: all nine, or those of a mistake. */
enum rule { NINE, FIVE, EIGHT, ROW, IN_PLACE };

static double mean(const double *in, size_t cols, enum rule rule)
{
    const double *up = in - cols, *down = in + cols;
    double row = in[-1] + in[0] + in[1];

    switch (rule) {
    case FIVE: return (up[0] + row + down[0]) / 5.0;
    case EIGHT: return (up[-1] + up[0] + up[1] + in[-1] + in[1] + down[-1] + down[0] + down[1]) / 8.0;
    case ROW: return row / 3.0;
    default: return (up[-1] + up[0] + up[1] + row + down[-1] + down[0] + down[1]) / 9.0;
    }
}

static void sweeps(const struct stencil *p, size_t count, enum rule rule, double *out)
{
    const size_t pixels = p->rows * p->cols;
    double *from = malloc((pixels + 1) * sizeof *from);

    for (size_t i = 0; i < pixels; i++)
        out[i] = p->in[i];
    for (size_t sweep = 0; from != NULL && sweep < count; sweep++) {
        memcpy(from, out, pixels * sizeof *from);
        for (size_t r = 1; r + 1 < p->rows; r++)
            for (size_t c = 1; c + 1 < p->cols; c++) {
                size_t i = r * p->cols + c;
                out[i] = mean((rule == IN_PLACE ? out : from) + i, p->cols, rule);
            }
    }
    free(from);
}

static void want(const void *c, double *out)
{
    const struct stencil *p = c;

    sweeps(p, p->sweeps, NINE, out);
}

static void none(const void *c, double *out)
{
    sweeps(c, 0, NINE, out);
}

static void one(const void *c, double *out)
{
    sweeps(c, 1, NINE, out);
}

static void one_less(const void *c, double *out)
{
    const struct stencil *p = c;

    sweeps(p, p->sweeps > 0 ? p->sweeps - 1 : 0, NINE, out);
}

static void one_more(const void *c, double *out)
{
    const struct stencil *p = c;

    sweeps(p, p->sweeps + 1, NINE, out);
}

static void five(const void *c, double *out)
{
    const struct stencil *p = c;

    sweeps(p, p->sweeps, FIVE, out);
}

static void eight(const void *c, double *out)
{
    const struct stencil *p = c;

    sweeps(p, p->sweeps, EIGHT, out);
}

static void row(const void *c, double *out)
{
    const struct stencil *p = c;

    sweeps(p, p->sweeps, ROW, out);
}

static void in_place(const void *c, double *out)
{
    const struct stencil *p = c;

    sweeps(p, p->sweeps, IN_PLACE, out);
}

static const struct guess guess[] = {
    {"not-computed", "the result is the image as it was before the first step", none},
    {"one-step", "the result is the image after one step: the steps do not build on each other", one},
    {"step-missing", "the result is the image one step too early", one_less},
    {"step-too-many", "the result is the image one step too late", one_more},
    {"wrong-neighbours", "the mean is of five pixels: the four corners are missing", five},
    {"wrong-neighbours", "the mean is of eight pixels: the one in the middle is missing", eight},
    {"wrong-neighbours", "the mean is of three pixels: the rows above and below are missing", row},
    {"in-place", "pixels were changed before their neighbours had used the old values", in_place},
    {NULL, NULL, NULL},
};

const struct guesses guesses_stencil = {"stencil", view, want, guess, NULL};
