/* stencil: the results of typical mistakes: too few or too many steps, means of other neighbours. */
#include "common/stencil.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/guess_halos.h"
#include "workshop/lab/pattern.h"

static bool view(const void *c, struct view *v)
{
    const struct stencil *p = c;

    v->array = "out";
    v->image = true;
    v->rows = p->rows;
    v->cols = p->cols;
    v->got = p->out;
    v->scale = 0.1; /* a smoothed value may be much smaller than the pixels that were added up for it */
    return !p->bytes;
}

/* Which pixels the mean is of: all nine, or those of a mistake. */
enum rule { NINE, FIVE, EIGHT, ROW, EACH_TURN, IN_PLACE, ROWS_APART, UP_APART, DOWN_APART };

/* The sum is divided by 9 behind each of the nine pixels, row by row. */
static double divided_each_turn(const double *up, const double *in, const double *down)
{
    const double *const row[] = {up - 1, in - 1, down - 1};
    double sum = 0.0;

    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            sum = (sum + row[r][c]) / 9.0;
    return sum;
}

/* A row is `cols` long; by mistake the rows above and below, or one of them, are taken `rows` away. */
static double mean(const double *in, size_t rows, size_t cols, enum rule rule)
{
    const double *up = in - (rule == ROWS_APART || rule == UP_APART ? rows : cols);
    const double *down = in + (rule == ROWS_APART || rule == DOWN_APART ? rows : cols);
    double row = in[-1] + in[0] + in[1];

    switch (rule) {
    case FIVE: return (up[0] + row + down[0]) / 5.0;
    case EIGHT: return (up[-1] + up[0] + up[1] + in[-1] + in[1] + down[-1] + down[0] + down[1]) / 8.0;
    case ROW: return row / 3.0;
    case EACH_TURN: return divided_each_turn(up, in, down);
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
                out[i] = mean((rule == IN_PLACE ? out : from) + i, p->rows, p->cols, rule);
            }
    }
    free(from);
}

