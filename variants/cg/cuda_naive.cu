/*
 * cg / cuda_naive
 *
 * Idea     Each line of the textbook is a kernel: five launches an iteration, and scalars stay on the device.  A thread has a
 *          row of A; as A is symmetric, it reads a column instead, so that a warp reads 32 neighbours.  The host looks at
 *          the residual at every `every`-th iteration.
 * Against  cpu_naive: one thread.
 * Expect   n threads are few: 512 or 2048 leave most of the device idle.  Each looks at n numbers, one after the other.
 * Try      a[i * n + j] in place of a[j * n + i]: 32 lines for 32 numbers.
 * Level    1
 * Read     nothing else
 */
#include "common/cg.h"
#include "common/cuda.h"
#include "common/variant.h"

enum { THREADS = 256, ONE_BLOCK = 1024 };

/* Squares of the residual: before the iteration, and behind it; where it ends; p q. */
struct state {
    double rr, next, enough, pq;
};

static float *d_a, *d_b, *d_x;
static float *d_r, *d_p, *d_q; /* the residual, the direction, A times the direction */
static struct state *d_state;

/* The inner product of two vectors, by one block; the result is for thread 0. */
__device__ static double inner(size_t n, const float *u, const float *v)
{
    __shared__ double sums[ONE_BLOCK];
    double mine = 0;

    for (size_t i = threadIdx.x; i < n; i += ONE_BLOCK)
        mine += (double)u[i] * v[i];
    sums[threadIdx.x] = mine;
    for (unsigned half = ONE_BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    return sums[0];
}

__global__ static void cg_begin(size_t n, float tol, const float *b, float *x, float *r, float *p, struct state *state)
{
    for (size_t i = threadIdx.x; i < n; i += ONE_BLOCK) {
        x[i] = 0;
        r[i] = p[i] = b[i];
    }
    const double bb = inner(n, b, b);
    if (threadIdx.x == 0)
        *state = {bb, bb, (double)tol * tol * bb, 0};
}

/* q = A p */
__global__ static void cg_multiply(size_t n, const float *a, const float *p, float *q, struct state *state)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    float sum = 0;

    if (i == 0)
        state->rr = state->next;
    if (i >= n)
        return;
    for (size_t j = 0; j < n; j++)
        sum += a[j * n + i] * p[j];
    q[i] = sum;
}

__global__ static void cg_inner_pq(size_t n, const float *p, const float *q, struct state *state)
{
    const double pq = inner(n, p, q);

    if (threadIdx.x == 0)
        state->pq = pq;
}

/* Behind the end alpha is 0, because the host has not looked yet, and 0 / 0 is no number. */
__global__ static void cg_move(size_t n, const float *p, const float *q, float *x, float *r, const struct state *state)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const float alpha = state->rr > state->enough ? (float)(state->rr / state->pq) : 0;

    if (i >= n)
        return;
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
}

__global__ static void cg_inner_rr(size_t n, const float *r, struct state *state)
{
    const double rr = inner(n, r, r);

    if (threadIdx.x == 0)
        state->next = rr;
}

__global__ static void cg_turn(size_t n, const float *r, float *p, const struct state *state)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n && state->rr > state->enough)
        p[i] = r[i] + (float)(state->next / state->rr) * p[i];
}

static void prepare(const void *problem)
{
    const size_t n = ((const struct cg *)problem)->n;

    CUDA(cudaMalloc(&d_a, n * n * sizeof(float)));
    CUDA(cudaMalloc(&d_b, n * sizeof(float)));
    CUDA(cudaMalloc(&d_x, n * sizeof(float)));
    CUDA(cudaMalloc(&d_r, n * sizeof(float)));
    CUDA(cudaMalloc(&d_p, n * sizeof(float)));
    CUDA(cudaMalloc(&d_q, n * sizeof(float)));
    CUDA(cudaMalloc(&d_state, sizeof(struct state)));
}

static void upload(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

    CUDA(cudaMemcpy(d_a, s->a, s->n * s->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_b, s->b, s->n * sizeof(float), cudaMemcpyHostToDevice));
}

static void iterate_once(size_t n)
{
    const unsigned blocks = (unsigned)((n + THREADS - 1) / THREADS);

    cg_multiply<<<blocks, THREADS>>>(n, d_a, d_p, d_q, d_state);
    cg_inner_pq<<<1, ONE_BLOCK>>>(n, d_p, d_q, d_state);
    cg_move<<<blocks, THREADS>>>(n, d_p, d_q, d_x, d_r, d_state);
    cg_inner_rr<<<1, ONE_BLOCK>>>(n, d_r, d_state);
    cg_turn<<<blocks, THREADS>>>(n, d_r, d_p, d_state);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;
    struct state now;

    if (s->n == 0)
        return;
    cg_begin<<<1, ONE_BLOCK>>>(s->n, s->tol, d_b, d_x, d_r, d_p, d_state);
    CUDA(cudaGetLastError());
    for (size_t k = 0; k < 2 * s->n + 50; k += s->every) {
        for (size_t i = 0; i < s->every; i++)
            iterate_once(s->n);
        CUDA(cudaMemcpy(&now, d_state, sizeof now, cudaMemcpyDeviceToHost));
        if (now.next <= now.enough)
            return;
    }
}

static void download(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

    CUDA(cudaMemcpy(s->x, d_x, s->n * sizeof(float), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_r));
    CUDA(cudaFree(d_p));
    CUDA(cudaFree(d_q));
    CUDA(cudaFree(d_state));
}

VARIANT(.idea = "each line of the textbook a kernel, a thread a row",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
