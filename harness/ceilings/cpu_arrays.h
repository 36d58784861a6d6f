/*
 * For the CPU's memory: up to three arrays, divided among the cores, and enough sweeps over them that the
 * start of the threads does not count.
 *
 * The including file first defines ARRAYS: how many arrays share the working set.  z is the output.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "cpu_team.h"
#include "harness/ceilings/ceiling.h"

enum { LINE = 16, HUGE_PAGE = 2 << 20 }; /* floats, bytes */
enum { PIECE = 4 << 18 };                /* floats: 4 MiB */
static const double CALL = 0x1p27;       /* the least bytes that each core moves in a call */

static float *x, *y, *z;
static size_t share; /* floats of an array that belong to one core */

static float *allocate(size_t floats)
{
    size_t bytes = (floats * sizeof(float) + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *array = aligned_alloc(HUGE_PAGE, bytes);

    madvise(array, bytes, MADV_HUGEPAGE); /* only advice; the variants' arrays get huge pages as well */
    return array;
}

static void prepare(const void *problem)
{
    const struct ceiling_case *p = problem;
    const size_t cores = (size_t)p->cores;

    share = p->bytes / ARRAYS / cores / sizeof(float) / LINE * LINE;
    share = share > 0 ? share : LINE;
    x = allocate(cores * share);
    y = ARRAYS == 3 ? allocate(cores * share) : x;
    z = allocate(cores * share);
    team_start(p->cores);
    /* A page lies near the core that touches it first. */
#pragma omp parallel num_threads(p->cores)
    {
        size_t first = (size_t)omp_get_thread_num() * share;
        for (size_t i = first; i < first + share; i++) {
            x[i] = 1.0f / (float)(i % 1021 + 3);
            if (ARRAYS == 3)
                y[i] = 1.0f / (float)(i % 509 + 3);
            z[i] = 0.0f;
        }
    }
}

/* Calls the kernel on every share, again and again.  Its lengths are in floats, not bytes. */
static void sweep(const struct ceiling_case *p,
                  void (*kernel)(size_t n, const float *x, const float *y, float *z))
{
    const double bytes = (double)(ARRAYS * (size_t)p->cores * share * sizeof(float));
    const double least = CALL * p->cores;
    const size_t sweeps = bytes < least ? (size_t)(least / bytes) : 1;
    const size_t all = (size_t)p->cores * share, piece = share < PIECE ? share : PIECE;

    /* A core keeps its own share where that may be in its cache.  Larger shares are cut into pieces
       for the next free core, because other processes may use some of the cores. */
    if (share <= PIECE)
        omp_set_schedule(omp_sched_static, 1);
    else
        omp_set_schedule(omp_sched_dynamic, 1);
#pragma omp parallel num_threads(p->cores)
    for (size_t i = 0; i < sweeps; i++) {
#pragma omp for schedule(runtime) nowait
        for (size_t first = 0; first < all; first += piece)
            kernel(all - first < piece ? all - first : piece, x + first, y + first, z + first);
    }
    p->work[0] = (double)sweeps * bytes;
    p->work[1] = 1.0;
}

static void release(void)
{
    team_end();
    if (y != x)
        free(y);
    free(x);
    free(z);
}
