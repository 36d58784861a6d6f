/* Timing, the worker's side: calls one variant and reads the clocks. */
#ifndef RUNGS_SAMPLE_H
#define RUNGS_SAMPLE_H

#include "harness/worker/protocol.h"

/* The variant that this process is for, with the case that is open. */
struct stage {
    const struct variant *variant;
    const struct device *device;
    const void *problem;
    struct ledger *ledger; /* NULL until a case is open */
    worker_opened *foreign; /* in another language, whose runtime keeps what it has started; else NULL */
};

/* Calls a phase, if there is one, and notes down for the time after a crash which it is. */
void stage_do(const struct stage *s, enum activity which, void (*function)(const void *));

/* One cycle: upload, run, download, and all of it done. */
void stage_cycle(const struct stage *s);

/* All but the upload, once more: what it has brought must still be there.  0: there is no upload. */
unsigned long stage_again(const struct stage *s);

/* Forgets what was found out about the last case. */
void sample_begin(void);

/* OP_WARM and OP_BLOCK: harness/worker/protocol.h. */
void sample_warm(const struct stage *s, const struct request *q, struct reply *a);
void sample_block(const struct stage *s, const struct request *q, struct reply *a);

#endif
