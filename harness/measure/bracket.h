/*
 * The bracket: compares what a turn took by the parent's clocks with what the worker reports.
 *
 * The worker's times cannot add up to more than the time that passed.  Nor to far less, since only a few
 * messages a turn lie outside of its samples.  On a busy machine the worker may have waited in between.
 * So the parent compares processor time, which it reads from the kernel.
 */
#ifndef RUNGS_BRACKET_H
#define RUNGS_BRACKET_H

#include "harness/measure/cell.h"

struct bracket {
    double wall, cpu; /* seconds of this turn, by the parent's clocks */
    double cpu_before, used; /* of this request: processor time before it, and that it has taken */
    double said;      /* seconds in all times that the worker reports */
    double claimed;   /* processor seconds that the worker reports */
    size_t requests;  /* of this turn */
    size_t turns, short_ones; /* all turns, and those reported as far shorter than they were */
    double all_used, all_said; /* seconds of all turns: a slowed clock makes turns long, so there are
                                  few of them */
    double all_cpu;            /* the same, not divided among threads */
    double began, most_true;   /* when this request began; the largest share that any request has
                                  reported of its time, 1: all */
    size_t asked;              /* requests of all turns, without the shortest */
    size_t ended, hidden_ones; /* requests of all turns; those in which it worked for long before or after its calls */
    bool other_clock;          /* the last call it reports did not begin within its request */
};

/* Call these around each request of a turn, with the number of threads that the worker may have used. */
void bracket_begin(struct bracket *b, struct worker *w);
void bracket_end(struct bracket *b, struct worker *w, const struct request *q,
                 const struct reply *a, int threads);

/* Returns, at the end of a turn, whether the worker's times are false.  `text` then says in what way. */
bool bracket_tells(struct bracket *b, int threads, char *text, size_t bytes);

/* Returns whether one request has worked for long outside of its calls: it took so long, used so much processor time, and
   reports `said` for its calls, all in seconds.  Each of the threads may have worked for as long as the calls took. */
bool bracket_hid_work(double took, double used, double said, int threads);

/* Returns whether most of many requests have worked for long outside of their calls, as the worker's own messages do not; with
   `text`.  Not for workers whose runtime works between calls. */
bool bracket_hides(const struct bracket *b, char *text, size_t bytes);

#endif
