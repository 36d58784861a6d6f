#include "harness/records/crossover.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"

const char *const pays_names[] = {"not timed", "unknown", "never", "always", "from", "partly"};

static const double MARGIN = 1.01; /* smaller differences do not count */

/* --- where it crosses ------------------------------------------------------------------------- */

static int sign_of(const struct point *p)
{
    return p->low > MARGIN ? 1 : p->high < 1.0 / MARGIN ? -1 : 0;
}

/* Returns half of the second derivative of ln(ratio) by ln(size), from point i and the two after it. */
static double bend(const struct point p[], size_t i)
{
    double x[3], y[3];

    for (size_t k = 0; k < 3; k++) {
        x[k] = log(p[i + k].at);
        y[k] = log(p[i + k].ratio);
    }
    return ((y[2] - y[1]) / (x[2] - x[1]) - (y[1] - y[0]) / (x[1] - x[0])) / (x[2] - x[0]);
}

/* Returns how far the curve may be from a straight line between point i and the next: an eighth of the second
   derivative, estimated from the neighbouring points, times the square of the distance. */
static double sag(const struct point p[], size_t count, size_t i)
{
    double distance = log(p[i + 1].at / p[i].at), most = 0.0;

    if (i > 0)
        most = fabs(bend(p, i - 1));
    if (i + 2 < count)
        most = fmax(most, fabs(bend(p, i)));
    return 0.25 * most * distance * distance;
}

/* Returns the size between a and b at which the line from y_a to y_b, on logarithmic axes, reaches `level`, or
   else the nearer end. */
static double reach(const struct point *a, const struct point *b, double y_a, double y_b,
                    double level)
{
    double share = log(level / y_a) / log(y_b / y_a);

    return a->at * pow(b->at / a->at, fmin(fmax(share, 0.0), 1.0));
}

/* Finds between point i and the next where the lower end of the interval crosses a clear gain, and where the
   upper end crosses a clear loss. */
static double gain_at(const struct point p[], size_t count, size_t i)
{
    double lower = exp(-sag(p, count, i));

    return reach(&p[i], &p[i + 1], lower * p[i].low, lower * p[i + 1].low, MARGIN);
}

static double loss_at(const struct point p[], size_t count, size_t i)
{
    double upper = exp(sag(p, count, i));

    return reach(&p[i], &p[i + 1], upper * p[i].high, upper * p[i + 1].high, 1.0 / MARGIN);
}

/* Finds where it becomes faster: it is faster at `now`, and was clearly slower at `before`, if at any point. */
static struct edge edge_up(const struct point p[], size_t count, size_t before, size_t now,
                           bool was_slower)
{
    if (now == 0)
        return (struct edge){.kind = EDGE_RANGE, .low = p[0].at, .high = p[0].at};
    struct edge e = {.kind = was_slower ? EDGE_CROSSING : EDGE_BLUR,
                     .low = was_slower ? loss_at(p, count, before) : p[0].at,
                     .high = gain_at(p, count, now - 1),
                     .few = p[now - 1].few || p[now].few};
    if (was_slower)
        e.few |= p[before].few || p[before + 1].few;
    return e;
}

/* Finds where it stops being faster: it was faster at `before`, and is clearly slower at `now`, if at any
   point. */
static struct edge edge_down(const struct point p[], size_t count, size_t before, size_t now,
                             bool is_slower)
{
    if (before == now)
        return (struct edge){.kind = EDGE_RANGE, .low = p[now].at, .high = p[now].at};
    struct edge e = {.kind = is_slower ? EDGE_CROSSING : EDGE_BLUR,
                     .low = gain_at(p, count, before),
                     .high = is_slower ? loss_at(p, count, now - 1) : p[now].at,
                     .few = p[before].few || p[before + 1].few};
    if (is_slower)
        e.few |= p[now - 1].few || p[now].few;
    return e;
}

static enum pays sum_up(const struct crossover *c, int sign)
{
    const struct stretch *s = c->stretches;

    if (c->count == 0)
        return sign == 0 ? PAYS_UNKNOWN : PAYS_NEVER;
    if (c->count > 1 || s->end.kind != EDGE_RANGE)
        return PAYS_PARTLY;
    return s->begin.kind == EDGE_RANGE ? PAYS_ALWAYS : PAYS_FROM;
}

struct crossover crossover_find(const struct point p[], size_t count)
{
    struct crossover c = {.pays = PAYS_NOT_TIMED, .first = NAN, .last = NAN, .blurred_from = NAN};
    size_t known = 0; /* the last decided point */
    int sign = 0;     /* its sign; 0: none yet */

