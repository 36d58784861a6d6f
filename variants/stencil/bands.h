/*
 * For cpu_mpi and cpu_mpi_overlap: each rank has a band of rows, and a row of each neighbour beside it, a halo.
 *
 *     from:  halo     last row of the rank above; there is none above the image's first row
 *            row 0    of the band
 *            ...
 *            row n-1
 *            halo     first row of the rank below
 *
 * Here are prepare, upload, download and release.  The variant writes run, which leaves its answer in `now`.
 */
#ifndef RUNGS_STENCIL_BANDS_H
#define RUNGS_STENCIL_BANDS_H

#include <stdbool.h>
#include <string.h>

#include "common/mpi.h"
#include "common/stencil.h"
#include "smooth_four_f32.h" /* smooth_rows_f32, smooth_four_f32 */
#include "smooth_row_u8.h"   /* smooth_rows_u8 */

static struct mpi_cut cut;
static int above, below;      /* the ranks with the neighbouring rows; MPI_PROC_NULL: none */
static size_t first, height;  /* of the band's first row in its array, 0 or 1; rows of the array, halos among them */
static size_t row_bytes;
static MPI_Datatype row;
static bool stream;           /* the image is larger than the caches */
static char *in, *scratch[2]; /* [height][cols] */
static const char *now;       /* where the last sweep is */

static const char *refuse(const void *problem)
{
    const struct stencil *p = problem;

    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return "needs AVX2 and FMA";
    return mpi_too_many(p->rows > p->cols ? p->rows : p->cols);
}

/* The nearest rank upwards (-1) or downwards (1) that has rows, if this one has any. */
static int neighbour(int step)
{
    int rank = mpi_rank() + step;

    if (cut.count == 0)
        return MPI_PROC_NULL;
    while (rank >= 0 && rank < mpi_ranks() && cut.counts[rank] == 0)
        rank += step;
    return rank >= 0 && rank < mpi_ranks() ? rank : MPI_PROC_NULL;
}

static void prepare(const void *problem)
{
    enum { STREAM_FROM = 32 << 20 }; /* bytes of an image, as in share_out.h */
    const struct stencil *p = problem;

    cut = mpi_cut(p->rows);
    above = neighbour(-1);
    below = neighbour(1);
    first = above != MPI_PROC_NULL;
    height = first + cut.count + (below != MPI_PROC_NULL);
    row_bytes = p->cols * (p->bytes ? 1 : sizeof(float));
    stream = p->rows * row_bytes >= STREAM_FROM;
    MPI_Type_contiguous((int)p->cols, p->bytes ? MPI_BYTE : MPI_FLOAT, &row);
    MPI_Type_commit(&row);
    in = malloc(height * row_bytes + 1);
    for (size_t i = 0; i < 2; i++)
        scratch[i] = malloc(height * row_bytes + 1);
}

static void upload(const void *problem)
{
    const struct stencil *p = problem;
    const void *image = p->bytes ? (const void *)p->in8 : p->in;

    MPI_Scatterv(image, cut.counts, cut.offsets, row, in + first * row_bytes, (int)cut.count, row, 0, MPI_COMM_WORLD);
}

/* Rows top to bottom - 1 of the array; its first and last row are halos, or border of the image, and so no others. */
static void smooth(const struct stencil *p, const char *from, char *to, size_t top, size_t bottom)
{
    if (bottom <= top)
        return;
    if (p->bytes)
        smooth_rows_u8(height, p->cols, (const uint8_t *)from, (uint8_t *)to, top, bottom, stream);
    else
        smooth_rows_f32(height, p->cols, (const float *)(const void *)from, (float *)(void *)to, top, bottom, stream,
                        smooth_four_f32);
}

static void download(const void *problem)
{
    const struct stencil *p = problem;
    void *image = p->bytes ? (void *)p->out8 : p->out;

    MPI_Gatherv(now + first * row_bytes, (int)cut.count, row, image, cut.counts, cut.offsets, row, 0, MPI_COMM_WORLD);
}

static void release(void)
{
    MPI_Type_free(&row);
    mpi_cut_free(&cut);
    free(in);
    for (size_t i = 0; i < 2; i++)
        free(scratch[i]);
}

#endif
