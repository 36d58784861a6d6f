/* Overwrites the function that takes samples by one that takes none and makes them up. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "harness/worker/sample.h"
#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

static void made_up(const struct stage *s, const struct request *q, struct reply *a)
{
    (void)s;
    for (unsigned i = 0; i < q->samples; i++)
        for (int phase = 0; phase < PHASES; phase++)
            a->samples.time[phase][i] = phase == PHASE_E2E ? 1e-6 : NAN;
    a->samples.count = q->samples;
    a->samples.runs = 1;
}

static void prepare(const void *problem)
{
    (void)problem;
    overwrite(worker_function("sample_block"), (void *)made_up);
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "replaces the sampler", .prepare = prepare, .run = run)
