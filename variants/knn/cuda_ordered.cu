/*
 * knn / cuda_ordered
 *
 * Idea     The references in order along a curve that visits neighbours one after another, so that a tile of 64 is
 *          compact wherever the points lie.  The sweep is cuda_wgmma's.  Afterwards float32 scores relative to a
 *          tile's own centre tell the references of a town apart as well as those of a continent.
 * Against  cuda_wgmma.  In a town all references are within the error of its scores, and it learns that after its sweep.
 * Expect   For uniform data 2 % slower than cuda_wgmma at L, because of the order.  For a town as fast, for a country or copies
 *          of a place 1.2 to 1.7 times faster on an H200: docs/limits/knn.md.
 * Try      In cuda_order.h, RUN = 512: less to sort, more to merge.  And key_of() that returns 0: nothing is in order, and
 *          tiles are as wide as the data.
 * Level    3
 * Read     cuda_buffers.h, hopper.h, cuda_halves.h, cuda_sweep.h, cuda_exact.h, cuda_refine.h,
 *          cuda_refine_f64.h, cuda_ordered_refine.h, cuda_groups.h, cuda_local.h, cuda_ordered.h, cuda_order.h
 */
/* nvcc: sm_90a */
#include "common/variant.h"
#include "cuda_buffers.h"        /* prepare, upload, download, release; d_obs_lat, d_index ... */
#include "hopper.h"              /* knn_wgmma, is_short */
#include "cuda_ordered_refine.h" /* ordered_sweep, answer, refine_doubts */

static ordered_sweep d_sweep;
static uint4 *d_rows; /* [chunks][CHUNK][2] */

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k > 1 ? "finds one neighbour; for more there is cuda_topk_wgmma" : wgmma_refuse();
}

static void prepare_sweep(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    d_sweep = ordered_new(p->m, p->n);
    CUDA(cudaMalloc(&d_rows, d_sweep.chunks * CHUNK * 2 * sizeof *d_rows));
}

/* A block answers its own observations: the call at the end of knn_wgmma */
template <unsigned OWN>
__device__ static void answer_all(ordered_sweep s, points obs, size_t first, float4 *room)
{
    __syncthreads(); /* all entries of found[] are written */
    for (unsigned r = threadIdx.x; r < OWN; r += THREADS)
        answer(s, obs, first + r, room + r / WARP * WARP);
}

/* Writes the references in order: as a second look reads them, and as rows of halves, in the order of a chunk's columns */
__global__ static void __launch_bounds__(GROUP) knn_ordered_halves(ordered_sweep s, uint4 *rows)
{
    const size_t j = (size_t)blockIdx.x * GROUP + threadIdx.x, chunk = j / CHUNK;
    const unsigned quarter = threadIdx.x % CHUNK / TILE, r = threadIdx.x % TILE;
    const float4 at = place_in_tile(s, j);

    begin(s);
    if (chunk < s.chunks)
        put_reference(rows + chunk * CHUNK * 2, r / 2 * 8 + quarter * 2 + r % 2, at, at.x == at.x);
}

template <int ROUNDS> static void sweep_in_order(points obs)
{
    knn_wgmma<ROUNDS><<<blocks_of(obs.count, ROWS * ROUNDS), THREADS>>>(d_sweep, d_rows, obs);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const points obs = {p->m, d_obs_lat, d_obs_lon, d_index, d_distance};

    if (p->m == 0)
        return;
    d_sweep.ref = {p->n, d_ref_lat, d_ref_lon, NULL, NULL};
    put_in_order(&d_sweep.by_place, p->n, d_ref_lat, d_ref_lon, 0);
    knn_ordered_halves<<<d_sweep.groups, GROUP>>>(d_sweep, d_rows);
    CUDA(cudaGetLastError());
    if (is_short(obs))
        sweep_in_order<SHORT>(obs);
    else
        sweep_in_order<LONG>(obs);
    refine_doubts(d_sweep, obs, 0);
}

static void release_sweep(void)
{
    CUDA(cudaFree(d_rows));
    ordered_free(d_sweep);
    release();
}

VARIANT(.idea = "references in order along a curve; float32 scores relative to a tile decide",
        .base = "cuda_wgmma",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse,
        .prepare = prepare_sweep,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_sweep)
