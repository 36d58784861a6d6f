/*
 * Workers: one process a variant.  The parent asks, a worker answers, one request at a time; a variant
 * that crashes, hangs or exits takes its own worker along and nothing else.
 *
 * A worker is the program rungs-worker, which loads the variant's shared object and holds nothing of
 * the judge.  It has a socket, the inputs' file and a file for its outputs (harness/model/arena.h).
 */
#ifndef RUNGS_PARENT_H
#define RUNGS_PARENT_H

#include "harness/model/card.h"
#include "harness/worker/protocol.h"

struct worker {
    const struct card *variant;
    pid_t pid; /* 0: not running */
    int socket, output_file, stdout_file, stderr_file;
    pid_t process; /* the worker itself: worker_process; 0: not looked up yet */
    int report;    /* of its keeper (harness/worker/keeper.h), which `pid` then is; 0: there is none */
    unsigned long kills; /* processes that the kernel had ended for want of memory when it began */
    bool answered; /* at least once: it could start */
    bool resting;  /* until it is asked again */
    struct fate fate; /* why it is not running any more */
};

/* For workers that are to be started: what the process must do besides before it becomes one (NULL:
   nothing), and whether it uses a card for all that its variant says. */
extern void (*worker_confine)(void);
extern bool worker_on_card;

/* Whether a profiler is in the workers, too, and writes files of its own, of any size. */
extern bool worker_profiled;

/* Starts a worker, for so many threads on as many processors; it sees so many devices (0: all), the
   first ones of those that this process would.  False: it could not be, and the fate says why. */
bool worker_start(struct worker *w, const struct card *v, int threads, int devices, size_t memory);

/* Gives it the arena's case and a file for its outputs, then as worker_ask with OP_OPEN.  `blind`: the
   inputs hold values that it must not see before it has prepared and worker_show. */
bool worker_open(struct worker *w, const struct layout *layout, bool blind, double timeout,
                 struct reply *reply);
bool worker_show(struct worker *w, double timeout, struct reply *reply);

/* Asks and waits, `timeout` seconds at most.  False: the worker is gone, its fate says why. */
bool worker_ask(struct worker *w, const struct request *request, struct reply *reply,
                double timeout);

/* Stops it until it is next asked: its threads may wait for work in a loop, and would take
   processor time from the variant that runs next. */
void worker_rest(struct worker *w);

/* Gives the memory of its outputs back, after the release. */
void worker_shrink(struct worker *w);

/* Its own process's id, not its keeper's; 0: there is none. */
pid_t worker_process(struct worker *w);

/* After worker_rest: does each of its threads stand still, or has it ended? */
bool worker_stands_still(struct worker *w);

/* Ends it, running or not, and closes its files. */
void worker_end(struct worker *w);

#endif
