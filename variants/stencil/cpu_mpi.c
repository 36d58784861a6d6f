/*
 * stencil / cpu_mpi
 *
 * Idea     A process a core, each with a band of rows.  Before each sweep, neighbours exchange the rows at their edges, and
 *          only these: the image is scattered once and gathered once.
 * Against  cpu_simd_openmp, whose threads read their neighbours' rows where they are.
 * Expect   run as fast as cpu_simd_openmp while a band has many rows: a sweep sends two rows, however high the band is.  The
 *          whole call pays for scatter and gather, two copies of the image, which many sweeps make up for.
 * Try      sweeps=1 and sweeps=100 of one image, and --ranks 1,2,4.
 * Level    2
 * Read     bands.h, smooth_four_f32.h, smooth_row_f32.h, smooth_row_u8.h
 */
/* needs: mpicc */
#include "bands.h" /* prepare, upload, smooth, download, release */

static void exchange(char *band)
{
    char *rows = band + first * row_bytes, *last = rows + (cut.count - 1) * row_bytes;

    if (cut.count == 0)
        return;
    MPI_Sendrecv(rows, 1, row, above, 0, last + row_bytes, 1, row, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, 1, row, below, 1, band, 1, row, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void run(const void *problem)
{
    const struct stencil *p = problem;
    char *from = in;

    for (size_t sweep = 0; sweep < p->sweeps; sweep++) {
        char *to = scratch[sweep % 2];
        exchange(from);
        smooth(p, from, to, first, first + cut.count);
        _mm_sfence(); /* streaming stores must have arrived before MPI reads them */
        from = to;
    }
    now = from;
}

SENDS("halo")

VARIANT(.idea = "a process a core, by MPI: bands of rows, halo rows in each sweep",
        .base = "cpu_simd_openmp",
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
