/* Where the names of a roofline's slopes stand: on no other slope, no other name and no variant's. */
#ifndef RUNGS_SLOPES_H
#define RUNGS_SLOPES_H

#include <stdbool.h>
#include <stddef.h>

/* Of the picture: flops a byte across, flops a second upwards, both logarithmic. */
struct frame {
    double left, right, bottom, top;
};

/* From the left of the frame upwards, one flop a byte for each, until it meets its level. */
struct slope {
    double rate;  /* bytes a second */
    double level; /* flops a second */
};

/* What stands there already, in shares of the frame's width and height. */
struct words {
    double from, to, height;
};

/* Where a name begins, and goes along its slope from there on. */
struct stand {
    bool shown; /* false: its slope is too short for it */
    double x, y;
};

/* The same for the middle of a line of words: a share of the frame. */
double frame_x(const struct frame *f, double x);
double frame_y(const struct frame *f, double y);

enum { MOST_SLOPES = 16 };

/* `stands` is one for each slope; the earlier ones choose first. */
void slopes_name(const struct slope slopes[], size_t count, const struct words taken[],
                 size_t words_count, const struct frame *f, struct stand stands[]);

#endif
