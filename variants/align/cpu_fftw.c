/*
 * align / cpu_fftw
 *
 * Idea     FFTW (http://www.fftw.org): real transforms there and back in two dimensions, with measured plans for this size.
 *          All cores.
 * Against  cpu_simd_openmp, our own transforms on all cores.
 * Expect   Good transforms, and three arrays in memory between them: a library's call ends with its answer in memory.
 * Try      FFTW_ESTIMATE for FFTW_MEASURE; one plan for several pairs, by fftwf_plan_many_dft_r2c.
 * Level    1
 * Read     peak.h
 */
/* needs: fftw3f */
#include <fftw3.h>
#include <omp.h>

#include "common/align.h"
#include "common/variant.h"
#include "peak.h" /* shift_of */

static fftwf_plan forward, backward;
static fftwf_complex *A, *B; /* [rows][cols/2 + 1] */
static float *image;         /* [rows][cols] what goes in, and then g */

static const char *refuse(const void *problem)
{
    const struct align *p = problem;

    return p->rows > 1 << 30 || p->cols > 1 << 30 ? "FFTW's plan counts in int" : NULL;
}

static void prepare(const void *problem)
{
    const struct align *p = problem;
    const int rows = (int)p->rows, cols = (int)p->cols;
    const size_t bins = p->rows * (p->cols / 2 + 1);

    fftwf_init_threads();
    fftwf_plan_with_nthreads(omp_get_max_threads());
    A = fftwf_alloc_complex(bins);
    B = fftwf_alloc_complex(bins);
    image = fftwf_alloc_real(p->rows * p->cols);
    /* Measuring writes to the arrays, and the inputs are read-only.  So plans are for our own arrays. */
    forward = fftwf_plan_dft_r2c_2d(rows, cols, image, A, FFTW_MEASURE | FFTW_PRESERVE_INPUT | FFTW_UNALIGNED);
    backward = fftwf_plan_dft_c2r_2d(rows, cols, A, image, FFTW_MEASURE | FFTW_DESTROY_INPUT);
}

static void combine(size_t bins, float eps)
{
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < bins; k++) {
        const float ar = A[k][0], ai = A[k][1], br = B[k][0], bi = B[k][1];
        const float size = sqrtf(ar * ar + ai * ai) * sqrtf(br * br + bi * bi) + eps;

        A[k][0] = (ar * br + ai * bi) / size;
        A[k][1] = (ai * br - ar * bi) / size;
    }
}

/* Returns the first of the highest, by threads that search parts of the rows. */
static size_t find_peak(size_t rows, size_t cols)
{
    size_t peak = 0;

#pragma omp parallel
    {
        size_t mine = 0;

#pragma omp for schedule(static) nowait
        for (size_t r = 0; r < rows; r++)
            for (size_t i = r * cols; i < (r + 1) * cols; i++)
                if (fabsf(image[i]) > fabsf(image[mine]))
                    mine = i;
#pragma omp critical
        if (fabsf(image[mine]) > fabsf(image[peak]) || (mine < peak && fabsf(image[mine]) == fabsf(image[peak])))
            peak = mine;
    }
    return peak;
}

static void run(const void *problem)
{
    const struct align *p = problem;
    const size_t rows = p->rows, cols = p->cols, n = rows * cols;

    for (size_t pair = 0; pair < p->pairs; pair++) {
        fftwf_execute_dft_r2c(forward, (float *)p->a + pair * n, A);
        fftwf_execute_dft_r2c(forward, (float *)p->b + pair * n, B);
        combine(rows * (cols / 2 + 1), p->eps[pair]);
        fftwf_execute(backward);

        const size_t peak = find_peak(rows, cols), r = peak / cols, c = peak % cols;
        const float high = fabsf(image[peak]);

        p->peak[pair] = (uint32_t)peak;
        p->height[pair] = high / (float)n;
        p->shift[2 * pair] = shift_of(r, rows, fabsf(image[(r + rows - 1) % rows * cols + c]), high,
                                      fabsf(image[(r + 1) % rows * cols + c]));
        p->shift[2 * pair + 1] = shift_of(c, cols, fabsf(image[r * cols + (c + cols - 1) % cols]), high,
                                          fabsf(image[r * cols + (c + 1) % cols]));
    }
}

static void release(void)
{
    fftwf_destroy_plan(forward);
    fftwf_destroy_plan(backward);
    fftwf_free(A);
    fftwf_free(B);
    fftwf_free(image);
    fftwf_cleanup_threads(); /* and discards what planning has measured: the next plan is measured anew */
}

VARIANT(.idea = "FFTW: real transforms, measured plans",
        .base = "cpu_simd_openmp",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
