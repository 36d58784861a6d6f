/*
 * align / cuda_onchip
 *
 * Idea     One cooperative launch in place of three kernels: all blocks are on the device at once, and wait for each other
 *          between the steps.  Images of up to 1024 x 1024 then never leave the second-level cache, and no kernel starts or
 *          ends in between.
 * Against  cuda_dependent: the next kernel starts early, and loads its rows before the previous one has ended.
 * Expect   A barrier takes 1.1 us, a kernel that starts early nothing that can be seen: at 1024 x 1024 38 us in place of 32.
 *          With many pairs it is slower still: two blocks per multiprocessor, as the step with most registers needs, are too
 *          few to hide waits for memory.
 * Try      Pairs of 128 x 128, from 1 to 1000: from how many on is cuda_dependent faster?
 * Level    3
 * Read     ../fft/butterflies.h, ../fft/cuda_pass.h, ../fft/passes.h, cuda_buffers.h, cuda_fused.h, cuda_fused_host.h, peak.h
 */
#include <cooperative_groups.h>

#include "common/variant.h"
#include "cuda_fused_host.h" /* the three steps of a block; job_make, job_free */

/* Rows and columns have one length, so they have blocks of one size. */
template <class L>
__global__ static void __launch_bounds__(shape_of<L>::BLOCK, 2) align_onchip(const job p)
{
    static_assert(shape_of<L>::BLOCK == shape_of<L>::COLUMN_BLOCK, "one block makes rows and columns");

    for (unsigned block = blockIdx.x; block < rows_blocks<L>(p); block += gridDim.x) {
        rows_of_block<L>(p, block);
        __syncthreads(); /* shared memory is free again */
    }
    cooperative_groups::this_grid().sync();
    for (unsigned block = blockIdx.x; block < columns_blocks<L>(p); block += gridDim.x) {
        columns_of_block<L>(p, block);
        __syncthreads();
    }
    cooperative_groups::this_grid().sync();
    for (unsigned block = blockIdx.x; block < back_blocks<L>(p); block += gridDim.x) {
        back_of_block<L>(p, block);
        __syncthreads();
    }
}

struct square {
    unsigned n, block, shared;
    void (*kernel)(job);
};

template <int... RADICES>
static square square_of()
{
    typedef radices<RADICES...> L;

    return {L::N, shape_of<L>::BLOCK, shape_of<L>::SHARED, align_onchip<L>};
}

static const square squares[] = {square_of<8, 4>(),   square_of<8, 8>(),    square_of<16, 8>(),
                                 square_of<16, 16>(), square_of<8, 8, 8>(), square_of<16, 16, 4>()};

static const square *find_square(size_t n)
{
    for (const square &s : squares)
        if (s.n == n)
            return &s;
    return NULL;
}

static job whole;
static int blocks; /* as many as are on the device at once */

static const char *refuse(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    int cooperative;

    CUDA(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
    if (!cooperative)
        return "the device has no cooperative launches";
    return p->rows != p->cols || find_square(p->rows) == NULL
               ? "images must be square, and a power of two from 32 to 1024 wide"
               : NULL;
}

static void prepare(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const square *s = find_square(p->rows);
    int processors, of_each;

    buffers_prepare(problem);
    whole = job_make(p, p->pairs);
    whole.a = d_a;
    whole.b = d_b;
    whole.eps = d_eps;
    whole.to = d_answers;
    CUDA(cudaFuncSetAttribute((const void *)s->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)s->shared));
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_each, (const void *)s->kernel, (int)s->block, s->shared));
    blocks = processors * of_each;
}

static void run(const void *problem)
{
    const square *s = find_square(((const struct align *)problem)->rows);
    void *arguments[] = {&whole};

    if (whole.pairs > 0)
        CUDA(cudaLaunchCooperativeKernel((const void *)s->kernel, dim3(blocks), dim3(s->block), arguments, s->shared, 0));
}

static void release(void)
{
    job_free(&whole);
    buffers_release();
}

VARIANT(.idea = "one launch: all blocks wait for each other between the steps",
        .base = "cuda_dependent",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
