/*
 * The parent's side of a worker.  Each variant runs in a worker of its own, which answers one request at
 * a time.  A variant that crashes, hangs or exits ends only its own worker.
 *
 * A worker is the program rungs-worker, which loads the variant's shared object and contains no code of
 * the judge.  It has a socket, the inputs' file and a file for its outputs (harness/model/arena.h).
 */
#ifndef RUNGS_PARENT_H
#define RUNGS_PARENT_H

#include "harness/model/card.h"
#include "harness/worker/own_folder.h"
#include "harness/worker/protocol.h"

struct worker {
    const struct card *variant;
    pid_t pid; /* 0: not running */
    int socket, output_file, stdout_file, stderr_file;
    pid_t process; /* the worker itself, by worker_process; 0: not looked up yet */
    int report;    /* a file of the keeper (harness/worker/keeper.h), whose id is then `pid`; 0: there
                      is no keeper */
    char folder[OWN_FOLDER_BYTES]; /* for its caches and temporary files; "": it has none */
    int holds_folder;              /* the file that keeps others from removing it */
    unsigned long kills; /* how many processes the kernel had ended for lack of memory when the worker
                            started */
    bool answered; /* at least once, so it has started */
    bool resting;  /* stopped until the next request */
    struct fate fate; /* why it no longer runs */
};

/* For workers started from now on: what the process does in addition before exec (NULL: nothing), and
   whether it counts as using a GPU whatever its variant's card says. */
extern void (*worker_confine)(void);
extern bool worker_on_card;

/* Whether a profiler runs inside of the workers and writes files of any size. */
extern bool worker_profiled;

/* Whether a compiled variant on the CPU may start processes, which is a breach otherwise: the simulator asks addr2line for lines,
   and is linked with the learner's program. */
extern bool worker_may_fork;

/* Whether a variant may print to standard output, which is a breach otherwise: the workshop shows learners what they
   have printed. */
extern bool worker_may_print;

/* Whether workers stay on the processors that this process has.  Otherwise each is placed on the first that are enough for
   its threads: the same for all, since workers of a bench take turns. */
extern bool worker_unplaced;

/* Starts a worker with this many threads, on as many processors; `processes` such workers share so many times as many.  It
   sees the first `devices` devices
   that this process sees (0: all).  `memory`: bytes that it may have.  On failure returns false and
   sets the fate. */
bool worker_start(struct worker *w, const struct card *v, int threads, int processes, int devices, size_t memory);

/* Gives the worker the arena's case and a file for its outputs, then sends OP_OPEN as worker_ask does.
   `blind`: the inputs hold values that the variant must not see before it has prepared; worker_show
   then maps them. */
bool worker_open(struct worker *w, const struct layout *layout, bool blind, double timeout,
                 struct reply *reply);
bool worker_show(struct worker *w, double timeout, struct reply *reply);

/* Sends a request and waits for the reply, at most `timeout` seconds.  Returns false if the worker has
   ended; its fate says why. */
bool worker_ask(struct worker *w, const struct request *request, struct reply *reply,
                double timeout);

/* Stops the worker until the next request.  Its threads may wait for work in a loop, which would take
   processor time from the variant that runs next. */
void worker_rest(struct worker *w);

/* Frees the memory of the worker's outputs, after the variant's release. */
void worker_shrink(struct worker *w);

/* Returns the id of the worker's own process, not of its keeper; 0: there is none. */
pid_t worker_process(struct worker *w);

/* Returns the processor seconds of the worker; in another language, with the processes that it has started. */
double worker_cpu(struct worker *w);

/* Returns the most memory, in bytes, that the worker and its processes have had resident since worker_forget_memory,
   without the case's arrays; NaN: it has ended. */
double worker_memory(struct worker *w);
void worker_forget_memory(struct worker *w);

/* Returns whether every thread of the worker and its processes is stopped, or the worker has ended.  Call it after
   worker_rest. */
bool worker_stands_still(struct worker *w);

/* Ends the worker, running or not, and closes its files. */
void worker_end(struct worker *w);

#endif
