/*
 * The image in bands, one for each device: GPU g of n has rows rows*g/n to rows*(g+1)/n - 1.  A rule says what a halo
 * holds.  Each pair of rules, for the halo above a band and for the one below, gives a result; the pair that gives the
 * learner's result is the mistake.
 */
#include "workshop/lab/guess_halos.h"

#include <stdlib.h>
#include <string.h>

enum rule { RIGHT, NEVER, LATE, TWICE_LATE, ONCE, NOT_AT_FIRST, EVEN_STEPS, ODD_STEPS, QUARTER, OTHER_END, OWN, FURTHER, RULES };

static const struct {
    const char *kind, *text; /* of the halo above, or below */
} rules[RULES] = {
    [NEVER] = {"halo-old", "is never renewed: it is still the row that came with the image"},
    [LATE] = {"halo-old", "is one step old when it is used"},
    [TWICE_LATE] = {"halo-old", "is two steps old when it is used"},
    [ONCE] = {"halo-old", "is renewed once only, before the second step"},
    [NOT_AT_FIRST] = {"halo-old", "is not renewed before the second step"},
    [EVEN_STEPS] = {"halo-old", "is renewed in every second step only"},
    [ODD_STEPS] = {"halo-old", "is renewed in every second step only"},
    [QUARTER] = {"halo-old", "is renewed in its first quarter only: a float has 4 bytes"},
    [OTHER_END] = {"halo-wrong", "is the row at the other end of the neighbour's band"},
    [OWN] = {"halo-wrong", "is a copy of the band's own outermost row"},
    [FURTHER] = {"halo-wrong", "is the row one further away than the neighbour's outermost one"},
};

enum { ALL_SEAMS = 0xffff };

/* What the halos above the bands and below them hold, at which seams (a bit each) and at the others, and whether from the
   first step on or from the second. */
struct halos {
    enum rule rule[2], other;
    unsigned seams[2];
    bool from_first;
};

/* The images before this step, one step earlier, two steps earlier, before the second step and before the first. */
struct past {
    const double *now, *before, *long_before, *second, *start;
    size_t steps; /* that were made */
};

/* A seam: `row` is the first row below it.  The bands beside it begin with row `above`, and end before row `below`. */
struct seam {
    size_t row, above, below;
};

static size_t first_row(const struct stencil *p, int devices, int g)
{
    const size_t bands = (size_t)devices < p->rows ? (size_t)devices : p->rows;

    return (size_t)g < bands ? p->rows * (size_t)g / bands : p->rows;
}

/* Returns the image that the halo's row is from.  Steps read two images in turns, and each has halos of its own: one that
   is not renewed is as it was when this image was read last. */
static const double *image_of(const struct past *past, enum rule rule)
{
    const bool odd = past->steps % 2 == 1;

    switch (rule) {
    case NEVER:
    case QUARTER: return past->start;
    case LATE: return past->before;
    case TWICE_LATE: return past->long_before;
    case ONCE: return past->steps == 1 ? past->now : odd ? past->second : past->start;
    case NOT_AT_FIRST: return past->steps == 1 ? past->start : past->now;
    case EVEN_STEPS: return odd ? past->start : past->now;
    case ODD_STEPS: return odd ? past->now : past->start;
    default: return past->now;
    }
}

/* Fills the halo at one side of a seam.  `down`: it belongs to the band above the seam, and lies below that band. */
static void fill(const struct stencil *p, const struct past *past, const struct seam *s, bool down, enum rule rule,
                 double *halo)
{
    const size_t right = down ? s->row : s->row - 1;
    const double *image = image_of(past, rule);
    size_t from = right;

    if (rule == OTHER_END)
        from = down ? s->below - 1 : s->above;
    else if (rule == OWN)
        from = down ? s->row - 1 : s->row;
    else if (rule == FURTHER)
        from = down ? (right + 1 < p->rows ? right + 1 : right) : (right > 0 ? right - 1 : 0);
    memcpy(halo, image + from * p->cols, p->cols * sizeof *halo);
    if (rule == QUARTER)
        memcpy(halo, past->now + right * p->cols, p->cols / 4 * sizeof *halo);
}

static double three(const double *row, size_t c)
{
    return row[c - 1] + row[c] + row[c + 1];
}

/* Computes row r of the next image; `up` and `down` are the rows around it. */
static void smooth(const struct stencil *p, const double *now, const double *up, const double *down, size_t r,
                   double *next)
{
    const double *mid = now + r * p->cols;

    for (size_t c = 1; c + 1 < p->cols; c++)
        next[r * p->cols + c] = (three(up, c) + three(mid, c) + three(down, c)) / 9.0;
}

static enum rule rule_at(const struct halos *h, const struct past *past, int side, int seam)
{
    if (past->steps == 0 && !h->from_first)
        return RIGHT;
    return (h->seams[side] >> seam & 1) != 0 ? h->rule[side] : h->other;
}

