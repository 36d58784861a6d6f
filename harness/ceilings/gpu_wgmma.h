/*
 * Tensor cores of compute capability 9.0, through their own instruction (wgmma): 128 threads multiply two
 * matrices in shared memory, 64 x K by K x 256, and add to sums in their registers.
 *
 * Nothing is loaded or stored, so no matrix product is faster.  The numbers are random: on zeros a GPU is
 * an eighth faster, because it needs less power.  The including file defines K and the instruction; its
 * operands are the 128 sums, two descriptors and a predicate.
 */
#include "gpu.h"

enum { GROUP = 8, STEPS = 1 << 10, A_BYTES = 64 * 32, B_BYTES = 256 * 32 };

/* Returns the descriptor of a matrix in shared memory.  The matrix consists of pieces of 8 rows by 16
   bytes, two side by side, then the next rows; the descriptor holds the distances in both directions,
   in units of 16 bytes. */
__device__ static unsigned long long descriptor(const void *matrix)
{
    const unsigned long long place = (unsigned long long)__cvta_generic_to_shared(matrix) >> 4;

    return (place & 0x3fff) | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}

#define SUMS4(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define SUMS16(i) SUMS4(i), SUMS4(i + 4), SUMS4(i + 8), SUMS4(i + 12)
#define SUMS64(i) SUMS16(i), SUMS16(i + 16), SUMS16(i + 32), SUMS16(i + 48)
#define PLACES                                                                                     \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,"   \
    "%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"  \
    "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,"  \
    "%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,"  \
    "%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,"     \
    "%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}"

__global__ static void __launch_bounds__(THREADS) multiply(float *out)
{
    __shared__ alignas(128) NUMBER a[THREADS / 128][A_BYTES / sizeof(NUMBER)];
    __shared__ alignas(128) NUMBER b[B_BYTES / sizeof(NUMBER)];
    const int group = threadIdx.x / 128;
    float sum[128], all = 0.0f;

    for (unsigned i = threadIdx.x; i < sizeof a / sizeof(NUMBER); i += THREADS)
        a[0][i] = (NUMBER)((float)(int)((i + blockIdx.x * 977) * 2654435761u) * 0x1p-31f);
    for (unsigned i = threadIdx.x; i < sizeof b / sizeof(NUMBER); i += THREADS)
        b[i] = (NUMBER)((float)(int)((i + 1) * 3266489917u) * 0x1p-31f);
#pragma unroll
    for (int i = 0; i < 128; i++)
        sum[i] = 0.0f;
    asm volatile("fence.proxy.async;" ::: "memory"); /* the instruction reads shared memory by another
                                                        path */
    __syncthreads();

    const unsigned long long da = descriptor(a[group]), db = descriptor(b);
#pragma unroll 1
    for (int step = 0; step < STEPS; step++) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int i = 0; i < GROUP; i++)
            asm volatile("{.reg .pred add; setp.eq.u32 add, 1, 1; " INSTRUCTION "}"
                         : SUMS64(0), SUMS64(64)
                         : "l"(da), "l"(db));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }
#pragma unroll
    for (int i = 0; i < 128; i++)
        all += sum[i];
    if (all == 0x1p-99f) /* never true, but the compiler cannot know that */
        *out = all;
}

static const char *refuse(const void *problem)
{
    int major, minor;

    (void)problem; /* it has no size */
    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    return major == 9 && minor == 0 ? NULL : "the instruction is of compute capability 9.0 alone";
}

static void run(const void *problem)
{
    const unsigned blocks = resident_blocks((const void *)multiply);

    multiply<<<blocks, THREADS>>>(NULL);
    CUDA(cudaGetLastError());
    report(problem, 2.0 * 64 * K * 256 * GROUP * STEPS * (THREADS / 128) * blocks);
}
