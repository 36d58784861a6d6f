/*
 * The messages between parent and worker: one request and one reply at a time, over a socket.  And the
 * note that a worker leaves for the parent in case it ends.
 */
#ifndef RUNGS_PROTOCOL_H
#define RUNGS_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/variant.h"
#include "harness/machine/devices.h"
#include "harness/model/arena.h"
#include "harness/model/rank_facts.h"
#include "harness/model/outcome.h"
#include "harness/model/samples.h"

enum op {
    OP_OPEN,    /* maps the case; the variant may refuse it */
    OP_PREPARE, /* calls prepare; replies with its seconds */
    OP_SHOW,    /* maps the inputs, after a blind open and prepare */
    OP_CALL,    /* one full cycle: upload, run, download; replies with its seconds */
    OP_AGAIN,   /* run and download again without an upload; reps 0: the variant has no upload */
    OP_COPIES,  /* upload and download without a run, whose answer must not be right */
    OP_CAPTURE, /* a cycle for a profiler that waits for it; repeated until `seconds` are over */
    OP_WARM,    /* as many cycles as fit into `seconds`; finds the reps of a sample */
    OP_BLOCK,   /* up to `samples` samples of `reps` cycles within `seconds`; 0 samples are possible */
    OP_KEEP_ON, /* replies after one cycle, and goes on making cycles until the next request */
    OP_STOP,    /* which may be this one; replies with its cycles from `from` until `until` */
    OP_RELEASE, /* calls release; is anything left behind? */
    OP_FACTS    /* describes the variant's device */
};

/* What a variant is doing. */
enum activity {
    IN_HARNESS, IN_REFUSE, IN_PREPARE, IN_UPLOAD, IN_RESET, IN_RUN, IN_DOWNLOAD, IN_RELEASE, ACTIVITIES
};

extern const char *const activity_names[ACTIVITIES];

struct request {
    enum op op;
    uint64_t nonce; /* copied into the reply, which only the worker itself can then have written */
    unsigned samples;
    unsigned long reps;
    double seconds; /* OP_WARM, OP_BLOCK: how long to go on; at least one sample */
    double target;  /* OP_WARM: how long a sample should take, in seconds */
    double from, until; /* OP_STOP: by clock_now() */
    bool blind;     /* OP_OPEN: the inputs hold values already, and are mapped by OP_SHOW only */
    bool settle;    /* OP_BLOCK: begin with one cycle that is not a sample, because other variants have
                       run since */
};

struct reply {
    uint64_t nonce;       /* the request's */
    enum outcome outcome; /* OUTCOME_OK, or another with its reason in `text` */
    char text[256];
    double seconds;     /* of the whole request; OP_WARM: of one cycle, estimated */
    double cpu_seconds; /* processor time of all threads of this process during the request */
    int threads;          /* of the variant, alive at the end, with the main thread; of all ranks */
    unsigned long reps;
    double first;       /* OP_BLOCK: seconds of the cycle that is not a sample; 0: there was none */
    double beside;      /* OP_BLOCK: seconds outside of samples: phases by the device's clock, resets */
    double cycles;      /* OP_STOP */
    double last_call;   /* OP_BLOCK: when the last cycle began, by clock_now() */
    double context;     /* OP_OPEN: seconds to start the device, the first time */
    struct rank_facts mpi;         /* OP_OPEN: of an MPI variant */
    struct samples samples;
    struct device_facts facts[MAX_DEVICES]; /* OP_FACTS: [devices] */
    int devices;
    size_t evaluated;   /* OP_CALL: evaluations of a method that iterates, and the first of them */
    struct evaluation evaluations[EVALUATIONS_KEPT];
    double device_step; /* OP_FACTS: the shortest time between two of the device's stamps, seconds */
};

/* What a worker notes at arena_ledger(), for the parent to read if the worker ends. */
struct ledger {
    volatile int activity;  /* enum activity: what the variant was doing */
    int signal;             /* the signal that ended it */
    const void *address;    /* the address that faulted; for SIGSYS, the number of the system call */
    size_t code;            /* where the instruction is in the variant's file; 0: not known */
    bool wrote;             /* the access was a write (known on x86-64 only) */
    size_t wanted, allowed; /* bytes of the allocation that failed, and bytes allowed */
};

/* A worker's open descriptor and its exit statuses.  The files of a case come with OP_OPEN (inputs,
   outputs) and OP_SHOW (inputs); the worker closes them before it calls the variant. */
enum { WORKER_SOCKET = 3, WORKER_FILES = 2 };
enum {
    WORKER_WROTE_INPUT = 120,      /* RUNGS_WROTE_INPUT of common/foreign.h, and so on */
    WORKER_NOT_INSTALLED = 121,
    WORKER_NOT_ITS_CARD = 122,
    WORKER_NO_DEVICE_MEMORY = 123, /* CUDA_NO_MEMORY of common/cuda.h */
    WORKER_NO_MEMORY = 124,
    WORKER_BROKEN = 125
};

/* The worker's side: serves requests with a variant.  `name` appears on a profiler's time line.  A variant on the CPU
   may have `memory` bytes of its own (0: no limit).  `foreign` is NULL for C and CUDA.  For another language, whose
   runtime may keep threads and processes, it is called when a case has been mapped, with the files of inputs and of
   outputs. */
typedef void worker_opened(const int files[]);
_Noreturn void worker_serve(const char *name, const struct variant *variant, worker_opened *foreign,
                            size_t memory);

/* For a rank that serves no requests: from now on leaves a note if the process ends by a fault, or asks for more memory. */
void worker_watch(struct ledger *note, size_t memory);

/* How many requests there have been.  The harness changes a case between them only. */
extern unsigned long worker_requests;

/* Where worker_serve gets requests from, and what it says of the processes that it leads (harness/worker/ranks.c). */
extern int worker_connection;
extern struct rank_facts worker_mpi;

/* Called when there are no more requests, before the process ends; NULL: nothing is. */
extern void (*worker_leaves)(void);

#endif
