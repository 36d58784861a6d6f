/* The conditions of a learner's program, and the program that says which way each of them has gone. */
#ifndef RUNGS_LAB_CONDITIONS_H
#define RUNGS_LAB_CONDITIONS_H

#include <stddef.h>

enum condition_kind {
    BRANCH, /* of an if, or before a ? */
    LOOP,
    PART,   /* between && or ||, of the condition before it in the list that is none */
};

enum { MOST_CONDITIONS = 64 }; /* as in harness/sim/branches.c */

struct condition {
    enum condition_kind kind;
    int line;
    char text[80];
};

struct conditions {
    struct condition list[MOST_CONDITIONS];
    size_t count;
};

/* Returns the program with cudasim_branch() around each condition, by its number in the list; its lines are the same.  The caller
   frees it.  Returns NULL if there is no condition. */
char *conditions_mark(const char *program, struct conditions *c);

#endif
