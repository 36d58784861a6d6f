/*
 * Who does which rows, for the loops with schedule(runtime).
 *
 * While an image may be in the caches, each core has an equal part, the same in every sweep, and
 * finds it there.  Beyond, whoever is free takes the next rows: with equal parts all wait for the
 * core that others on the machine are at work on.
 */
#ifndef RUNGS_STENCIL_SHARE_OUT_H
#define RUNGS_STENCIL_SHARE_OUT_H

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>

#define STREAM_FROM ((size_t)32 << 20) /* bytes of an image; most caches hold less than two */

enum { AT_A_TIME = 1 << 20 }; /* bytes of rows: some 100 us, and few are read by two cores */

/* `step`: bytes that one turn of the loop writes.  Is the image beyond the caches? */
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