static void want(const void *c, double *out)
{
    const struct stencil *p = c;

    sweeps(p, p->sweeps, NINE, out);
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

static void each_turn(const void *c, double *out)
{
    const struct stencil *p = c;

    sweeps(p, p->sweeps, EACH_TURN, out);
}

static void in_place(const void *c, double *out)
{
    const struct stencil *p = c;

    sweeps(p, p->sweeps, IN_PLACE, out);
}

static void taken_apart(const struct stencil *p, enum rule rule, double *out)
{
    if (p->rows < p->cols) /* else some of them are outside of the image */
        sweeps(p, p->sweeps, rule, out);
    else
        for (size_t i = 0; i < p->rows * p->cols; i++)
            out[i] = NAN;
}

static void rows_apart(const void *c, double *out)
{
    taken_apart(c, ROWS_APART, out);
}

static void up_apart(const void *c, double *out)
{
    taken_apart(c, UP_APART, out);
}

static void down_apart(const void *c, double *out)
{
    taken_apart(c, DOWN_APART, out);
}

/* --- the weights of the nine pixels, and of those around them ------------------------------------- */

enum { ACROSS = 5, PIXELS = ACROSS * ACROSS, NINE_PIXELS = 9, MOST_EQUATIONS = 4000 };

static double pixel(const struct stencil *p, size_t i, int k)
{
    return p->in[i + (size_t)(k / ACROSS) * p->cols + (size_t)(k % ACROSS) - 2 * p->cols - 2];
}

/* Solves a system of PIXELS equations in place.  Returns false if it has no single solution. */
static bool solve(double a[PIXELS][PIXELS + 1])
{
    for (int k = 0; k < PIXELS; k++) {
        int most = k;
        for (int r = k + 1; r < PIXELS; r++)
            if (fabs(a[r][k]) > fabs(a[most][k]))
                most = r;
        if (fabs(a[most][k]) < 1e-9)
            return false;
        for (int c = 0; c <= PIXELS; c++) {
            const double other = a[most][c];
            a[most][c] = a[k][c];
            a[k][c] = other;
        }
        for (int r = 0; r < PIXELS; r++)
            for (int c = PIXELS; r != k && c >= k; c--)
                a[r][c] -= a[k][c] * a[r][k] / a[k][k];
    }
    for (int k = 0; k < PIXELS; k++)
        a[k][PIXELS] /= a[k][k];
    return true;
}

/* Returns whether pixel k is one of the nine. */
static bool is_near(int k)
{
    return k / ACROSS > 0 && k / ACROSS < ACROSS - 1 && k % ACROSS > 0 && k % ACROSS < ACROSS - 1;
}

/* Returns whether nine pixels were added up, and all of them are in the same row. */
static bool is_one_row(const double weight[])
{
    double all = 0.0, others = 0.0;

    for (int k = 0; k < PIXELS; k++) {
        all += 9.0 * weight[k];
        others += k / ACROSS == 2 ? 0.0 : fabs(9.0 * weight[k]);
    }
    return fabs(all - 9.0) < 0.1 && others < 0.1;
}

/* Returns where pixel k is, such as "above left". */
static const char *where(int k, char *text, size_t room)
{
    const int down = k / ACROSS - 2, right = k % ACROSS - 2;

    snprintf(text, room, "%s%s%s%s%s", abs(down) > 1 ? "two rows " : "", down < 0 ? "above" : down > 0 ? "below" : right != 0 ? "" : "in the middle",
             down != 0 && right != 0 ? " " : "", abs(right) > 1 ? "two columns " : "", right < 0 ? "left" : right > 0 ? "right" : "");
    return text;
}

/* Finds the weights with which one step has added up its pixels, by least squares.  Returns false if there are no
   weights that fit. */
static bool find_weights(const struct stencil *p, double weight[PIXELS])
{
    double a[PIXELS][PIXELS + 1] = {{0.0}};
    size_t used = 0;

    for (size_t r = 2; r + 2 < p->rows; r++)
        for (size_t c = 2; c + 2 < p->cols && used < MOST_EQUATIONS; c++, used++)
            for (int k = 0; k < PIXELS; k++) {
                const size_t i = r * p->cols + c;
                for (int l = 0; l < PIXELS; l++)
                    a[k][l] += pixel(p, i, k) * pixel(p, i, l);
                a[k][PIXELS] += pixel(p, i, k) * p->out[i];
            }
    if (used < 10 * PIXELS || !solve(a))
        return false;
    for (int k = 0; k < PIXELS; k++)
        weight[k] = a[k][PIXELS];
    for (size_t r = 2, left = used; r + 2 < p->rows; r++)
        for (size_t c = 2; c + 2 < p->cols && left > 0; c++, left--) {
            double sum = 0.0;
            for (int k = 0; k < PIXELS; k++)
                sum += weight[k] * pixel(p, r * p->cols + c, k);
            if (!(fabs(sum - p->out[r * p->cols + c]) <= 1e-4 * (1.0 + fabs(sum))))
                return false;
        }
    return true;
}

/* Returns whether all wrong pixels are so near the edges of tiles of `side` that their neighbours in other tiles may be the
   cause, some pixels are not so near, and some wrong ones are too far from the image's border for that to be the cause. */
static bool near_tiles(const struct stencil *p, const struct view *v, size_t side)
{
    bool far = false, inside = false;

    if (v->wrong_count == 0 || v->untouched > 0 || (p->rows <= side && p->cols <= side) || 2 * p->sweeps >= side)
        return false;
    for (size_t i = 0; i < v->count; i++) {
        const size_t r = i / p->cols % side, c = i % p->cols % side;
        const bool near = r < p->sweeps || r + p->sweeps >= side || c < p->sweeps || c + p->sweeps >= side;
        if (v->wrong[i] && !near)
            return false;
        far = far || !near;
        inside = inside || (v->wrong[i] && i / p->cols > p->sweeps && i / p->cols + p->sweeps + 1 < p->rows &&
                            i % p->cols > p->sweeps && i % p->cols + p->sweeps + 1 < p->cols);
    }
    return far && inside;
}

/* Returns whether there are wrong pixels on both sides of each edge between two rows of such tiles, and of each between two columns. */
static bool at_all_seams(const struct stencil *p, const struct view *v, size_t side)
{
    enum { MOST_SEAMS = 64 };
    bool before[2][MOST_SEAMS] = {{false}}, behind[2][MOST_SEAMS] = {{false}};
    const size_t length[] = {p->rows, p->cols};

    for (size_t i = 0; i < v->count; i++)
        for (int axis = 0; axis < 2; axis++) {
            const size_t at = axis == 0 ? i / p->cols : i % p->cols, seam = (at + side / 2) / side;
            if (v->wrong[i] && seam < MOST_SEAMS)
                *(at < seam * side ? &before[axis][seam] : &behind[axis][seam]) = true;
        }
    for (int axis = 0; axis < 2; axis++)
        for (size_t seam = 1; seam < MOST_SEAMS && seam * side + p->sweeps < length[axis]; seam++)
            if (!before[axis][seam] || !behind[axis][seam])
                return false;
    return true;
}

/* Returns the side of tiles near whose edges all wrong pixels lie; 0: there is none.  The usual ones first; of several that follow each
   other, the middle one. */
static size_t tile_side(const struct stencil *p, const struct view *v)
{
    enum { LEAST = 20, MOST = 128 };
    size_t first = 0, last = 0;

    if (near_tiles(p, v, 32) || near_tiles(p, v, 16))
        return near_tiles(p, v, 32) ? 32 : 16;
    for (size_t side = LEAST; side <= MOST; side++) {
        const bool fits = near_tiles(p, v, side) && at_all_seams(p, v, side);
        if (!fits && first > 0)
            break;
        first = fits && first == 0 ? side : first;
        last = fits ? side : last;
    }
    return (first + last) / 2;
}

static bool is_zero(const struct view *v)
{
    for (size_t i = 0; i < v->count; i++)
        if (v->wrong[i] && v->got[i] != 0.0f)
            return false;
    return true;
}

/* Returns whether each wrong pixel is a whole number of ninths: the sum had no fractions. */
static bool whole_ninths(const struct stencil *p, const struct view *v)
{
    size_t asked = 0;

    for (size_t i = 0; p->sweeps == 1 && i < v->count; i++) {
        const double ninths = 9.0 * v->got[i];
        asked += v->wrong[i];
        if (v->wrong[i] && !(fabs(ninths - round(ninths)) < 1e-4))
            return false;
    }
    return asked > NINE_PIXELS;
}

/* Finds the number of steps after which the image is what the result is. */
static bool other_steps(const struct stencil *p, const struct view *v, struct mistake *m)
{
    enum { MORE = 8 };
    double *values = malloc((v->count + 1) * sizeof *values);
    size_t made = 0;
    bool found = false;

    while (values != NULL && v->wrong_count > 0 && !found && made <= p->sweeps + MORE) {
        sweeps(p, made, NINE, values);
        found = result_is(v, values);
        made += !found;
    }
    free(values);
    if (!found)
        return false;
    mistake_set(m, made == 0 ? "not-computed" : made > p->sweeps ? "step-too-many" : made == 1 && p->sweeps > 2 ? "one-step" : "step-missing");
    if (made == 0)
        mistake_add(m, "the result is the image as it was before the first step");
    else if (strcmp(m->kind, "one-step") == 0)
        mistake_add(m, "the result is the image after one step: the steps do not build on each other");
    else if (made + 1 == p->sweeps || made == p->sweeps + 1)
        mistake_add(m, "the result is the image one step too %s", made > p->sweeps ? "late" : "early");
    else
        mistake_add(m, "the result is the image after %zu steps, and should be the one after %zu", made, p->sweeps);
    m->explains = v->wrong_count;
    m->turns = made + 1;
    return true;
}

/* Finds pixels beside the border that keep their values in every step, as those of the border do. */
static bool border_too_wide(const struct stencil *p, const struct view *v, struct mistake *m)
{
    for (size_t i = 0; i < v->count; i++) {
        const size_t r = i / p->cols, c = i % p->cols;
        const bool beside = r == 1 || c == 1 || r + 2 == p->rows || c + 2 == p->cols;
        if (v->wrong[i] && !(beside && p->sweeps == 1 && fabs((double)v->got[i] - p->in[i]) <= 1e-6))
            return false;
    }
    if (v->wrong_count == 0 || p->rows < 5 || p->cols < 5)
        return false;
    mistake_set(m, "border");
    mistake_add(m, "pixels beside the border keep their values: they are taken for the border");
    m->explains = v->wrong_count;
    return true;
}

/* With several devices: finds halos that hold other rows than they should.  After one step: finds pixels that are left out, counted twice, or not divided by nine. */
static bool look(const void *c, const struct view *v, struct mistake *m)
{
    const struct stencil *p = c;
    char place[48];

    if (v->devices > 1 && halos_look(p, v, m))
        return true;
    double weight[PIXELS];
    int odd = 0, whole = 0, none = 0, ones = 0;

    if (other_steps(p, v, m) || border_too_wide(p, v, m))
        return true;
    const size_t side = v->devices <= 1 && p->sweeps > 1 ? tile_side(p, v) : 0;
    if (side > 0) {
        mistake_set(m, "halo");
        mistake_add(m, "only pixels near the edges of tiles of %zu x %zu are wrong", side, side);
        m->explains = v->wrong_count;
        return true;
    }
    if (p->sweeps != 1 || v->untouched > 0 || v->wrong_count < NINE_PIXELS)
        return false;
    if (!find_weights(p, weight)) {
        if (!whole_ninths(p, v) || is_zero(v))
            return false;
        mistake_set(m, "cut-off");
        mistake_add(m, "each result is a whole number of ninths: the sum of the nine pixels has lost its fraction");
        m->explains = v->wrong_count;
        return true;
    }
    for (int k = 0; k < PIXELS; k++) {
        const double times = 9.0 * weight[k];
        if (fabs(times - round(times)) > 0.02 || round(times) < 0.0)
            return false;
        odd += round(times) != is_near(k);
        whole += round(times) == 9.0;
        none += round(times) == 0.0;
        ones += is_near(k) && round(times) == 1.0;
    }
    if (odd == 0 || none == PIXELS)
        return false;
    mistake_set(m, "wrong-neighbours");
    const bool brackets = whole > 0 && whole + ones == NINE_PIXELS;
    if (brackets)
        mistake_add(m, "the sum is not divided by 9 as a whole: brackets belong around the nine pixels");
    const bool one_row = is_one_row(weight);
    if (one_row)
        mistake_add(m, "all nine pixels are of one row: those above and below are `cols` away from the pixel, and not 1");
    for (int k = 0; k < PIXELS && !brackets && !one_row; k++) {
        const double times = round(9.0 * weight[k]);
        if (times == is_near(k))
            continue;
        if (times == 0.0)
            mistake_add(m, "the pixel %s is not in the sum", where(k, place, sizeof place));
        else if (is_near(k))
            mistake_add(m, "the pixel %s is %.0f times in the sum", where(k, place, sizeof place), times);
        else
            mistake_add(m, "the pixel %s is in the sum, and does not belong there", where(k, place, sizeof place));
    }
    m->explains = v->wrong_count;
    return true;
}

/* Says of a tile with gaps whether all pixels of the image are written: then what is read lies outside of the image. */
static void scattered(const void *c, size_t last, struct mistake *m)
{
    const struct stencil *p = c;
    size_t written;

    (void)last;
    for (int i = 0; i < m->facts; i++)
        if (strstr(m->fact[i], " | ") != NULL && strstr(m->fact[i], "out[") != NULL)
            return; /* a result is read, and no neighbour */
    if (sscanf(m->fact[1], "%zu of its", &written) == 1 && written == p->rows * p->cols)
        mistake_add(m, "as many are written as the image has pixels, %zu x %zu: so what is read lies outside of the image, beside a pixel of its border",
                    p->rows, p->cols);
}

static const struct guess guess[] = {
    {"wrong-neighbours", "the mean is of five pixels: the four corners are missing", five},
    {"wrong-neighbours", "the mean is of eight pixels: the one in the middle is missing", eight},
    {"wrong-neighbours", "the mean is of three pixels: the rows above and below are missing", row},
    {"wrong-neighbours", "the neighbours above and below were taken `rows` pixels away: a row is `cols` long", rows_apart},
    {"wrong-neighbours", "the neighbours above were taken `rows` pixels away: a row is `cols` long", up_apart},
    {"wrong-neighbours", "the neighbours below were taken `rows` pixels away: a row is `cols` long", down_apart},
    {"wrong-order", "the sum was divided by 9 in each of its nine turns, and not once behind them", each_turn},
    {"in-place", "pixels were changed before their neighbours had used the old values", in_place},
    {NULL, NULL, NULL},
};

const struct guesses guesses_stencil = {.problem = "stencil", .view = view, .want = want, .guess = guess, .look = look, .scattered = scattered};
