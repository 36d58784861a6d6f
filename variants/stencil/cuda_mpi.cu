/*
 * stencil / cuda_mpi
 *
 * Idea     As cuda_nccl, but the rows at the edges go to the neighbours through the host: the GPU copies them to
 *          page-locked memory, MPI sends them, and the neighbour's GPU copies them from there.
 * Against  cuda_nccl, whose messages are kernels that the host only starts.
 * Expect   Slower, the more so for small bands.  In each sweep the host waits for the edges, sends, and only then starts the
 *          next one.  On two H200 halos of 8 KiB took 22 us this way, as much as by NCCL; of 256 KiB 90 us, and 21 us by
 *          NCCL.
 * Try      rows=4096 with cols=4096 and cols=262144, --ranks 2: from which row length on does the bus show?
 * Level    3
 * Read     cuda_ranks.h, cuda_kernel.h
 */
/* needs: mpicc */
#include "common/ranks_staged.h" /* ranks_begin, ranks_end, ranks_scatter, ranks_gather; stream */
#include "cuda_ranks.h"          /* refuse, prepare_band, upload, run, download, release_band; all about the band */

enum { UP, DOWN, WAYS };
static char *sent[WAYS], *received[WAYS]; /* a row each, page-locked */

/* The host waits for the edges, while the inner rows are under way.  Then what the last exchange has received is on the GPU,
   too. */
static void exchange(char *d_image)
{
    char *rows = d_image + first * row_bytes, *last = rows + (cut.count - 1) * row_bytes;
    MPI_Request messages[2 * WAYS];

    if (above != MPI_PROC_NULL)
        CUDA(cudaMemcpyAsync(sent[UP], rows, row_bytes, cudaMemcpyDeviceToHost, edges));
    if (below != MPI_PROC_NULL)
        CUDA(cudaMemcpyAsync(sent[DOWN], last, row_bytes, cudaMemcpyDeviceToHost, edges));
    CUDA(cudaStreamSynchronize(edges));
    MPI_Irecv(received[UP], (int)row_bytes, MPI_BYTE, above, 0, MPI_COMM_WORLD, &messages[0]);
    MPI_Irecv(received[DOWN], (int)row_bytes, MPI_BYTE, below, 0, MPI_COMM_WORLD, &messages[1]);
    MPI_Isend(sent[UP], (int)row_bytes, MPI_BYTE, above, 0, MPI_COMM_WORLD, &messages[2]);
    MPI_Isend(sent[DOWN], (int)row_bytes, MPI_BYTE, below, 0, MPI_COMM_WORLD, &messages[3]);
    MPI_Waitall(2 * WAYS, messages, MPI_STATUSES_IGNORE);
    if (above != MPI_PROC_NULL)
        CUDA(cudaMemcpyAsync(d_image, received[UP], row_bytes, cudaMemcpyHostToDevice, edges));
    if (below != MPI_PROC_NULL)
        CUDA(cudaMemcpyAsync(last + row_bytes, received[DOWN], row_bytes, cudaMemcpyHostToDevice, edges));
}

static void prepare(const void *problem)
{
    prepare_band((const struct stencil *)problem);
    for (int way = 0; way < WAYS; way++) {
        CUDA(cudaMallocHost(&sent[way], row_bytes));
        CUDA(cudaMallocHost(&received[way], row_bytes));
    }
}

static void release(void)
{
    for (int way = 0; way < WAYS; way++) {
        CUDA(cudaFreeHost(sent[way]));
        CUDA(cudaFreeHost(received[way]));
    }
    release_band();
}

VARIANT(.idea = "a process a GPU: halos by MPI through page-locked memory",
        .base = "cuda_nccl",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
