/*
 * logreg / cuda_newton
 *
 * Idea     Newton's method: the Hessian from the rows that pass by for the gradient, by tensor cores.
 * Against  cuda_warp, whose L-BFGS needs some twenty readings.
 * Expect   Four or five readings.  Each is little slower than one for the gradient alone, if the tensor cores' work hides
 *          behind the loads.  The system of n + 1 equations takes the host some 10 us a step.
 * Try      A Hessian of every second tile alone, times two: how many more steps does it take?
 * Level    3
 * Read     cuda_buffers.h, cuda_hessian.h, cuda_newton.h, cuda_rows.h, lbfgs.h, newton.h, solve.h, trace.h
 */
#include "cuda_newton.h" /* prepare_newton, solve_newton, release_newton */

static void run_newton(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    traced = 0;
    memset(answer_w, 0, (p->n + 1) * sizeof *answer_w);
    solve_newton(p, 1, (double)p->tau);
}

VARIANT(.idea = "Newton: the Hessian by tensor cores from the same reading",
        .base = "cuda_warp",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse_wide,
        .prepare = prepare_newton,
        .upload = upload,
        .run = run_newton,
        .download = download,
        .release = release_newton,
        .evaluations = evaluations)
