#include "workshop/lab/counted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/registry.h"
#include "workshop/lab/text.h"

enum { WARP = 32 };

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

/* Returns whether the program has vectors, of which one read brings several floats. */
static bool reads_vectors(const struct exercise *e)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), *code = text != NULL ? text_without_comments(text) : NULL;
    const bool has = code != NULL && (strstr(code, "float4") != NULL || strstr(code, "float2") != NULL);

    free(code);
    free(text);
    return has;
}

/* matmul: how many floats a thread reads from shared memory for its multiply-adds, and how few would do. */
static void reads_of_products(const struct exercise *e, const struct gated *g, struct mistake *m)
{
    const double rows = (double)e->counted.dims[0], cols = (double)e->counted.dims[1], along = (double)e->counted.dims[2];
    const double results = rows * cols / g->threads, reads = 32.0 * g->reads / (g->threads * along);
    const bool wide = g->value > 1.5 * g->reads && reads_vectors(e);
    int best = 1, is = 0; /* so many rows of a thread give the fewest reads; give those that it makes */

    if (!(g->reads > 0.0 && results > 0.0))
        return;
    const int whole = (int)(results + 0.5);
    for (int r = 1; r <= whole; r++) {
        const int sides = r + whole / r;
        if (whole % r == 0 && sides < best + whole / best)
            best = r;
        if (whole % r == 0 && fabs(reads - sides) < 0.05)
            is = r;
    }
    const int fewest = best + whole / best;
    char text[40];
    snprintf(text, sizeof text, "%s %.3g %s", wide ? "makes" : "reads", reads, wide ? "reads" : "floats");
    mistake_add(m, "a thread computes %.3g elements, and for each step along k it %s of shared memory: %.3g for each multiply-add", results,
                text, reads / results);
    if (wide) /* of so many floats the counters do not tell */
        mistake_add(m, "a warp needs %.2g passes for a read: one of 8 or 16 bytes for each lane takes several, also without a bank conflict", g->value / g->reads);
    else if (g->value > 1.5 * g->reads)
        mistake_add(m, "a warp needs %.2g passes for a read: several of its threads want floats of one bank", g->value / g->reads);
    else if (whole > 1 && reads <= 1.05 * fewest)
        mistake_add(m, "with %d elements for each thread, as %d x %d, fewer reads are not possible: more elements are, such as twice as many columns", whole, best,
                    whole / best);
    else if (whole > 1 && is > 0)
        mistake_add(m, "%d = %d + %d: as for %d x %d elements, with each float read once; as %d x %d elements, %d reads would be enough", whole / is + is, is,
                    whole / is, is, whole / is, best, whole / best, fewest);
    else if (reads >= 1.9 * results)
        mistake_add(m, "so each multiply-add reads both of its floats, though a row of A and a column of B are used for several elements");
    else if (whole > 1 && reads >= results)
        mistake_add(m, "that is one float for each multiply-add, or more, though each is used for several elements: as %d x %d elements, %d reads would be enough",
                    best, whole / best, fewest);
    else if (whole > 1)
        mistake_add(m, "as %d x %d elements, %d reads would be enough: one for each row and one for each column", best, whole / best, fewest);
}

/* matmul by tensor cores: how many loads a warp makes for a slice, and how many its fragments are. */
static void loads_of_slices(const struct exercise *e, const struct gated *g, struct mistake *m)
{
    enum { SLICE = 8, FRAGMENTS = 6 };
    const size_t slices = (e->counted.dims[2] + SLICE - 1) / SLICE;
    const double loads = g->value / (g->threads / WARP * (double)slices);
    const double times = loads / FRAGMENTS;

    mistake_add(m, "for each %d steps along k a warp makes %.3g loads, and its fragments of A and B are %d registers of each lane", SLICE, loads, FRAGMENTS);
    if (times > 1.5 && fabs(times - rint(times)) < 0.01)
        mistake_add(m, "that is %.0f times as many", times);
}

