/* Places the names of a roofline's slopes, so that they cover no other slope or name. */
#ifndef RUNGS_SLOPES_H
#define RUNGS_SLOPES_H

#include <stdbool.h>
#include <stddef.h>

/* The frame of the picture: flops per byte on x, flops a second on y, both logarithmic. */
struct frame {
    double left, right, bottom, top;
};

/* A line y = rate * x, from the left of the frame up to its level. */
struct slope {
    double rate;  /* bytes a second */
    double level; /* flops a second */
};

/* Names that are already placed, in shares of the frame's width and height. */
struct words {
    double from, to, height;
};

/* Where a name begins; it is written along its slope. */
struct stand {
    bool shown; /* false: the slope is too short */
    double x, y;
};

/* Convert a coordinate to a share of the frame's width or height. */
double frame_x(const struct frame *f, double x);
double frame_y(const struct frame *f, double y);

enum { MOST_SLOPES = 16 };

/* Places one name for each slope; earlier slopes choose first. */
void slopes_name(const struct slope slopes[], size_t count, const struct words taken[],
                 size_t words_count, const struct frame *f, struct stand stands[]);

#endif
