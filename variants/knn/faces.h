/*
 * For variants that score a pair with two multiply-adds instead of three: cpu_faces, cpu_faces_avx512 and
 * cpu_vnni.
 *
 * An observation's unit vector is divided by the size of its largest component.  That changes no ranking, and
 * that component becomes 1 or -1.  With the reference (x, y, z), the score is +-x + b y + c z.
 *
 *           +-----+            Seen from its centre, the sphere is a cube with six faces: +x, -x, +y, -y, +z
 *          /  +z /|            and -z.  All observations on one face have the same largest component, with
 *         +-----+ |            the same sign, so the formula is the same for all of them, e.g. on
 *         |     |+y                face +y:  score =  y + b x + c z
 *         | +x  | +                face -z:  score = -z + b x + c y
 *         |     |/
 *         +-----+
 *
 *     PASS observations:   in order     [ +x  -z  +y  +x  +x  -y  ... ]
 *     sort_by_face():      in groups    [ +x +x +x (+x) | -x ... | +y ... | ... ]   a face's last group is
 *                                                                                   filled by repetition
 * A group goes through all references together, so that each vector of references is loaded once for GROUP
 * observations.  Then the group is answered, while its scores are in the first-level cache.
 *
 * A variant includes avx2.h or avx512.h, says how many observations are a GROUP, and includes this.  Then it
 * writes the four functions that are declared below; faces_float.h has them for float32.
 */
#ifndef RUNGS_KNN_FACES_H
#define RUNGS_KNN_FACES_H

#include <omp.h>

#include "common/knn.h"
#include "exact.h"   /* units, workspace, pack */
#include "nearest.h" /* only_one, answer_candidates, measure */

/* PASS observations are sorted at a time; ROOM has the repetitions as well. */
enum { PASS = 1024, FACES = 6, ROOM = PASS + FACES * (GROUP - 1) };

struct faced {
    float at[3];
    uint32_t i;    /* the observation, or REPEATED */
    uint32_t face; /* twice the largest component's number; and 1, if that is negative */
};

#define REPEATED UINT32_MAX

/* The number of the largest component, and the others */
struct axes {
    size_t first, second, third;
};

HELPER inline struct axes axes(const struct faced *q)
{
    size_t first = q->face / 2;

    return (struct axes){first, first == 0, first == 2 ? 1 : 2};
}

/* Writes the divided vectors of `count` observations from `first` on, and the numbers of their faces. */
INLINE VECTORS void face(const struct knn *p, size_t first, size_t count, float at[3][PASS],
                         uint32_t number[])
{
    for (size_t g = 0; g < count; g++) {
        double x, y, z, size, side;

        to_unit_vector(p->obs_lat[first + g], p->obs_lon[first + g], &x, &y, &z);
        side = x;
        side = fabs(y) > fabs(side) ? y : side;
        side = fabs(z) > fabs(side) ? z : side;
        size = fabs(side);
        at[0][g] = (float)(x / size);
        at[1][g] = (float)(y / size);
        at[2][g] = (float)(z / size);
        number[g] = (side == z ? 4 : side == y ? 2 : 0) + (side < 0);
    }
}

/* Sorts `count` observations from `first` on by face, in whole groups.  Returns how many places they take,
   repetitions included. */
VECTORS static size_t sort_by_face(const struct knn *p, size_t first, size_t count,
                                   struct faced *sorted)
{
    float at[3][PASS];
    uint32_t number[PASS];
    size_t held[FACES] = {0}, next[FACES], taken = 0;

    face(p, first, count, at, number);
    for (size_t g = 0; g < count; g++)
        held[number[g]]++;
    for (unsigned f = 0; f < FACES; f++) {
        next[f] = taken;
        taken += (held[f] + GROUP - 1) / GROUP * GROUP;
    }
    for (size_t g = 0; g < count; g++)
        sorted[next[number[g]]++] = (struct faced){
            .at = {at[0][g], at[1][g], at[2][g]}, .i = (uint32_t)(first + g), .face = number[g]};
    for (unsigned f = 0; f < FACES; f++)
        for (; next[f] % GROUP != 0; next[f]++) {
            sorted[next[f]] = sorted[next[f] - 1];
            sorted[next[f]].i = REPEATED;
        }
    return taken;
}

