/*
 * cg / cuda_single
 *
 * Idea     One reduction an iteration (A. T. Chronopoulos, C. W. Gear, J. Comput. Appl. Math. 25, 1989).  With w = A r and
 *          s = A p kept by a recurrence, both inner products, r r and w r, come from one pass, and all vectors move in one
 *          kernel.  Two launches an iteration.
 * Against  cuda_fused: three.
 * Expect   A launch less where launches are the time, n = 512 and 2048; a product more at the end, since the residual is
 *          known only beside the next product.  s drifts away from A p, so hard systems lose accuracy.
 * Try      A tolerance of 1e-6 with `--tol`: which variants still reach it?
 * Level    3
 * Read     cuda_buffers.h, cuda_rows.h, cuda_steps.h
 */
#include "common/variant.h"
#include "cuda_rows.h" /* lane_sums, BLOCK_ROWS; block_sum, sum_parts, begin, iterate_on_device; prepare, ... */

static float *d_s, *d_w; /* A p by recurrence; A r.  d_p is p, d_q is not used */
static double *d_step;   /* alpha of before, and of now; 0: there was none */

/* w = A r, and each block's parts of r r and w r. */
__global__ static void cg_product(size_t n, const float *a, const float *r, float *w, struct state *state, double *step,
                                  double *rr, double *wr)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_ROWS + threadIdx.x / WARP * ROWS;
    float sum[ROWS];
    double of_rr = 0, of_wr = 0;

    if (finished(state))
        return;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        step[0] = step[1];
    if (i < n) {
        lane_sums(n, n, i, a, r, sum);
        for (unsigned k = 0; k < ROWS; k++) {
            for (unsigned far = WARP / 2; far > 0; far /= 2)
                sum[k] += __shfl_xor_sync(all_lanes, sum[k], far);
            if (threadIdx.x % WARP == 0 && i + k < n) {
                w[i + k] = sum[k];
                of_rr += (double)r[i + k] * r[i + k];
                of_wr += (double)sum[k] * r[i + k];
            }
        }
    }
    of_rr = block_sum(of_rr);
    of_wr = block_sum(of_wr);
    if (threadIdx.x == 0) {
        rr[blockIdx.x] = of_rr;
        wr[blockIdx.x] = of_wr;
    }
}

/* All vectors.  The first time there is no direction of before.  Every block knows by itself whether it is the end. */
__global__ static void cg_all(size_t n, float *x, float *r, float *p, float *s, const float *w, struct state *state,
                              double *step, const double *rr_parts, const double *wr_parts, size_t count)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (state->done)
        return;

    const double rr = sum_parts(rr_parts, count), wr = sum_parts(wr_parts, count);
    const bool first = step[0] == 0;
    const double beta = first ? 0 : rr / state->rr;
    const double alpha = rr / (first ? wr : wr - beta * rr / step[0]);

    if (i < n && rr > state->enough) {
        p[i] = first ? r[i] : r[i] + (float)beta * p[i];
        s[i] = first ? w[i] : w[i] + (float)beta * s[i];
        x[i] += (float)alpha * p[i];
        r[i] -= (float)alpha * s[i];
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        state->next = rr;
        step[1] = alpha;
    }
}

static void prepare_single(const void *problem)
{
    const size_t n = ((const struct cg *)problem)->n;

    prepare(problem);
    CUDA(cudaMalloc(&d_s, n * sizeof(float)));
    CUDA(cudaMalloc(&d_w, n * sizeof(float)));
    CUDA(cudaMalloc(&d_step, 2 * sizeof(double)));
}

static void run(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;
    const unsigned products = blocks_for(s->n, BLOCK_ROWS);
    double *const rr = d_parts, *const wr = d_parts + s->n + 1;

    CUDA(cudaMemsetAsync(d_step, 0, 2 * sizeof(double)));
    iterate_on_device(s, [=] {
        cg_product<<<products, THREADS>>>(s->n, d_a, d_r, d_w, d_state, d_step, rr, wr);
        cg_all<<<blocks_for(s->n, THREADS), THREADS>>>(s->n, d_x, d_r, d_p, d_s, d_w, d_state, d_step, rr, wr, products);
        CUDA(cudaGetLastError());
    });
}

static void release_single(void)
{
    CUDA(cudaFree(d_s));
    CUDA(cudaFree(d_w));
    CUDA(cudaFree(d_step));
    release();
}

VARIANT(.idea = "one reduction an iteration: two launches",
        .base = "cuda_fused",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_single,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_single)
