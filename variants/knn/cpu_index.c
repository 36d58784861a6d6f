/*
 * knn / cpu_index
 *
 * Idea     Do not look at most pairs at all.  Cut space into cubes and sort the references by cube:
 *          an observation looks into its own and those around it, and into twice as wide a box as
 *          long as somebody outside could still be nearer than the k found inside.
 * Against  cpu_blocked, which computes every pair as fast as it can.
 * Expect   Some tens of pairs an observation, whatever n is, so time grows with m alone.  Bound by
 *          what an answer costs besides pairs: sines, jumps in memory, branches that go both ways.
 * Try      A few observations only: from what m on has building the index paid for itself?
 * Level    3
 * Read     exact.h, grid.h
 */
#include <omp.h>

#include "common/knn.h"
#include "common/variant.h"
#include "exact.h" /* workspace, consider, nearer, answer */
#include "grid.h"  /* grid, cube_on, cube_at, unit, slack */

static struct workspace *work; /* [threads] */
static size_t threads;

static void prepare(const void *problem)
{
    const struct knn *p = problem;

    grid_new(p->n);
    threads = (size_t)omp_get_max_threads();
    work = malloc(threads * sizeof *work);
    for (size_t t = 0; t < threads; t++)
        work[t] = workspace_new(p->n);
}

/* The cubes from low to high around `at`.  Returns how near to it a reference outside may be. */
static double box_around(const double at[3], ptrdiff_t reach, ptrdiff_t low[3], ptrdiff_t high[3])
{
    double border = INFINITY;

    for (int a = 0; a < 3; a++) {
        ptrdiff_t home = cube_on(a, at[a]);

        low[a] = home > reach ? home - reach : 0;
        high[a] = home + reach < grid.cubes[a] ? home + reach : grid.cubes[a] - 1;
        if (low[a] > 0)
            border = fmin(border, at[a] - (grid.low[a] + (double)low[a] * grid.side));
        if (high[a] < grid.cubes[a] - 1)
            border = fmin(border, grid.low[a] + (double)(high[a] + 1) * grid.side - at[a]);
    }
    return border;
}

/* The squared chords to all references of the box. */
static size_t look(struct candidate *found, const double at[3], const ptrdiff_t low[3],
                   const ptrdiff_t high[3])
{
    size_t count = 0;

    for (ptrdiff_t x = low[0]; x <= high[0]; x++)
        for (ptrdiff_t y = low[1]; y <= high[1]; y++) { /* cubes along z lie side by side */
            const struct point *point = grid.sorted + grid.start[cube_at(x, y, low[2])];
            const struct point *end = grid.sorted + grid.start[cube_at(x, y, high[2]) + 1];

            for (; point < end; point++) {
                double dx = point->at[0] - at[0];
                double dy = point->at[1] - at[1];
                double dz = point->at[2] - at[2];

                found[count++] = (struct candidate){dx * dx + dy * dy + dz * dz, point->index};
            }
        }
    return count;
}

/* The k-th smallest; a single one needs no sorting. */
static double kth(struct candidate *found, size_t count, size_t k)
{
    double least = found[0].distance;

    if (k > 1) {
        qsort(found, count, sizeof *found, nearer);
        return found[k - 1].distance;
    }
    for (size_t c = 1; c < count; c++)
        least = found[c].distance < least ? found[c].distance : least;
    return least;
}

static void search(struct workspace *w, const struct knn *p, size_t i)
{
    struct candidate *found = w->candidate;
    ptrdiff_t low[3], high[3];
    double at[3];

    unit(p->obs_lat[i], p->obs_lon[i], at);
    for (ptrdiff_t reach = 1;; reach *= 2) {
        double border = box_around(at, reach, low, high);
        size_t count = look(found, at, low, high);

        if (count < p->k)
            continue;

        double chord = sqrt(kth(found, count, p->k)) + slack;

        if (chord > border - slack)
            continue;
        for (size_t c = 0; c < count; c++) /* consider() writes found[] no faster than we read it */
            if (found[c].distance <= chord * chord)
                consider(w, found[c].index);
        answer(w, p, i);
        return;
    }
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    grid_build(p);
#pragma omp parallel for num_threads((int)threads) schedule(dynamic, 64)
    for (size_t i = 0; i < p->m; i++)
        search(&work[omp_get_thread_num()], p, i);
}

static void release(void)
{
    for (size_t t = 0; t < threads; t++)
        workspace_free(work[t]);
    free(work);
    grid_free();
}

VARIANT(.idea = "a grid of cubes: look at near references only",
        .base = "cpu_blocked",
        .math = MATH_F32,
        .traits = TRAIT_SHORTCUT,
        .prepare = prepare,
        .run = run,
        .release = release)
