/*
 * For the GPU's memory: up to three arrays, read or written tile by tile, 16 bytes for each thread and
 * access, until CALL bytes have been moved.
 *
 * A working set that a cache may hold is swept by one launch, whose blocks stay and take tiles in turn: a
 * launch takes longer than a sweep.  For a larger one there is a block for each tile and a launch for
 * each sweep, as variants do it.
 *
 * The including file defines ARRAYS (how many arrays share the working set) and QUADS (float4 of an array
 * that a thread has in flight), and the kernel `walk`.
 */
#include "gpu.h"

enum { TILE = THREADS * QUADS }; /* float4 */
static const double CALL = 0x1p33;
static const size_t FAR = (size_t)1 << 27; /* bytes: more than any of today's caches */

static float4 *d_x, *d_y, *d_z;
static size_t tiles; /* of one array */

__global__ static void walk(size_t tiles, int sweeps, const float4 *x, const float4 *y, float4 *z);

static void prepare(const void *problem)
{
    const struct ceiling_case *p = (const struct ceiling_case *)problem;

    tiles = p->bytes / ARRAYS / (TILE * sizeof(float4));
    const size_t bytes = tiles * TILE * sizeof(float4);
    CUDA(cudaMalloc(&d_x, bytes));
    CUDA(cudaMemset(d_x, 0x3e, bytes)); /* any number will do */
    if (ARRAYS == 3) {
        CUDA(cudaMalloc(&d_y, bytes));
        CUDA(cudaMemset(d_y, 0x3d, bytes));
    }
    CUDA(cudaMalloc(&d_z, bytes));
    CUDA(cudaMemset(d_z, 0, bytes));
}

static void run(const void *problem)
{
    const struct ceiling_case *p = (const struct ceiling_case *)problem;
    const double bytes = (double)(ARRAYS * tiles * TILE * sizeof(float4));
    const int sweeps = (int)(CALL / bytes), far = p->bytes >= FAR;
    const size_t resident = resident_blocks((const void *)walk);
    const unsigned blocks = (unsigned)(far || tiles < resident ? tiles : resident);

    for (int i = 0; i < (far ? sweeps : 1); i++)
        walk<<<blocks, THREADS>>>(tiles, far ? 1 : sweeps, d_x, d_y, d_z);
    CUDA(cudaGetLastError());
    report(problem, sweeps * bytes);
}

static void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
    CUDA(cudaFree(d_z));
}
