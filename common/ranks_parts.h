/* Scatter and gather between rank 0's memory and the GPUs of all ranks, by ranks_send_up and ranks_send_down. */
#ifndef RUNGS_RANKS_PARTS_H
#define RUNGS_RANKS_PARTS_H

/* Items of so many bytes.  `from` counts on rank 0 only; it may be NULL elsewhere. */
[[maybe_unused]] static void ranks_scatter(const struct mpi_cut *cut, size_t bytes, const void *from, void *d_to)
{
    for (int r = 0; r < mpi_ranks(); r++)
        ranks_send_up(mpi_rank() == 0 ? (const char *)from + cut->offsets[r] * bytes : NULL, r, d_to,
                      cut->counts[r] * bytes);
    CUDA(cudaStreamSynchronize(stream));
}

[[maybe_unused]] static void ranks_gather(const struct mpi_cut *cut, size_t bytes, const void *d_from, void *to)
{
    for (int r = 0; r < mpi_ranks(); r++)
        ranks_send_down(d_from, r, mpi_rank() == 0 ? (char *)to + cut->offsets[r] * bytes : NULL,
                        cut->counts[r] * bytes);
    CUDA(cudaStreamSynchronize(stream));
}

#endif