static struct units ref;
static void *packed;      /* the references once more, as the variant's best_on_side() reads them: in blocks
                             of LANES tiles, a tile for each lane */
static size_t blocks;
static size_t row_length; /* best scores of an observation: one for each tile, padded to whole tiles */
static size_t threads;

static struct thread {
    struct workspace work;
    float *best; /* [GROUP][row_length] */
} *thread; /* [threads] */

/* --- what a variant writes -------------------------------------------------------------------- */

/* How many bytes `packed` takes for so many references, repetitions included */
static size_t packed_bytes(size_t references);

/* Writes `ref` to `packed`.  All threads call this and share its loop. */
static void pack_references(size_t n);

/* Writes the best score of each tile for GROUP observations on one face to best[GROUP][row_length].  Their
   largest component is 1, or -1 (`negative`).  `negative` is a constant in each call, so that there are two
   loops and no sign is flipped in them. */
INLINE VECTORS void best_on_side(const struct faced *group, float *best, int negative);

/* least_score() is declared in nearest.h. */

/* --- what all have in common ------------------------------------------------------------------ */

VECTORS static void best_of_tiles(const struct faced *group, float *best)
{
    if (group->face % 2 == 0)
        best_on_side(group, best, 0);
    else
        best_on_side(group, best, 1);
}

static void prepare(const void *problem)
{
    const struct knn *p = problem;

    blocks = (p->n + TILE * LANES - 1) / (TILE * LANES);
    row_length = (blocks * LANES + TILE - 1) / TILE * TILE;
    ref = units_new(p->n);
    packed = aligned_alloc(64, packed_bytes(blocks * TILE * LANES));
    threads = (size_t)omp_get_max_threads();
    thread = malloc(threads * sizeof *thread);
    for (size_t t = 0; t < threads; t++) {
        thread[t].work = workspace_new(p->n);
        thread[t].best = floats(GROUP * row_length, CHUNK);
        for (size_t i = 0; i < GROUP * row_length; i++)
            thread[t].best[i] = -4; /* below any score */
    }
}

/* Finds the nearest references of those of GROUP observations that have a single candidate; for the others
   writes SEVERAL.  In stages, so that the processor works on several observations at once while each waits
   for its own numbers. */
VECTORS static void find_nearest(const struct faced *group, const float *best,
                                 uint32_t nearest[GROUP])
{
    float least[GROUP];

    for (size_t g = 0; g < GROUP; g++)
        least[g] = least_score(group[g].at, highest(best + g * row_length, row_length));
    for (size_t g = 0; g < GROUP; g++)
        nearest[g] = only_one(best + g * row_length, row_length, least[g]);
    for (size_t g = 0; g < GROUP; g++)
        if (nearest[g] != SEVERAL)
            nearest[g] = only_one_of_tile(ref, nearest[g], group[g].at);
}

VECTORS static void answer_group(struct thread *t, const struct knn *p, const struct faced *group)
{
    uint32_t nearest[GROUP];

    best_of_tiles(group, t->best);
    for (size_t g = 0; g < GROUP; g++)
        nearest[g] = SEVERAL;
    if (p->k == 1)
        find_nearest(group, t->best, nearest);
    for (size_t g = 0; g < GROUP && group[g].i != REPEATED; g++)
        if (nearest[g] == SEVERAL)
            answer_candidates(&t->work, p, group[g].i, group[g].at, ref, t->best + g * row_length);
        else
            p->index[group[g].i] = nearest[g];
}

/* Answers `count` observations, PASS at most. */
VECTORS static void answer_pass(struct thread *t, const struct knn *p, size_t first, size_t count)
{
    struct faced sorted[ROOM];
    size_t taken = sort_by_face(p, first, count, sorted);

    for (size_t g = 0; g < taken; g += GROUP)
        answer_group(t, p, sorted + g);
    if (p->k == 1)
        measure(p, first, count);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

#pragma omp parallel num_threads((int)threads)
    {
        precise_unit_vectors(p, ref);
        pack_references(p->n);
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