    if (count == 0)
        return c;
    c.first = p[0].at;
    c.last = p[count - 1].at;
    for (size_t i = 0; i < count; i++) {
        int now = sign_of(&p[i]);
        if (now == 0)
            continue;
        if (now > 0 && sign <= 0)
            c.stretches[c.count].begin = edge_up(p, count, known, i, sign < 0);
        if (now < 0 && sign > 0)
            c.stretches[c.count++].end = edge_down(p, count, known, i, true);
        sign = now;
        known = i;
    }
    if (sign > 0)
        c.stretches[c.count++].end = edge_down(p, count, known, count - 1, false);
    else if (sign < 0 && known < count - 1)
        c.blurred_from = loss_at(p, count, known);
    c.pays = sum_up(&c, sign);
    return c;
}

/* --- in words --------------------------------------------------------------------------------- */

struct scale {
    double one;
    const char *word;
};

static struct scale scale_of(double x)
{
    static const struct scale scales[] = {
        {1e12, " trillion"}, {1e9, " billion"}, {1e6, " million"}, {1e3, " thousand"}};

    for (size_t i = 0; i < 4; i++)
        if (x >= (i < 3 ? 1.0 : 10.0) * scales[i].one) /* 1300, but 13 thousand */
            return scales[i];
    return (struct scale){1.0, ""};
}

/* Rounds x to a few digits, down or up. */
static double rounded(double x, int digits, bool up)
{
    double step = pow(10.0, floor(log10(x)) + 1.0 - digits);
    double steps = x / step;

    steps = up ? ceil(steps - 1e-6) : floor(steps + 1e-6);
    return steps * step;
}

/* Items are whole numbers. */
static double in_scale(double x, struct scale s, int digits, bool up)
{
    double value = rounded(x / s.one, digits, up);

    return s.one > 1.0 ? value : up ? ceil(value) : floor(value);
}

static void describe_one(double x, bool up, char *text, size_t bytes)
{
    struct scale s = scale_of(x);

    snprintf(text, bytes, "%.4g%s", in_scale(x, s, 2, up), s.word);
}

void describe_between(double low, double high, char *text, size_t bytes)
{
    struct scale s = scale_of(high);
    int digits = high > 1.05 * low ? 2 : 3;
    char from[32] = "", to[32];

    if (low < 0.1 * s.one) {
        describe_one(low, false, from, sizeof from);
    } else {
        double least = in_scale(low, s, digits, false), most = in_scale(high, s, digits, true);
        if (least < most)
            snprintf(from, sizeof from, "%.4g", least);
    }
    snprintf(to, sizeof to, "%.4g%s", in_scale(high, s, digits, true), s.word);
    snprintf(text, bytes, "%s%s%s", from, from[0] != '\0' ? " to " : "", to);
}

static void describe_stretch(const struct stretch *s, const char *item, char *text, size_t bytes)
{
    bool below = s->begin.kind == EDGE_RANGE; /* faster from the smallest size on */
    char begin[64], end[64];

    if (s->begin.kind == EDGE_CROSSING)
        describe_between(s->begin.low, s->begin.high, begin, sizeof begin);
    else
        describe_one(s->begin.high, true, begin, sizeof begin);
    if (s->end.kind == EDGE_CROSSING)
        describe_between(s->end.low, s->end.high, end, sizeof end);
    else
        describe_one(s->end.low, false, end, sizeof end);

    if (!below)
        text_add(text, bytes, "from %s%s %s on", s->begin.kind == EDGE_BLUR ? "at most " : "",
                 begin, item);
    if (s->end.kind == EDGE_CROSSING)
        text_add(text, bytes, below ? "below %s %s" : ", up to %s", end, item);
    else if (s->end.kind == EDGE_BLUR)
        text_add(text, bytes,
                 below ? "below %s %s, not told apart above" : ", not told apart above %s", end,
                 item);
}

void crossover_describe(const struct crossover *c, const char *item, char *text, size_t bytes)
{
    char from[64];
    bool few = false;

    text[0] = '\0';
    switch (c->pays) {
    case PAYS_NOT_TIMED: text_add(text, bytes, "at no size were both timed"); break;
    case PAYS_UNKNOWN: text_add(text, bytes, "not told apart in this range"); break;
    case PAYS_ALWAYS: text_add(text, bytes, "always in this range"); break;
    case PAYS_NEVER:
        text_add(text, bytes, "never in this range");
        if (isfinite(c->blurred_from)) {
            describe_one(c->blurred_from, false, from, sizeof from);
            text_add(text, bytes, ", but not told apart above %s %s", from, item);
        }
        break;
    case PAYS_FROM:
    case PAYS_PARTLY:
        for (size_t i = 0; i < c->count; i++) {
            text_add(text, bytes, i > 0 ? "; and again " : "");
            describe_stretch(&c->stretches[i], item, text, bytes);
            few |= c->stretches[i].begin.few || c->stretches[i].end.few;
        }
    }
    if (few)
        text_add(text, bytes, " (few rounds)");
}
