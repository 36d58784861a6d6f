/*
 * stencil / cpu_mpi_overlap
 *
 * Idea     The rows at the edges travel while the rows between them are computed, which need nothing of the neighbours.  Only
 *          the first and the last row of a band wait.
 * Against  cpu_mpi, which waits for its neighbours before it computes.
 * Expect   Between hosts, faster by the time of two messages a sweep, as long as the inner rows take longer than that.  On one
 *          host a message takes about a microsecond, and there is little to hide.  MPI moves large messages only while it is
 *          called, so rows of many KiB still wait for MPI_Waitall.
 * Try      An image of few, long rows, m = rows/ranks as small as 4: from which band height on does it pay?
 * Level    3
 * Read     bands.h, smooth_four_f32.h, smooth_row_f32.h, smooth_row_u8.h
 */
/* needs: mpicc */
#include "bands.h" /* prepare, upload, smooth, download, release */

/* Starts the messages of a band, four at most; those without a neighbour do nothing. */
static void begin_exchange(char *band, MPI_Request request[4])
{
    char *rows = band + first * row_bytes, *last = rows + (cut.count - 1) * row_bytes;

    MPI_Irecv(band, 1, row, above, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(last + row_bytes, 1, row, below, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(rows, 1, row, above, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(last, 1, row, below, 1, MPI_COMM_WORLD, &request[3]);
}

static void run(const void *problem)
{
    const struct stencil *p = problem;
    const size_t end = first + cut.count, inner = first + first, /* without the rows that need a halo */
        inner_end = below != MPI_PROC_NULL ? end - 1 : end;
    char *from = in;

    for (size_t sweep = 0; sweep < p->sweeps && cut.count > 0; sweep++) {
        char *to = scratch[sweep % 2];
        MPI_Request request[4];
        begin_exchange(from, request);
        smooth(p, from, to, inner, inner_end);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        smooth(p, from, to, first, inner);
        smooth(p, from, to, inner_end > inner ? inner_end : inner, end);
        _mm_sfence(); /* streaming stores must have arrived before MPI reads them */
        from = to;
    }
    now = from;
}

SENDS("halo, overlapped")

VARIANT(.idea = "halo rows travel while the rows between are computed",
        .base = "cpu_mpi",
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
