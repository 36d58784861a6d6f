/*
 * logreg / cuda_sampled
 *
 * Idea     Newton's method on every sixteenth row first, as far as these can tell, and then on all rows.
 * Against  cuda_newton, whose first steps read all rows to learn a rough direction.
 * Expect   The sample's answer is off by its own noise, some 0.3/sqrt(m/16).  From there one step on all rows is enough at
 *          L, and a second reading confirms it: 2 readings and 5 sixteenths.  For small tables the sample is no help.
 * Try      EVERY of 4 and of 256: the columns `evals` and `readings` (--format csv).
 * Level    3
 * Read     cuda_buffers.h, cuda_hessian.h, cuda_newton.h, cuda_rows.h, lbfgs.h, newton.h, solve.h, trace.h
 */
#include "cuda_newton.h" /* prepare_newton, solve_newton, release_newton */

enum { EVERY = 16, FEWEST = 1 << 10 /* rows of a sample that is worth it */ };

static void run_sampled(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    const double sample = (double)p->m / EVERY;

    traced = 0;
    memset(answer_w, 0, (p->n + 1) * sizeof *answer_w);
    if (p->m / EVERY >= FEWEST) /* to a third of its noise */
        solve_newton(p, EVERY, fmax((double)p->tau, 0.1 / sqrt(sample)));
    solve_newton(p, 1, (double)p->tau);
}

VARIANT(.idea = "Newton on every sixteenth row, then on all",
        .base = "cuda_newton",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse_wide,
        .prepare = prepare_newton,
        .upload = upload,
        .run = run_sampled,
        .download = download,
        .release = release_newton,
        .evaluations = evaluations)
