/*
 * Which core computes which rows, for the loops with schedule(runtime).
 *
 * While an image may be in the caches, each core has an equal part, the same in every sweep, and finds it in its
 * own cache.  Of a larger image, each free core takes the next rows.  With equal parts all cores would wait for
 * the one that other processes slow down.
 */
#ifndef RUNGS_STENCIL_SHARE_OUT_H
#define RUNGS_STENCIL_SHARE_OUT_H

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>

#define STREAM_FROM ((size_t)32 << 20) /* bytes of an image; most caches hold less than two */

enum { AT_A_TIME = 1 << 20 }; /* bytes of rows: some 100 us, and few are read by two cores */

/* Sets the schedule; `step`: bytes that one turn of the loop writes.  Returns whether the image is larger than the
   caches, and so worth streaming stores. */
static bool share_out(size_t image, size_t step)
{
    const bool stream = image >= STREAM_FROM;

    if (stream)
        omp_set_schedule(omp_sched_dynamic, step < AT_A_TIME ? (int)(AT_A_TIME / step) : 1);
    else
        omp_set_schedule(omp_sched_static, 0); /* 0: as equal as can be */
    return stream;
}

#endif
