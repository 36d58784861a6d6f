/*
 * logreg / cuda_sampled
 *
 * Idea     Newton's method on every 32nd row first, as far as these can tell.  Their Hessian then serves all rows, which are
 *          read for the gradient alone.
 * Against  cuda_newton, whose steps each read all rows for gradient and Hessian.
 * Expect   The sample's answer is off by its own noise.  Its Hessian is off by some 1 %, so that a step contracts the error a
 *          hundredfold: two readings at memory's rate, 0.57 ms at L on an H200, and four evaluations of 1/32, 30 us each.
 * Try      EVERY of 4 and of 256: the columns `evals` and `readings` (--format csv).
 * Level    3
 * Read     cuda_buffers.h, cuda_hessian.h, cuda_newton.h, cuda_rows.h, lbfgs.h, newton.h, solve.h, trace.h
 */
#include "cuda_newton.h" /* prepare_newton, solve_newton, release_newton */

enum { EVERY = 32, FEWEST = 128 /* rows of a sample for each unknown */ };

/* Steps on all rows by the Hessian of the sample.  Returns whether they have led to the tolerance.  They end where the gradient
   does not shrink to a tenth: the Hessian is then not that of all rows, or not of this place. */
static bool finish_by_sample(const struct logreg *p)
{
    const size_t width = p->n + 1;
    struct newton t;
    double before;
    bool done, on;

    newton_factor(width, hessian);
    newton_start(&t, width, (double)p->tau, newton_memory);
    memcpy(t.trial, answer_w, width * sizeof *answer_w);
    do {
        before = t.size;
        evaluate(p, t.trial, gradient);
        done = newton_keep(&t, gradient);
        trace_add(1.0, t.size);
        on = !done && t.size < before / 10.0;
        for (size_t j = 0; j < width; j++)
            t.at[j] = (double)t.trial[j];
        if (on) {
            newton_direct(&t, gradient, hessian);
            on = newton_go(&t, 1.0);
        }
    } while (on);
    memcpy(answer_w, t.best, width * sizeof *answer_w);
    return done;
}

static void run_sampled(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    const double sample = (double)p->m / EVERY;
    bool done = false;

    traced = 0;
    memset(answer_w, 0, (p->n + 1) * sizeof *answer_w);
    if (p->m / EVERY >= FEWEST * (p->n + 1)) {
        solve_newton(p, EVERY, fmax((double)p->tau, 0.4 / sqrt(sample))); /* below the noise of its gradient */
        done = finish_by_sample(p);
    }
    if (!done)
        solve_newton(p, 1, (double)p->tau);
}

VARIANT(.idea = "Newton on every 32nd row; its Hessian then serves all",
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