/* knn: who reads all references. */
static void readers_of_references(const struct exercise *e, const struct gated *g, struct mistake *m)
{
    const double each = 2.0 * sizeof(float), warps = ceil(g->by.block / (double)WARP);
    const double times = (g->value - each * (double)e->counted.dims[0]) / (each * (double)e->counted.dims[1]);

    if (fabs(times - g->by.blocks) < 0.02 * times && warps == 1.0)
        mistake_add(m, "a block has %d threads, which is one warp: each of the %.0f blocks reads all references for itself", g->by.block, g->by.blocks);
    else if (fabs(times - g->by.blocks) < 0.02 * times)
        mistake_add(m, "each of the %.0f blocks of %d threads reads all references once", g->by.blocks, g->by.block);
    else if (fabs(times - g->by.blocks * warps) < 0.02 * times)
        mistake_add(m, "each of the %.0f warps of the %.0f blocks reads all references", warps, g->by.blocks);
}

/* compact: how often an element is read, and how many words a tile. */
static void reads_of_tiles(const struct exercise *e, const struct gated *g, bool bytes, struct mistake *m)
{
    const double n = (double)e->counted.dims[0], turns = g->there / (g->by.blocks * g->by.warps);

    if (bytes)
        mistake_add(m, "the %.0f elements of x are %.0f bytes, so each is read %.2g times on average", n, sizeof(float) * n, g->value / (sizeof(float) * n));
    else if (g->by.warps > 1)
        mistake_add(m, "in each of the %.0f blocks %d warps do so, %.2g times each", g->by.blocks, g->by.warps, turns);
    else
        mistake_add(m, "in each of the %.0f blocks one warp does so, %.3g times", g->by.blocks, turns);
}

/* reduce: how many atomic additions there are for each block, warp, thread or number. */
static void additions_each(const struct exercise *e, const struct gated *g, struct mistake *m)
{
    const double threads = g->by.blocks * g->by.block;
    const struct {
        const char *what;
        double count;
    } of[] = {{"number", (double)e->counted.dims[0]}, {"thread", threads}, {"warp", threads / WARP}, {"block", g->by.blocks}};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int each = 1; each <= 2; each++)
            if (g->by.accesses == each * of[i].count) {
                mistake_add(m, "threads make %.0f atomic additions: %d for each %s", g->by.accesses, each, of[i].what);
                return;
            }
    mistake_add(m, "threads make %.0f atomic additions: %.3g for each of the %.0f blocks", g->by.accesses, g->by.accesses / g->by.blocks, g->by.blocks);
}

/* stencil: how many steps a launch makes. */
static void steps_of_launches(const struct exercise *e, const struct gated *g, struct mistake *m)
{
    mistake_add(m, "%zu steps are made by %.0f launch%s, and each launch loads and stores the image", e->counted.dims[2], g->by.launches,
                g->by.launches == 1.0 ? "" : "es");
}

void counted_gate(const struct exercise *e, const struct gated *g, struct mistake *m)
{
    const char *metric = g->gate->metric, *problem = problem_name(e->problem);
    const bool bytes = strcmp(metric, "load_bytes") == 0, requests = strcmp(metric, "load_requests") == 0;

    if (strcmp(metric, "shared_passes") == 0 && strcmp(problem, "matmul") == 0)
        reads_of_products(e, g, m);
    else if (g->line == 0)
        return;
    else if (requests && strcmp(problem, "matmul") == 0 && e->math == MATH_TF32)
        loads_of_slices(e, g, m);
    else if (bytes && strcmp(problem, "knn") == 0)
        readers_of_references(e, g, m);
    else if ((bytes || requests) && strcmp(problem, "compact") == 0)
        reads_of_tiles(e, g, bytes, m);
    else if (strcmp(metric, "global_sectors") == 0 && strcmp(problem, "stencil") == 0 && g->by.launches > 0.0)
        steps_of_launches(e, g, m);
    else if (strcmp(metric, "atomics") == 0 && strcmp(problem, "reduce") == 0)
        additions_each(e, g, m);
}
