/*
 * saxpy / cpu_mpi
 *
 * Idea     Several processes, each with its own memory: rank 0 scatters x and y, every rank computes an equal share, and
 *          rank 0 gathers z.
 * Against  cpu_openmp, whose threads share one memory, so nothing has to be sent.
 * Expect   run alone is as fast as cpu_openmp.  The whole call is several times slower, because scatter and gather move every
 *          element through another process, and saxpy does one multiplication for it.
 * Try      --ranks 1,2,4: what does upload cost with a single rank, to which nothing is sent but its own data?
 * Level    2
 * Read     nothing else
 */
/* needs: mpicc */
#include "common/mpi.h"
#include "common/saxpy.h"

static struct mpi_cut cut;
static float *x, *y, *z; /* [cut.count] */

static const char *refuse(const void *problem)
{
    const struct saxpy *p = problem;

    return mpi_too_many(p->n);
}

static void prepare(const void *problem)
{
    const struct saxpy *p = problem;

    cut = mpi_cut(p->n);
    x = malloc(3 * cut.count * sizeof *x + 1);
    y = x + cut.count;
    z = y + cut.count;
}

static void upload(const void *problem)
{
    const struct saxpy *p = problem;
    const int mine = (int)cut.count;

    MPI_Scatterv(p->x, cut.counts, cut.offsets, MPI_FLOAT, x, mine, MPI_FLOAT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(p->y, cut.counts, cut.offsets, MPI_FLOAT, y, mine, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    const float a = p->a;

    for (size_t i = 0; i < cut.count; i++)
        z[i] = a * x[i] + y[i];
}

static void download(const void *problem)
{
    const struct saxpy *p = problem;

    MPI_Gatherv(z, (int)cut.count, MPI_FLOAT, p->z, cut.counts, cut.offsets, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

static void release(void)
{
    mpi_cut_free(&cut);
    free(x);
    x = y = z = NULL;
}

SENDS("nothing")

VARIANT(.idea = "a process a core, by MPI: scatter, compute, gather",
        .base = "cpu_openmp",
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
