/*
 * All processors for data, references and verdicts, and none of them for longer than that takes.
 *
 * A range is cut into chunks of `grain`, the last one shorter, and each chunk is handed out once, by
 * whichever thread is free.  Where the cuts are does not depend on the number of threads: who keeps
 * one result a chunk (its number is begin / grain) and joins them in order has the same bits on any
 * machine.  The threads are started and ended within the call, so that none is left to disturb what
 * is timed, and none at all where there is one chunk or one processor.
 */
#ifndef RUNGS_PARALLEL_H
#define RUNGS_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

/* Items from `begin` up to `end`; the context is shared, what is written must not be. */
typedef void parallel_part(void *context, size_t begin, size_t end);

/* Does all of `count` items; a grain of 0 is one of 1.  False: interrupted (harness/base/interrupt.h),
   and chunks that had not begun are left undone. */
bool parallel_for(size_t count, size_t grain, parallel_part *part, void *context);

/* The same on so many threads, the caller's included; 0: one a processor that this program may use. */
bool parallel_for_on(size_t threads, size_t count, size_t grain, parallel_part *part,
                     void *context);

/* How many chunks such a range has. */
size_t parallel_chunks(size_t count, size_t grain);

/* A grain of at least `least` that makes no more chunks than a caller likes to keep results of. */
size_t parallel_grain(size_t count, size_t least);

enum { MAX_CHUNKS = 1024 };

#endif
