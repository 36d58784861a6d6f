/*
 * fft / cpu_fftw_mpi
 *
 * Idea     FFTW's own transform over MPI (http://www.fftw.org): each rank has a contiguous part of the signal, and FFTW plans
 *          the exchanges as well as the arithmetic.
 * Against  cpu_mpi, our own six steps.
 * Expect   What a library makes of one long signal over several ranks.  Many signals follow one another, because FFTW's plan
 *          for several wants them interleaved.
 * Try      FFTW_MPI_TRANSPOSED_OUT in flags, which leaves out the last exchange: what does the usual order cost?
 * Level    2
 * Read     nothing else
 */
/* needs: fftw3f_mpi */
#include <fftw3-mpi.h>
#include <stdio.h>
#include <string.h>

#include "common/fft.h"
#include "common/mpi.h"

enum { WORTH_MEASURING = 1 << 16 };

static fftwf_plan plan;
static fftwf_complex *work;     /* of one signal, in place: room for what the exchanges need */
static struct cpx *x, *X;       /* [batch][own_in] and [batch][own_out] */
static ptrdiff_t own_in, own_out;
static struct mpi_cut in, out;  /* as FFTW cuts a signal */

static const char *refuse(const void *problem)
{
    const struct fft *p = problem;

    if (p->n == 1)
        return "FFTW 3.3.10 frees what it has not allocated when it plans n = 1 over MPI";
    return mpi_too_many(p->n);
}

/* Takes FFTW's shares for those of mpi_cut. */
static struct mpi_cut cut_as(ptrdiff_t begin, ptrdiff_t count)
{
    struct mpi_cut cut = mpi_cut(0);
    const int at = (int)begin, length = (int)count;

    MPI_Allgather(&at, 1, MPI_INT, cut.offsets, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&length, 1, MPI_INT, cut.counts, 1, MPI_INT, MPI_COMM_WORLD);
    return cut;
}

static void prepare(const void *problem)
{
    const struct fft *p = problem;
    /* Measuring tries exchanges among all ranks, which takes seconds.  For short signals that pays for nothing. */
    const unsigned how = p->n < WORTH_MEASURING ? FFTW_ESTIMATE : FFTW_MEASURE;
    ptrdiff_t begin_in, begin_out;

    fftwf_mpi_init();
    const ptrdiff_t room = fftwf_mpi_local_size_1d((ptrdiff_t)p->n, MPI_COMM_WORLD, FFTW_FORWARD, how, &own_in,
                                                   &begin_in, &own_out, &begin_out);
    in = cut_as(begin_in, own_in);
    out = cut_as(begin_out, own_out);
    work = fftwf_alloc_complex((size_t)room + 1);
    plan = fftwf_mpi_plan_dft_1d((ptrdiff_t)p->n, work, work, MPI_COMM_WORLD, FFTW_FORWARD, how);
    x = malloc(p->batch * (size_t)own_in * sizeof *x + 1);
    X = malloc(p->batch * (size_t)own_out * sizeof *X + 1);
    if (plan == NULL) {
        fprintf(stderr, "FFTW has no plan over MPI for this n\n");
        exit(EXIT_FAILURE);
    }
}

static void upload(const void *problem)
{
    const struct fft *p = problem;

    for (size_t b = 0; b < p->batch; b++)
        MPI_Scatterv(p->x != NULL ? p->x + b * p->n : NULL, in.counts, in.offsets, MPI_C_FLOAT_COMPLEX, x + b * (size_t)own_in,
                     (int)own_in, MPI_C_FLOAT_COMPLEX, 0, MPI_COMM_WORLD);
}

static void run(const void *problem)
{
    const struct fft *p = problem;

    for (size_t b = 0; b < p->batch; b++) {
        memcpy(work, x + b * (size_t)own_in, (size_t)own_in * sizeof *x);
        fftwf_execute(plan);
        memcpy(X + b * (size_t)own_out, work, (size_t)own_out * sizeof *X);
    }
}

static void download(const void *problem)
{
    const struct fft *p = problem;

    for (size_t b = 0; b < p->batch; b++)
        MPI_Gatherv(X + b * (size_t)own_out, (int)own_out, MPI_C_FLOAT_COMPLEX, p->X != NULL ? p->X + b * p->n : NULL,
                    out.counts, out.offsets, MPI_C_FLOAT_COMPLEX, 0, MPI_COMM_WORLD);
}

static void release(void)
{
    fftwf_destroy_plan(plan);
    fftwf_free(work);
    free(x);
    free(X);
    mpi_cut_free(&in);
    mpi_cut_free(&out);
    fftwf_mpi_cleanup();
}

SENDS("all to all")

VARIANT(.idea = "FFTW over MPI; of long signals, a measured plan",
        .base = "cpu_mpi",
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
