#include "workshop/lab/counted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/registry.h"

bool counted_readings(const struct exercise *e, const char *program, struct mistake *m, struct error *error)
{
    double bytes;

    if (m->facts == 0 || strncmp(m->fact[0], "every number counts", 19) != 0 || strcmp(problem_name(e->problem), "reduce") != 0 || e->counted.label == NULL)
        return true;
    if (!gates_of_wrong(e, program, "load_bytes", &bytes, error))
        return false;
    const double times = bytes / (sizeof(float) * (double)e->counted.dims[0]);
    if (times > 0.99 && times < 1.01)
        mistake_add(m, "at %s the kernel reads each number once: so what the threads have added up is added again behind their loops",
                    e->counted.label);
    else if (fabs(times - atof(m->fact[0] + strlen("every number counts "))) < 0.01 * times)
        mistake_add(m, "at %s the kernel reads each number %.3g times: so the loops of several threads take the same numbers", e->counted.label, times);
    else
        mistake_add(m, "at %s the kernel makes %.3g reads for each number", e->counted.label, times);
    return true;
}

void counted_reads(const struct exercise *e, const struct gated *g, struct mistake *m)
{
    const double rows = (double)e->counted.dims[0], cols = (double)e->counted.dims[1], along = (double)e->counted.dims[2];
    const double results = rows * cols / g->threads, reads = 32.0 * g->reads / (g->threads * along);
    int best = 1; /* so many rows of a thread give the fewest reads */

    if (strcmp(g->gate->metric, "shared_passes") != 0 || strcmp(problem_name(e->problem), "matmul") != 0 || !(g->reads > 0.0 && results > 0.0))
        return;
    const int whole = (int)(results + 0.5);
    for (int r = 1; r <= whole; r++)
        if (whole % r == 0 && r + whole / r < best + whole / best)
            best = r;
    const int fewest = best + whole / best;
    mistake_add(m, "a thread computes %.3g elements, and for each step along k it reads %.3g floats of shared memory: %.3g for each multiply-add", results,
                reads, reads / results);
    if (g->value > 1.5 * g->reads)
        mistake_add(m, "a warp needs %.2g passes for a read: several of its threads want floats of one bank", g->value / g->reads);
    else if (reads >= 1.9 * results)
        mistake_add(m, "so each multiply-add reads both of its floats, though a row of A and a column of B are used for several elements");
    else if (whole > 1 && reads <= 1.05 * fewest)
        mistake_add(m, "with %d elements for each thread, as %d x %d, fewer reads are not possible: more elements are, such as twice as many columns", whole, best,
                    whole / best);
    else if (whole > 1)
        mistake_add(m, "as %d x %d elements, %d reads would be enough: one for each row and one for each column", best, whole / best, fewest);
}
