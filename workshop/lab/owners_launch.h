/* A launch, and which element each of its threads writes. */
#ifndef RUNGS_LAB_OWNERS_LAUNCH_H
#define RUNGS_LAB_OWNERS_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include "workshop/lab/mistake.h"

/* What a thread has written: harness/sim/writes.c. */
struct write {
    unsigned block[2], thread[2]; /* x, y */
    size_t first, second, most;   /* elements; the greatest */
    unsigned count;
};

struct launch {
    unsigned grid[2], block[2];
    struct write *list;
    size_t count;
    size_t rows, cols; /* of the result; rows: 1 if it has one dimension */
    bool others;       /* more is right than this launch has threads for: there are others */
};

/* A number as a sum of these: a step for each block and each thread in x and y, and what the first thread has. */
struct formula {
    long block[2], thread[2], start;
};

enum number { ELEMENT, ROW, COLUMN };

/* Returns what this thread has written; NULL: nothing. */
const struct write *launch_find(const struct launch *l, unsigned bx, unsigned by, unsigned tx, unsigned ty);
bool launch_has_written(const struct launch *l, unsigned bx, unsigned by);

/* Finds the formula by which all threads that have written compute the number.  Returns false if there is none, or if a thread is
   missing from which a part of it could be told. */
bool launch_formula(const struct launch *l, enum number what, struct formula *f);
const char *formula_words(const struct formula *f, char *text, size_t room);

/* Returns whether the number counts along this axis: from block to block it goes on by the length of a block. */
bool formula_counts(const struct launch *l, const struct formula *f, int axis);

/* Returns how many threads there are along this axis. */
size_t launch_covered(const struct launch *l, int axis);

/* Each adds what is wrong with the numbers, and returns false if it finds nothing: of threads in one line, and in two dimensions. */
bool owners_tell_line(const struct launch *l, struct mistake *m);
bool owners_tell_plane(const struct launch *l, struct mistake *m);

/* Adds how a thread computes its row and column, if y does not count rows or x columns. */
bool owners_tell_numbers(const struct launch *l, struct mistake *m);

/* The same of threads in one line that write the rows of an image. */
bool owners_tell_rows(const struct launch *l, struct mistake *m);

/* With several elements for each thread: the first block that has written some of those of block 0. */
bool owners_tell_overlap(const struct launch *l, struct mistake *m);

/* The fact says which row or column of c holds what belongs into which other one. */
bool owners_tell_sums(const struct launch *l, const char *fact, struct mistake *m);

#endif
