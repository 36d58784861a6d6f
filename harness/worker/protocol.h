/*
 * What parent and worker say to each other: requests and replies over a socket, one at a time, and
 * the note that a worker leaves for the time after its death.
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
#include "harness/model/outcome.h"
#include "harness/model/samples.h"

enum op {
    OP_OPEN,    /* map the case; does the variant refuse it? */
    OP_PREPARE, /* seconds */
    OP_SHOW,    /* after a blind open, and prepare: maps the inputs */
    OP_CALL,    /* one full cycle: upload, run, download; seconds */
    OP_AGAIN,   /* run and download once more on what is there; reps 0: it has no upload to leave out */
    OP_CAPTURE, /* the same, for a profiler that waits for it; again until `seconds` are over */
    OP_WARM,    /* as many cycles as `seconds` allow; finds the reps of a sample */
    OP_BLOCK,   /* up to `samples` samples of `reps` cycles within `seconds`; none is none */
    OP_RELEASE, /* is anything left behind? */
    OP_FACTS    /* what the variant's device is */
};

/* What a variant is doing. */
enum activity {
    IN_HARNESS, IN_REFUSE, IN_PREPARE, IN_UPLOAD, IN_RESET, IN_RUN, IN_DOWNLOAD, IN_RELEASE, ACTIVITIES
};

extern const char *const activity_names[ACTIVITIES];

struct request {
    enum op op;
    uint64_t nonce; /* comes back in the reply, which only the worker can have written */
    unsigned samples;
    unsigned long reps;
    double seconds; /* OP_WARM, OP_BLOCK: how long to go on; one sample at least */
    double target;  /* OP_WARM: seconds that a sample should last */
    bool blind;     /* OP_OPEN: the inputs hold values already, and are not mapped before OP_SHOW */
    bool settle;    /* OP_BLOCK: one cycle first that is no sample, as others have run meanwhile */
};

struct reply {
    uint64_t nonce;       /* the request's */
    enum outcome outcome; /* OUTCOME_OK, or what `text` gives the reason of */
    char text[256];
    double seconds;     /* what the request took, or the estimate of one cycle (OP_WARM) */
    double cpu_seconds; /* processor time of all threads meanwhile */
    int threads;        /* of the variant's own, alive at the end of it, the first included */
    unsigned long reps;
    double first;       /* OP_BLOCK: seconds of the cycle that is no sample; 0: there was none */
    double beside;      /* OP_BLOCK: seconds of what is in no sample: phases by the device's clock, resets */
    double last_call;   /* OP_BLOCK: when its last cycle began, by clock_now() */
    double context;     /* OP_OPEN: seconds that it took to start the device, the first time */
    struct samples samples;
    struct device_facts facts[MAX_DEVICES]; /* OP_FACTS: as many as `devices` says */
    int devices;
    double device_step; /* OP_FACTS: the least time between two of the device's stamps, seconds */
};

/* What a worker notes down for the time after its death, at arena_ledger(). */
struct ledger {
    volatile int activity;  /* enum activity: what the variant was doing */
    int signal;             /* that ended it */
    const void *address;    /* that could not be touched; of SIGSYS, the number of the call */
    bool wrote;             /* it was a write (known on x86-64 only) */
    size_t wanted, allowed; /* bytes that memory was asked for, and bytes there were for it */
};

/* The descriptor that a worker finds open, and its exit statuses.  The files of a case come with
   OP_OPEN (inputs, outputs) and OP_SHOW (inputs), and are closed before the variant is called. */
enum { WORKER_SOCKET = 3, WORKER_FILES = 2 };
enum {
    WORKER_WROTE_INPUT = 120,      /* RUNGS_WROTE_INPUT of common/foreign.h, and so on */
    WORKER_NOT_INSTALLED = 121,
    WORKER_NOT_ITS_CARD = 122,
    WORKER_NO_DEVICE_MEMORY = 123, /* CUDA_NO_MEMORY of common/cuda.h */
    WORKER_NO_MEMORY = 124,
    WORKER_BROKEN = 125
};

/* The worker's side: does what the parent asks with a variant.  `name` is for a profiler's time line; a variant
   on the CPU may have `memory` bytes of its own (0: no limit).  `foreign`: it is in another language, whose
   runtime may keep threads and processes; called with the files of a case (inputs, outputs) when it has been
   mapped, before they are closed, it returns the process that does the work (0: this one).  NULL: it is not. */
typedef pid_t worker_opened(const int files[]);
_Noreturn void worker_serve(const char *name, const struct variant *variant, worker_opened *foreign,
                            size_t memory);

#endif