/* Makes one step into `next`, which is a copy of the image now. */
static void step(const struct stencil *p, int devices, const struct past *past, const struct halos *h, double *next,
                 double *halo)
{
    for (size_t r = 1; r + 1 < p->rows; r++)
        smooth(p, past->now, past->now + (r - 1) * p->cols, past->now + (r + 1) * p->cols, r, next);
    for (int g = 1; g < devices && first_row(p, devices, g) < p->rows; g++) {
        const struct seam s = {first_row(p, devices, g), first_row(p, devices, g - 1), first_row(p, devices, g + 1)};
        const double *row = past->now + s.row * p->cols;
        if (s.row + 1 < p->rows) { /* the band below the seam, and the halo above it */
            fill(p, past, &s, false, rule_at(h, past, 0, g), halo);
            smooth(p, past->now, halo, row + p->cols, s.row, next);
        }
        if (s.row >= 2) {
            fill(p, past, &s, true, rule_at(h, past, 1, g), halo);
            smooth(p, past->now, row - 2 * p->cols, halo, s.row - 1, next);
        }
    }
}

/* Computes the result with these rules, which hold from the second step on, or from the first. */
static bool result(const struct stencil *p, int devices, const struct halos *h, double *out)
{
    const size_t pixels = p->rows * p->cols;
    double *image = malloc((5 * pixels + p->cols + 1) * sizeof *image), *at[5];

    for (int i = 0; i < 5; i++)
        at[i] = image + (size_t)i * pixels;
    for (size_t i = 0; image != NULL && i < pixels; i++)
        at[0][i] = at[1][i] = at[2][i] = at[3][i] = at[4][i] = p->in[i];
    for (size_t s = 0; image != NULL && s < p->sweeps; s++) {
        const struct past past = {at[0], at[1], at[2], at[3], at[4], s};
        if (s == 1)
            memcpy(at[3], at[0], pixels * sizeof *out);
        memcpy(out, at[0], pixels * sizeof *out);
        step(p, devices, &past, h, out, image + 5 * pixels);
        memcpy(at[2], at[1], pixels * sizeof *out);
        memcpy(at[1], at[0], pixels * sizeof *out);
        memcpy(at[0], out, pixels * sizeof *out);
    }
    free(image);
    return image != NULL;
}

static void tell(const struct halos *h, const struct view *v, struct mistake *m)
{
    mistake_set(m, rules[h->rule[h->rule[0] == RIGHT]].kind);
    if (h->seams[0] != ALL_SEAMS || h->seams[1] != ALL_SEAMS)
        mistake_add(m, "of the halos, not all are right: a wrong one %s", rules[h->rule[0]].text);
    else if (h->rule[0] == h->rule[1])
        mistake_add(m, "each halo %s", rules[h->rule[0]].text);
    else
        for (int side = 0; side < 2; side++)
            if (h->rule[side] != RIGHT)
                mistake_add(m, "the halo %s a band %s", side == 0 ? "above" : "below", rules[h->rule[side]].text);
    m->explains = v->wrong_count;
}

/* Returns whether all wrong rows are so near a seam that a wrong halo may be the cause, and some rows are not so near. */
static bool only_near_seams(const struct stencil *p, const struct view *v)
{
    bool far = false;

    for (size_t r = 0; r < p->rows; r++) {
        bool near = false;
        for (int g = 1; g < v->devices; g++) {
            const size_t seam = first_row(p, v->devices, g);
            near = near || (r + p->sweeps >= seam && r < seam + p->sweeps);
        }
        far = far || !near;
        for (size_t c = 0; !near && c < p->cols; c++)
            if (v->wrong[r * p->cols + c])
                return false;
    }
    return far;
}

/* Tries all pairs of rules at all seams.  Then a rule at some of the seams: where nothing orders a copy and the kernel that
   computes its row, some copies come in time. */
static bool find_halos(const struct stencil *p, const struct view *v, struct halos *h, double *values)
{
    const unsigned masks = v->devices <= 3 ? 1u << 2 * (v->devices - 1) : 1;

    for (int i = 2; i < RULES * RULES * 2; i++) {
        *h = (struct halos){{(enum rule)(i / 2 % RULES), (enum rule)(i / 2 / RULES)}, RIGHT, {ALL_SEAMS, ALL_SEAMS}, i % 2 == 1};
        if (result(p, v->devices, h, values) && result_equals(v, values))
            return true;
    }
    for (int i = 2; i < RULES * 2; i++)
        for (unsigned mask = 1; mask < masks; mask++) {
            const enum rule rule = (enum rule)(i / 2), other = i % 2 == 1 ? NOT_AT_FIRST : RIGHT;
            *h = (struct halos){{rule, rule}, other, {2 * mask, 2 * (mask >> (v->devices - 1))}, false};
            if (result(p, v->devices, h, values) && result_equals(v, values))
                return true;
        }
    return false;
}

bool halos_look(const struct stencil *p, const struct view *v, struct mistake *m)
{
    double *values = malloc((v->count + 1) * sizeof *values);
    struct halos h;
    const bool found = values != NULL && v->wrong_count > 0 && p->sweeps > 0 && find_halos(p, v, &h, values);

    free(values);
    if (found)
        tell(&h, v, m);
    if (found || v->wrong_count == 0 || v->untouched > 0 || !only_near_seams(p, v))
        return found;
    mistake_set(m, "halo");
    mistake_add(m, "only rows near the seams between the GPUs' bands are wrong");
    m->explains = v->wrong_count;
    return true;
}
