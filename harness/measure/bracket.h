/*
 * The bracket: what a turn took by the parent's own clocks, beside what the worker says.
 *
 * A worker's times cannot add up to more than went by.  Nor to far less: what its samples leave out is a
 * few messages a turn.  On a busy machine it may have waited meanwhile, so what counts is the processor
 * time that it used, which the parent asks the kernel for.
 */
#ifndef RUNGS_BRACKET_H
#define RUNGS_BRACKET_H

#include "harness/measure/cell.h"

struct bracket {
    double wall, cpu; /* seconds, by the parent's reading, of this turn */
    double said;      /* by the worker: all that it has timed */
    double claimed;   /* by the worker: processor time */
    size_t requests;  /* of this turn */
    size_t turns, short_ones; /* and how many of them were said to be far shorter than they were */
    double all_used, all_said; /* of all turns: a slow clock makes turns long, and so there are few */
    double all_cpu;            /* not shared among threads */
    double began, most_true;   /* this request; the most that any request has said of what it took, 1: all */
    size_t asked;              /* requests of all turns */
    bool other_clock;          /* its last call has not begun within its request */
};

/* Around a request of a turn. */
void bracket_begin(struct bracket *b, struct worker *w);
void bracket_end(struct bracket *b, struct worker *w, const struct request *q,
                 const struct reply *a);

/* At the end of a turn: is it a lie?  Then `text` says which. */
bool bracket_tells(struct bracket *b, int threads, char *text, size_t bytes);

#endif
