/*
 * knn / cpu_mpi_references
 *
 * Idea     The references are cut, not the observations: each rank finds the k nearest of its own references for all
 *          observations.  Then lists of k meet in a tree of ranks, two at a time, and the k nearest of both go on: by
 *          distance, and of equal ones the lowest index (MPI_Reduce with an operation of our own).
 * Against  cpu_mpi, which cuts the observations and has nothing to combine.
 * Expect   Slower on one host, by the lists that travel: 16*k bytes an observation and rank, and log2(ranks) of them one after
 *          another.  It is for references that do not fit one host's memory.
 * Try      m=2^10 n=2^20, then m=2^20 n=2^10: when do the lists cost less than sending all references to all ranks?
 * Level    3
 * Read     avx2.h, exact.h, simd.h
 */
/* needs: mpicc */
#include <immintrin.h>

#include "common/knn.h"
#include "common/mpi.h"
#include "avx2.h" /* LANES, needs_avx2, vectors */

enum { GROUP = 4, PASS = GROUP }; /* observations that share each load */

#include "simd.h" /* workers_new, workers_free, answer_pass; ref, packed */

struct neighbour {
    double distance; /* in float32 references at one place, of two ranks, could differ in the last bit */
    uint32_t index;
};

static struct mpi_cut cut;
static struct knn mine; /* all observations, this rank's references, its answers */
static float *coordinates;
static struct neighbour *nearest, *merged; /* [m][k] of this rank, padded; at rank 0, of all */
static size_t k;
static MPI_Datatype list; /* [k] neighbours of one observation */
static MPI_Op of_two;

static const char *refuse(const void *problem)
{
    const struct knn *p = problem;
    const char *why = needs_avx2(problem);

    return why != NULL ? why : mpi_too_many(p->m > p->n ? p->m : p->n);
}

static int comes_first(struct neighbour a, struct neighbour b)
{
    return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
}

/* b = the k nearest of a and b, for `count` observations */
static void merge(void *a_lists, void *b_lists, int *count, MPI_Datatype *type)
{
    const struct neighbour *a = a_lists;
    struct neighbour *b = b_lists, both[k];

    (void)type;
    for (int i = 0; i < *count; i++, a += k, b += k) {
        for (size_t out = 0, x = 0, y = 0; out < k; out++)
            both[out] = comes_first(a[x], b[y]) ? a[x++] : b[y++];
        memcpy(b, both, sizeof both);
    }
}

static void prepare(const void *problem)
{
    const struct knn *p = problem;

    k = p->k;
    cut = mpi_cut(p->n);
    coordinates = malloc(2 * (p->m + cut.count) * sizeof *coordinates + 1);
    mine = (struct knn){.m = p->m,
                        .n = cut.count,
                        .k = k < cut.count ? k : cut.count,
                        .obs_lat = coordinates,
                        .obs_lon = coordinates + p->m,
                        .ref_lat = coordinates + 2 * p->m,
                        .ref_lon = coordinates + 2 * p->m + cut.count,
                        .index = malloc(p->m * k * sizeof *mine.index + 1),
                        .distance = malloc(p->m * k * sizeof *mine.distance + 1)};
    nearest = malloc(p->m * k * sizeof *nearest + 1);
    merged = malloc(p->m * k * sizeof *merged + 1);
    MPI_Type_contiguous((int)(k * sizeof *nearest), MPI_BYTE, &list);
    MPI_Type_commit(&list);
    MPI_Op_create(merge, 1, &of_two);
    workers_new(&mine, 1);
}

static void broadcast(const float *from, float *to)
{
    if (mpi_rank() == 0)
        memcpy(to, from, mine.m * sizeof *to);
    MPI_Bcast(to, (int)mine.m, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

static void scatter(const float *from, float *to)
{
    MPI_Scatterv(from, cut.counts, cut.offsets, MPI_FLOAT, to, (int)cut.count, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

static void upload(const void *problem)
{
    const struct knn *p = problem;

    broadcast(p->obs_lat, coordinates);
    broadcast(p->obs_lon, coordinates + mine.m);
    scatter(p->ref_lat, coordinates + 2 * mine.m);
    scatter(p->ref_lon, coordinates + 2 * mine.m + mine.n);
}

/* With indices of all references.  A list that is shorter than k, because the rank has fewer references, ends in
   neighbours that come after any other. */
static void make_lists(void)
{
    for (size_t i = 0; i < mine.m; i++)
        for (size_t j = 0; j < k; j++)
            nearest[i * k + j] =
                j < mine.k ? (struct neighbour){haversine(&mine, i, mine.index[i * mine.k + j]),
                                                mine.index[i * mine.k + j] + (uint32_t)cut.begin}
                           : (struct neighbour){INFINITY, UINT32_MAX};
}

static void run(const void *problem)
{
    (void)problem;
    if (mine.n > 0) {
        unit_vectors(&mine, ref);
        pack(ref, mine.n, LANES, packed);
        for (size_t i = 0; i < mine.m; i += PASS)
            answer_pass(workers, &mine, i, mine.m - i < PASS ? mine.m - i : PASS);
    }
    make_lists();
    MPI_Reduce(nearest, merged, (int)mine.m, list, of_two, 0, MPI_COMM_WORLD);
}

/* Rank 0 has them already. */
static void download(const void *problem)
{
    const struct knn *p = problem;

    for (size_t i = 0; mpi_rank() == 0 && i < p->m * k; i++) {
        p->index[i] = merged[i].index;
        p->distance[i] = (float)merged[i].distance;
    }
}

static void release(void)
{
    workers_free();
    MPI_Op_free(&of_two);
    MPI_Type_free(&list);
    mpi_cut_free(&cut);
    free(coordinates);
    free(mine.index);
    free(mine.distance);
    free(nearest);
    free(merged);
}

SENDS("tree")

VARIANT(.idea = "references cut: each rank's k nearest, merged by MPI_Reduce",
        .base = "cpu_mpi",
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
