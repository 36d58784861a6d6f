/* Which elements a program without a kernel uses, in which order and by which thread: a run that was compiled to note it. */
#ifndef RUNGS_LAB_TOUCHED_H
#define RUNGS_LAB_TOUCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

enum { MOST_TOUCHES = 60000, A_CALL = UINT32_MAX };

/* As in harness/sim/touches.c. */
struct touch {
    uint64_t address;
    uint32_t thread, writes; /* A_CALL: the harness calls a function of the program */
};

struct touched {
    struct touch list[MOST_TOUCHES];
    size_t count;
};

/* Builds and runs the learner's program with that many elements.  Returns false with an error if that cannot be done. */
bool touched_look(const struct exercise *e, size_t elements, struct touched *t, struct error *error);

/* Of a program that is right: sets the mistake if several threads write the same elements of a result in one call, so that the work is
   done several times. */
void touched_repeated(const struct exercise *e, struct mistake *m);

#endif
