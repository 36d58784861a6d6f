/* Timing on the worker's side: calls the variant and reads the clocks. */
#ifndef RUNGS_SAMPLE_H
#define RUNGS_SAMPLE_H

#include "harness/worker/protocol.h"

/* The variant of this process, with the open case. */
struct stage {
    const struct variant *variant;
    const struct device *device;
    const void *problem;
    struct ledger *ledger; /* NULL until a case is open */
    worker_opened *foreign; /* in another language, whose runtime keeps what it has started; else NULL */
};

/* Calls a phase, if the variant has it, and notes which one it is in case the process crashes. */
void stage_do(const struct stage *s, enum activity which, void (*function)(const void *));

/* Makes one cycle: upload, run, download, and waits for all of it. */
void stage_cycle(const struct stage *s);

/* Makes a cycle without upload: the data must still be there.  Returns 0, and does nothing, if the
   variant has no upload. */
unsigned long stage_again(const struct stage *s);

/* Makes a cycle without run. */
void stage_copies(const struct stage *s);

/* Forget what is known of the last case, and its calibration, which each prepare may change. */
void sample_open(void);
void sample_begin(void);

/* Serve OP_WARM and OP_BLOCK (harness/worker/protocol.h). */
void sample_warm(const struct stage *s, const struct request *q, struct reply *a);
void sample_block(const struct stage *s, const struct request *q, struct reply *a);

#endif
