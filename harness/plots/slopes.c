#include "harness/plots/slopes.h"

#include <math.h>

/* In shares of the frame's width and height, for letters of 14 points in a picture of 1600 x 900. */
static const double LENGTH = 0.16; /* of a name and the gap after it */
static const double RISE = 0.028;  /* distance of its middle from its slope */
static const double CLEAR = 0.017; /* least distance of its middle from a line */
static const double APART = 0.036; /* least distance from the middle of another name */

enum { ALONG = 4 /* so many names fit along a slope */ };

/* A candidate place: its position along the slope, above or below it. */
struct place {
    int along;
    double rise;
};

double frame_x(const struct frame *f, double x)
{
    return log(x / f->left) / log(f->right / f->left);
}

double frame_y(const struct frame *f, double y)
{
    return log(y / f->bottom) / log(f->top / f->bottom);
}

/* All slopes are parallel on these scales, so one height gives the distance of two of them, or of names. */
static double height_of(const struct slope *s, const struct frame *f)
{
    return frame_y(f, s->rate * f->left);
}

/* At least half of a name must be along its slope, or it would seem to belong to no line. */
static bool too_short(const struct slope *s, int along, const struct frame *f)
{
    return frame_x(f, 0.5 * s->level / s->rate) <= LENGTH * along;
}

/* Does a name that begins at `from`, at this height, cover words that are already there? */
static bool hits(const struct words *w, double from, double height, const struct frame *f)
{
    const double steep = log(f->right / f->left) / log(f->top / f->bottom);
    const double begin = fmax(from, w->from), end = fmin(from + LENGTH, w->to);

    return begin < end && height + steep * begin < w->height + APART &&
           height + steep * end > w->height - APART;
}

/* Rates a place: 0 is best, 1 or more is hard to read. */
static double cost(struct place p, size_t which, const struct slope slopes[], size_t count,
                   const struct place others[], const struct words taken[], size_t words_count,
                   const struct frame *f)
{
    const double own = height_of(&slopes[which], f), height = own + p.rise;
    double sum = 0.1 * p.along + (p.rise < 0.0 ? 0.05 : 0.0);

    for (size_t i = 0; i < count; i++) {
        const double line = height_of(&slopes[i], f);
        if (i != which && fabs(height - line) < CLEAR)
            sum += 4.0;
        else if (i != which && (line - own) * (line - height) < 0.0)
            sum += 2.0; /* between the name and its own slope: it would be taken for that slope's */
        if (i < which && others[i].along == p.along && fabs(height - line - others[i].rise) < APART)
            sum += 8.0;
    }
    for (size_t i = 0; i < words_count; i++)
        sum += hits(&taken[i], LENGTH * p.along, height, f) ? 3.0 : 0.0;
    return sum;
}

void slopes_name(const struct slope slopes[], size_t count, const struct words taken[],
                 size_t words_count, const struct frame *f, struct stand stands[])
{
    struct place chosen[MOST_SLOPES];

    for (size_t i = 0; i < count && i < MOST_SLOPES; i++) {
        double least = INFINITY;
        for (int option = 0; option < 2 * ALONG; option++) {
            const struct place p = {option / 2, option % 2 == 0 ? RISE : -RISE};
            double costs = cost(p, i, slopes, count, chosen, taken, words_count, f);
            if (too_short(&slopes[i], p.along, f) || costs >= least)
                continue;
            least = costs;
            chosen[i] = p;
        }
        if (isinf(least))
            chosen[i] = (struct place){-1, 0.0};
        const double x = f->left * pow(f->right / f->left, LENGTH * chosen[i].along);
        stands[i] = (struct stand){isfinite(least), x,
                                   slopes[i].rate * x * pow(f->top / f->bottom, chosen[i].rise)};
    }
}
