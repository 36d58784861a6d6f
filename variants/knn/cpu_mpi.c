/*
 * knn / cpu_mpi
 *
 * Idea     A process a core, each with a share of the observations and all references.  No rank needs another's answer, so
 *          nothing is sent between upload and download.
 * Against  cpu_simd_openmp, whose threads share the references and their preparation.
 * Expect   As fast, or a little faster: every rank prepares all references, but none waits for another.  Scatter and gather
 *          move 8 bytes an observation each way, and each observation meets all references meanwhile.
 * Try      n=2^20 references and m=2^10 observations: now the broadcast and the preparation are what every rank repeats.
 * Level    2
 * Read     avx2.h, exact.h, simd.h
 */
/* needs: mpicc */
#include <immintrin.h>

#include "common/knn.h"
#include "common/mpi.h"
#include "avx2.h" /* LANES, needs_avx2, vectors */

enum { GROUP = 4, PASS = GROUP }; /* observations that share each load */

#include "simd.h" /* workers_new, workers_free, answer_pass; ref, packed */

static struct mpi_cut cut;
static struct knn mine; /* this rank's part: its observations, all references, its answers */
static float *coordinates;
static MPI_Datatype indices, distances; /* [k] of one observation */

static const char *refuse(const void *problem)
{
    const struct knn *p = problem;
    const char *why = needs_avx2(problem);

    return why != NULL ? why : mpi_too_many(p->m > p->n ? p->m : p->n);
}

static void prepare(const void *problem)
{
    const struct knn *p = problem;

    cut = mpi_cut(p->m);
    coordinates = malloc(2 * (cut.count + p->n) * sizeof *coordinates);
    mine = (struct knn){.m = cut.count,
                        .n = p->n,
                        .k = p->k,
                        .obs_lat = coordinates,
                        .obs_lon = coordinates + cut.count,
                        .ref_lat = coordinates + 2 * cut.count,
                        .ref_lon = coordinates + 2 * cut.count + p->n,
                        .index = malloc(cut.count * p->k * sizeof *mine.index + 1),
                        .distance = malloc(cut.count * p->k * sizeof *mine.distance + 1)};
    MPI_Type_contiguous((int)p->k, MPI_UINT32_T, &indices);
    MPI_Type_contiguous((int)p->k, MPI_FLOAT, &distances);
    MPI_Type_commit(&indices);
    MPI_Type_commit(&distances);
    workers_new(&mine, 1);
}

static void scatter(const float *from, float *to)
{
    MPI_Scatterv(from, cut.counts, cut.offsets, MPI_FLOAT, to, (int)cut.count, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

static void broadcast(const float *from, float *to)
{
    if (mpi_rank() == 0)
        memcpy(to, from, mine.n * sizeof *to);
    MPI_Bcast(to, (int)mine.n, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

static void upload(const void *problem)
{
    const struct knn *p = problem;

    scatter(p->obs_lat, coordinates);
    scatter(p->obs_lon, coordinates + mine.m);
    broadcast(p->ref_lat, coordinates + 2 * mine.m);
    broadcast(p->ref_lon, coordinates + 2 * mine.m + mine.n);
}

static void run(const void *problem)
{
    (void)problem;
    unit_vectors(&mine, ref);
    pack(ref, mine.n, LANES, packed);
    for (size_t i = 0; i < mine.m; i += PASS)
        answer_pass(workers, &mine, i, mine.m - i < PASS ? mine.m - i : PASS);
}

static void download(const void *problem)
{
    const struct knn *p = problem;
    const int count = (int)cut.count;

    MPI_Gatherv(mine.index, count, indices, p->index, cut.counts, cut.offsets, indices, 0, MPI_COMM_WORLD);
    MPI_Gatherv(mine.distance, count, distances, p->distance, cut.counts, cut.offsets, distances, 0, MPI_COMM_WORLD);
}

static void release(void)
{
    workers_free();
    MPI_Type_free(&indices);
    MPI_Type_free(&distances);
    mpi_cut_free(&cut);
    free(coordinates);
    free(mine.index);
    free(mine.distance);
}

SENDS("nothing")

VARIANT(.idea = "a process a core, by MPI: observations cut, references sent to all",
        .base = "cpu_simd_openmp",
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
