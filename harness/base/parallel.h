/*
 * Work on all processors: for data, references and verdicts, never while a variant is timed.
 *
 * A range is cut into chunks of `grain` items, the last one shorter.  Each chunk is handled once,
 * by the next free thread. The cuts do not depend on the number of threads.  So a caller that keeps
 * one result a chunk (number begin / grain) and joins them in order gets the same bits on any
 * machine.  The threads end within the call.  One chunk or one processor needs no thread.
 */
#ifndef RUNGS_PARALLEL_H
#define RUNGS_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

/* Handles the items from `begin` up to `end`.  All threads share the context; no two may write
   the same place in it. */
typedef void parallel_part(void *context, size_t begin, size_t end);

/* Handles all of `count` items; a grain of 0 counts as 1.  Returns false if the run was
   interrupted (harness/base/interrupt.h): chunks not yet begun are then left undone. */
bool parallel_for(size_t count, size_t grain, parallel_part *part, void *context);

/* The same with this many threads, the caller's included; 0: one for each processor that this
   program may use. */
bool parallel_for_on(size_t threads, size_t count, size_t grain, parallel_part *part,
                     void *context);

/* Returns the number of chunks of such a range. */
size_t parallel_chunks(size_t count, size_t grain);

/* Returns a grain of at least `least` that makes few enough chunks to keep a result of each. */
size_t parallel_grain(size_t count, size_t least);

enum { MAX_CHUNKS = 1024 };

#endif
