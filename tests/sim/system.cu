/* The system of equations of logreg's Newton method: what a warp finds, against float64's answer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "variants/logreg/cuda_system.h"
#include "variants/logreg/newton.h"

enum { MOST = SYSTEM + 1 };

static double g[MOST], h[MOST * MOST], way[MOST], best[MOST];

__global__ static void solve(size_t n, const double *g, const double *h, double *way, int *solved)
{
    const bool found = solve_by_warp(n, g, h, way);

    if (threadIdx.x == 0)
        *solved = found;
}

static double uniform(void)
{
    return 2.0 * drand48() - 1.0;
}

/* Sums of products of 4 n + 8 rows of numbers around `mean`, and of 1, as a table of that many features gives; the last two features
   differ by `apart`. */
static void make_system(size_t n, double mean, double apart)
{
    const size_t rows = 4 * n + 8, width = n + 1;

    memset(h, 0, sizeof h);
    for (size_t i = 0; i < rows; i++) {
        double x[MOST], weight = 0.1 + 0.15 * drand48();
        for (size_t j = 0; j < n; j++)
            x[j] = mean + uniform();
        if (n > 1)
            x[n - 1] = x[n - 2] + apart * x[n - 1];
        x[n] = 1.0;
        for (size_t a = 0; a < width; a++)
            for (size_t b = 0; b < width; b++)
                h[a * width + b] += weight * x[a] * x[b] / (double)rows;
    }
    for (size_t j = 0; j < width; j++)
        g[j] = uniform();
}

/* Largest difference from float64's direction, as a share of its largest component; -1: the warp gave up. */
static double error_of(size_t n)
{
    const size_t width = n + 1, bytes = width * width * sizeof *h;
    double *d_g, *d_h, *d_way, *copy = (double *)malloc(bytes), most = 0.0, error = 0.0;
    struct newton t = {.n = width, .way = best};
    int *d_solved, solved;

    cudaMalloc(&d_g, width * sizeof *g);
    cudaMalloc(&d_h, bytes);
    cudaMalloc(&d_way, width * sizeof *way);
    cudaMalloc(&d_solved, sizeof solved);
    cudaMemcpy(d_g, g, width * sizeof *g, cudaMemcpyHostToDevice);
    cudaMemcpy(d_h, h, bytes, cudaMemcpyHostToDevice);
    solve<<<1, 32>>>(n, d_g, d_h, d_way, d_solved);
    cudaMemcpy(&solved, d_solved, sizeof solved, cudaMemcpyDeviceToHost);
    if (solved)
        cudaMemcpy(way, d_way, width * sizeof *way, cudaMemcpyDeviceToHost);
    memcpy(copy, h, bytes);
    newton_solve(&t, g, copy);
    for (size_t j = 0; j < width; j++) {
        most = fmax(most, fabs(best[j]));
        error = fmax(error, fabs(way[j] - best[j]));
    }
    cudaFree(d_g);
    cudaFree(d_h);
    cudaFree(d_way);
    cudaFree(d_solved);
    free(copy);
    return solved ? error / most : -1.0;
}

int main(void)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 16, 27, 31, 32};
    int wrong = 0;

    srand48(1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int mean = 0; mean < 10; mean += 3) {
            const size_t n = sizes[i];
            make_system(n, mean, 1.0);
            const double error = error_of(n);
            if (!(error >= 0.0 && error < 1e-4)) {
                fprintf(stderr, "%zu unknowns around %d: error %g\n", n, mean, error);
                wrong++;
            }
            if (n == 1)
                continue;
            make_system(n, mean, 1e-4); /* columns that nearly repeat each other */
            if (error_of(n) >= 0.0) {
                fprintf(stderr, "%zu unknowns around %d: a pivot without digits is taken\n", n, mean);
                wrong++;
            }
        }
    return wrong > 0;
}
