/* Finds out which elements of a result are wrong, and which mistake makes exactly these wrong. */
#ifndef RUNGS_PATTERN_H
#define RUNGS_PATTERN_H

#include "harness/model/arena.h"
#include "harness/model/judge.h"
#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"
#include "workshop/lab/result.h"

/* Sets the mistake that explains the outputs, which were judged wrong. */
void pattern_mistake(const struct exercise *e, const struct layout *layout,
                     const struct verdict *verdict, struct mistake *m);

/* For an access outside of an array, or to what was not written: adds which other index it is, or what was written, if there is a guess. */
void pattern_access(const struct exercise *e, const struct layout *layout, struct mistake *m);

/* Each output held this number before the call, and not NaN: sets the mistake "nothing-written", if it is one, with what was made of it. */
void pattern_held(const struct exercise *e, const struct layout *layout, float held, struct mistake *m);

/* How specific a mistake is.  Of the mistakes at several sizes, the most specific is shown. */
enum { PATTERN_PLACES = 3 /* which elements are wrong, and not why */, PATTERN_CLEAR = 4 /* the highest rank */ };
int pattern_rank(const struct mistake *m);

/* Compares the outputs with the right ones; view_free() frees the view.  Returns false if the problem has no guesses for such a case. */
bool pattern_view(const struct exercise *e, const struct layout *layout, struct view *v);

/* Returns a hash of the outputs, to compare two results. */
unsigned long pattern_sum(const struct layout *layout);

/* --- for the guesses of each problem: guess_*.c ----------------------------------------------- */

/* A typical mistake, and the values that it produces; NaN: they may be anything. */
struct guess {
    const char *kind, *text;
    void (*fill)(const void *c, double *values);
};

/* An access outside of an array, by a thread. */
struct access {
    unsigned x, y, block_x, block_y;
    char array[32]; /* "d_kept" */
    size_t element, count; /* which element, and how many there are */
};

/* The typical mistakes of a problem. */
struct guesses {
    const char *problem;
    /* sets array, rows, cols, got, scale; false: there are no guesses for such a case */
    bool (*view)(const void *c, struct view *v);
    void (*want)(const void *c, double *values); /* rows * cols of them */
    const struct guess *guess; /* ends with a NULL kind */
    /* optional, called first; true: it has found a mistake */
    bool (*look)(const void *c, const struct view *v, struct mistake *m);
    bool (*last_look)(const void *c, const struct view *v, struct mistake *m); /* optional, called when nothing else explains the result */
    void (*no_number)(const void *c, const struct view *v, struct mistake *m); /* optional: adds whether results that are NaN can come from rounding */
    /* optional: adds what gives this index.  Sets m->explains if it is not what gives it by chance. */
    void (*outside)(const void *c, const struct access *a, struct mistake *m);
    /* optional: adds why only so many elements of a shared array are written, its first ones */
    void (*unwritten)(const void *c, size_t written, struct mistake *m);
    /* optional: adds whether the last element of a shared array that is written, with gaps before it, should be */
    void (*scattered)(const void *c, size_t last, struct mistake *m);
};

extern const struct guesses guesses_saxpy, guesses_stencil, guesses_knn, guesses_matmul, guesses_fft,
    guesses_reduce, guesses_compact;

/* Sets the mistake that is the first guess with the values of the result wherever it is wrong, if there is one. */
bool pattern_guess(const struct guess *guess, const void *c, const struct view *v, struct mistake *m);

#endif
