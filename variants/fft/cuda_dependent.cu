/*
 * fft / cuda_dependent
 *
 * Idea     A kernel may start before the previous one has ended ("programmatic dependent launch").
 *          Its blocks are placed, load and compute all that does not depend on the previous kernel,
 *          and only then wait for it.
 * Against  cuda_registers: the same kernels, one after another.  There each kernel starts on an
 *          empty device and leaves it slowly.
 * Expect   A short transform takes a third of the time: a kernel starts while others compute, and
 *          what remains is less than the time from one empty kernel to the next.  10^6 numbers gain
 *          one or two microseconds of fifteen: rows still wait for columns, but their blocks are
 *          already placed.  Nothing where a kernel takes long.
 * Try      previous_has_ended() at the beginning of each kernel.  Which of the two gave the gain:
 *          blocks that are already placed, or the work that they do before they wait?
 * Level    3
 * Read     butterflies.h, cuda_buffers.h, cuda_pass.h, passes.h, registers.h, registers_host.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* d_x, d_X, upload, download */

/* x and the tables of roots came by copies, and no kernel starts before these have ended.  So a kernel must wait only
   for what other kernels have written, and before it writes what they still read. */
__device__ static void next_may_start(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

__device__ static void previous_has_ended(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

#define MORE_LENGTHS length_of<49, 7>(), length_of<49, 49>(), length_of<25, 25>(), length_of<25, 25, 5>(),

#include "registers.h"      /* the kernels: start here */
#include "registers_host.h" /* one, two, split, side; refuse_length, prepare_length, ... */

static const char *refuse(const void *problem)
{
    int major;

    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major >= 9 ? refuse_length(problem) : "needs compute capability 9.0 or more";
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    prepare_length(p, p->batch);
}

/* kernel<<<blocks, block, shared>>>(arguments), allowed to start early */
template <class... parameters, class... values>
static void launch(void (*kernel)(parameters...), unsigned blocks, dim3 block, size_t shared,
                   values... arguments)
{
    cudaLaunchAttribute early = {};
    cudaLaunchConfig_t how = {blocks, block, shared, 0, &early, 1};

    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    CUDA(cudaLaunchKernelEx(&how, kernel, (parameters)arguments...));
}

static void run_whole(size_t batch)
{
    unsigned side = signals_of_a_block();

    launch(one->whole, (unsigned)((batch + side - 1) / side), dim3(one->threads, side),
           side * one->shared, batch, d_w1, d_x, d_X);
}

static void run_split(size_t batch)
{
    const unsigned n1 = one->n, n2 = two->n;

    launch(split.columns, blocks_of(batch, n2), dim3(side, one->threads), side * one->shared, n2,
           d_w1, d_near, d_far, d_x, d_a);
    launch(split.rows, blocks_of(batch, n1), dim3(side, two->threads), side * two->shared, n1,
           d_w2, d_a, d_X);
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    if (p->batch > 0 && two == NULL)
        run_whole(p->batch);
    else if (p->batch > 0)
        run_split(p->batch);
}

VARIANT(.idea = "a kernel starts before the previous one has ended",
        .base = "cuda_registers",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_length)
