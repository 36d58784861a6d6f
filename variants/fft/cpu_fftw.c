/*
 * fft / cpu_fftw
 *
 * Idea     FFTW, the library that others are compared with (http://www.fftw.org).  At plan time it
 *          composes the transform from generated kernels, tries several ways, and keeps the fastest
 *          one.  All cores.
 * Against  cpu_simd_openmp, our own transform on all cores.
 * Expect   What a library can do on this machine.  Planning often takes thousands of times as long
 *          as one transform; it happens once, in prepare.
 * Try      FFTW_ESTIMATE and FFTW_PATIENT for FFTW_MEASURE: what does one second of planning buy?
 * Level    1
 * Read     nothing else
 */
/* needs: fftw3f */
#include <fftw3.h>
#include <limits.h>
#include <omp.h>

#include "common/fft.h"
#include "common/variant.h"

static fftwf_plan plan;

static const char *refuse(const void *problem)
{
    const struct fft *p = problem;

    return p->n > INT_MAX || p->batch > INT_MAX ? "FFTW's plan counts in int" : NULL;
}

static void prepare(const void *problem)
{
    const struct fft *p = problem;
    const int n = (int)p->n, batch = (int)p->batch;

    if (batch == 0)
        return;
    fftwf_init_threads();
    fftwf_plan_with_nthreads(omp_get_max_threads());

    /* Measuring writes to both arrays, and the inputs are read-only.  So the plan is made on other arrays, which have the
       same alignment or are declared unaligned.  FFTW_PRESERVE_INPUT is the default out of place, stated here. */
    fftwf_complex *in = fftwf_alloc_complex(p->batch * p->n);
    fftwf_complex *out = fftwf_alloc_complex(p->batch * p->n);
    int aligned = fftwf_alignment_of((float *)p->x) == fftwf_alignment_of((float *)in) &&
                  fftwf_alignment_of((float *)p->X) == fftwf_alignment_of((float *)out);

    plan = fftwf_plan_many_dft(1, &n, batch, in, NULL, 1, n, out, NULL, 1, n, FFTW_FORWARD,
                               FFTW_MEASURE | FFTW_PRESERVE_INPUT | (aligned ? 0 : FFTW_UNALIGNED));
    fftwf_free(in);
    fftwf_free(out);
}

static void run(const void *problem)
{
    const struct fft *p = problem;

    if (p->batch > 0)
        fftwf_execute_dft(plan, (fftwf_complex *)p->x, (fftwf_complex *)p->X);
}

static void release(void)
{
    fftwf_destroy_plan(plan);
    plan = NULL;
    fftwf_cleanup_threads(); /* and discards what planning has measured: the next plan is measured anew */
}

VARIANT(.idea = "FFTW, measured plan",
        .base = "cpu_simd_openmp",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
