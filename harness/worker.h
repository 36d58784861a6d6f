/*
 * Workers: one process a rung.  The parent asks, a worker answers, one request at a time; a rung
 * that crashes, hangs or exits takes its own worker along and nothing else.
 *
 * A worker is this same program, started anew (exec, so that no library's state is inherited) with
 * a socket, the inputs' file and a file for its outputs (harness/arena.h).
 */
#ifndef RUNGS_WORKER_H
#define RUNGS_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/variant.h"
#include "harness/arena.h"
#include "harness/outcome.h"

enum op {
    OP_OPEN,    /* map the case; does the rung refuse it? */
    OP_PREPARE, /* seconds */
    OP_CALL,    /* one full cycle: upload, run, download; seconds */
    OP_AGAIN,   /* run and download once more on what is there; reps 0: it has no upload to leave out */
    OP_CAPTURE, /* the same, for a profiler that waits for it; again until `seconds` are over */
    OP_WARM,    /* as many cycles as `seconds` allow; finds the reps of a sample */
    OP_BLOCK,   /* up to `samples` samples of `reps` cycles within `seconds` */
    OP_RELEASE, /* is anything left behind? */
    OP_FACTS    /* what the rung's device is */
};

enum { MAX_SAMPLES = 32, MAX_DEVICES = 16 };

/* What a rung is doing. */
enum phase {
    IN_HARNESS, IN_REFUSE, IN_PREPARE, IN_UPLOAD, IN_RESET, IN_RUN, IN_DOWNLOAD, IN_RELEASE, PHASES
};

extern const char *const phase_names[PHASES];

struct request {
    enum op op;
    unsigned samples;
    unsigned long reps;
    double seconds; /* OP_WARM, OP_BLOCK: how long to go on; one sample at least */
    double target;  /* OP_WARM: seconds that a sample should last */
    bool blind;     /* OP_PREPARE: the inputs are there already, and must not be read yet */
    bool settle;    /* OP_BLOCK: one untimed cycle first, as others have run meanwhile */
};

/* Times of one block, seconds a cycle. */
struct samples {
    unsigned count;
    unsigned long runs; /* behind each figure of `run` */
    double e2e[MAX_SAMPLES];      /* host clock around the whole cycle */
    double upload[MAX_SAMPLES];   /* device clock; only where the rung has the phase */
    double run[MAX_SAMPLES];      /* device clock, data on the device and in its cache if they fit */
    double cold[MAX_SAMPLES];     /* the same with nothing in the cache; NaN: not worth the while */
    double download[MAX_SAMPLES]; /* device clock; only where the rung has the phase */
};

struct reply {
    enum outcome outcome; /* OUTCOME_OK, or what `text` gives the reason of */
    char text[256];
    double seconds;     /* what the request took, or the estimate of one cycle (OP_WARM) */
    double cpu_seconds; /* processor time of all threads meanwhile */
    int threads;        /* of the rung's own, alive at the end of it, the first included */
    unsigned long reps;
    double context;     /* OP_OPEN: seconds that it took to start the device, the first time */
    struct samples samples;
    struct device_facts facts[MAX_DEVICES]; /* OP_FACTS: as many as `devices` says */
    int devices;
    double device_step; /* OP_FACTS: the least time between two of the device's stamps, seconds */
};

/* What a worker notes down for the time after its death, at arena_ledger(). */
struct ledger {
    volatile int phase;     /* enum phase: what the rung was doing */
    int signal;             /* that ended it */
    const void *address;    /* that could not be touched */
    bool wrote;             /* it was a write (known on x86-64 only) */
    size_t wanted, allowed; /* bytes that memory was asked for, and bytes there were for it */
};

/* --- the parent's side: spawn.c --------------------------------------------------------------- */

struct worker {
    const struct variant *variant;
    pid_t pid; /* 0: not running */
    int socket, output_file, stdout_file, stderr_file;
    bool answered; /* at least once: it could start */
    bool resting;  /* until it is asked again */
    struct fate fate; /* why it is not running any more */
};

/* For workers that are to be started: another program than this one (NULL: this one), and what its
   process must do before it becomes it (NULL: nothing). */
extern const char *worker_program;
extern void (*worker_confine)(void);

/* Whether a profiler is in the workers, too, and writes files of its own, of any size. */
extern bool worker_profiled;

/* Starts a worker, for so many threads on as many processors; it sees so many devices (0: all), the
   first ones of those that this process would.  False: it could not be, and the fate says why. */
bool worker_start(struct worker *w, const struct variant *v, const char *name, int input_file,
                  int threads, int devices, size_t memory);

/* Gives the outputs their memory, then as worker_ask with OP_OPEN. */
bool worker_open(struct worker *w, const struct layout *layout, double timeout,
                 struct reply *reply);

/* Asks and waits, `timeout` seconds at most.  False: the worker is gone, its fate says why. */
bool worker_ask(struct worker *w, const struct request *request, struct reply *reply,
                double timeout);

/* Stops it until it is next asked: its threads may wait for work in a loop, on the processors of
   whoever has the next turn. */
void worker_rest(struct worker *w);

/* Gives the memory of its outputs back, after the release. */
void worker_shrink(struct worker *w);

/* Ends it, running or not, and closes its files. */
void worker_end(struct worker *w);

/* --- the worker's side: worker.c -------------------------------------------------------------- */

/* Never returns.  `arguments` is what worker_start put behind --worker. */
_Noreturn void worker_main(char **arguments);

#endif
