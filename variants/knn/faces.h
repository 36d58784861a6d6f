/*
 * For rungs that score a pair with two multiply-adds.
 *
 * Dividing an observation's unit vector by the size of its largest component changes no ranking,
 * and leaves that component 1 or -1: the score is +-x + b y + c z, with x, y, z the reference's.
 * The sphere is seen as a cube with six faces, and observations on one face go together: for all of
 * them the same component is the first, with the same sign.
 *
 * A rung says how long its vectors are and what they need, LANES and VECTORS, before it includes
 * this, and writes best_of_block.
 */
#ifndef RUNGS_KNN_FACES_H
#define RUNGS_KNN_FACES_H

#include <omp.h>

#include "common/knn.h"
#include "exact.h" /* units, workspace, unit_vectors, pack, answer_by_tiles */

/* Observations at a time, that share each block of references while it is in the nearest cache.  On
   six faces, each group of GROUP, the last one of a face repeats observations. */
enum { PASS = 512, GROUP = 4, FACES = 6, ROOM = PASS + FACES * (GROUP - 1) };

struct faced {
    float at[3];
    uint32_t i; /* the observation, or REPEATED */
    uint8_t first, second, third; /* components: the largest, and the others */
    float sign; /* 0 or -0: to flip the sign of the first with */
};

#define REPEATED UINT32_MAX

HELPER struct faced face(const struct knn *p, size_t i, unsigned *number)
{
    struct faced q = {.i = (uint32_t)i};
    float *at = q.at, largest;

    unit_vector(p->obs_lat, p->obs_lon, i, (struct units){at, at + 1, at + 2}, 0);
    q.first = fabsf(at[0]) < fabsf(at[1]);
    q.first = fabsf(at[q.first]) < fabsf(at[2]) ? 2 : q.first;
    q.second = q.first == 0;
    q.third = q.first == 2 ? 1 : 2;
    q.sign = copysignf(0, at[q.first]);
    largest = fabsf(at[q.first]);
    for (int c = 0; c < 3; c++)
        at[c] /= largest;
    *number = 2u * q.first + (at[q.first] < 0);
    return q;
}

/* Observations from `first` on, sorted by face, in whole groups; returns how many places are taken.
   */
HELPER size_t sort_by_face(const struct knn *p, size_t first, size_t count, struct faced *sorted)
{
    struct faced given[PASS];
    unsigned number[PASS];
    size_t taken = 0;

    for (size_t g = 0; g < count; g++)
        given[g] = face(p, first + g, &number[g]);
    for (unsigned f = 0; f < FACES; f++) {
        for (size_t g = 0; g < count; g++)
            if (number[g] == f)
                sorted[taken++] = given[g];
        for (; taken % GROUP != 0; taken++) {
            sorted[taken] = sorted[taken - 1];
            sorted[taken].i = REPEATED;
        }
    }
    return taken;
}

/* --- what does not depend on the vectors ------------------------------------------------------ */

static struct units ref;
static float *packed; /* [block][TILE][x, y, z][LANES] */
static size_t blocks;
static size_t threads;

static struct thread {
    struct workspace work;
    float *best; /* [ROOM][tiles of all blocks] */
} *thread; /* [threads] */

/* Of one block's tiles the best scores for GROUP observations on one face. */
VECTORS static void best_of_block(size_t b, const struct faced *group, float *best);

static void prepare(const void *problem)
{
    const struct knn *p = problem;

    blocks = (p->n + TILE * LANES - 1) / (TILE * LANES);
    ref = units_new(p->n);
    packed = packed_new(p->n, LANES);
    threads = (size_t)omp_get_max_threads();
    thread = malloc(threads * sizeof *thread);
    for (size_t t = 0; t < threads; t++) {
        thread[t].work = workspace_new(p->n);
        thread[t].best = floats(ROOM * blocks * LANES, CHUNK);
    }
}

/* Answers `count` observations, PASS at most. */
VECTORS static void answer_pass(struct thread *t, const struct knn *p, size_t first, size_t count)
{
    struct faced sorted[ROOM];
    size_t taken = sort_by_face(p, first, count, sorted);

    for (size_t b = 0; b < blocks; b++)
        for (size_t g = 0; g < taken; g += GROUP)
            best_of_block(b, sorted + g, t->best + g * blocks * LANES);
    for (size_t g = 0; g < taken; g++)
        if (sorted[g].i != REPEATED)
            answer_by_tiles(&t->work, p, sorted[g].i, sorted[g].at, ref,
                            t->best + g * blocks * LANES);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

#pragma omp parallel num_threads((int)threads)
    {
        unit_vectors(p, ref);
        pack(ref, p->n, LANES, packed);
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < p->m; i += PASS)
            answer_pass(&thread[omp_get_thread_num()], p, i, p->m - i < PASS ? p->m - i : PASS);
    }
}

static void release(void)
{
    for (size_t t = 0; t < threads; t++) {
        workspace_free(thread[t].work);
        free(thread[t].best);
    }
    free(thread);
    free(packed);
    units_free(ref);
}

#endif
