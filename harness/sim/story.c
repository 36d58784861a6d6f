/*
 * The requests of one warp, in their order: what a picture shows step by step.
 *
 * Of each kernel the warp is kept whose requests have most parts beyond the least, the first of equals.  A line in
 * a loop would fill a story, so only its first requests are kept.
 */
#include <stdlib.h>

#include "harness/sim/trace.h"

enum { MOST_REQUESTS = 96, MOST_OF_SITE = 4 };

struct sim_story {
    struct cudasim_shape grid, shape, block; /* `shape`: of a block; `block`: its index */
    unsigned warp, count;
    uint64_t requests, excess; /* of all requests of the warp, also those that are not kept */
    struct sim_request request[MOST_REQUESTS];
};

static struct sim_story *warps; /* of the running block */

void sim_story_block(void)
{
    if (warps == NULL && (warps = calloc(MAX_WARPS, sizeof *warps)) == NULL)
        sim_fail(NULL, "no memory for the trace");
    for (unsigned w = 0; w * WARP < sim_block.threads; w++) {
        struct sim_story *s = &warps[w];
        s->grid = sim_block.launch->grid;
        s->shape = sim_block.launch->block;
        s->block = sim_block.index;
        s->warp = w;
        s->count = 0;
        s->requests = s->excess = 0;
    }
}

static unsigned count_of(const struct sim_story *s, unsigned site)
{
    unsigned count = 0;

    for (unsigned i = 0; i < s->count; i++)
        count += s->request[i].site == site;
    return count;
}

void sim_story_add(unsigned warp, const struct sim_request *r)
{
    struct sim_story *s = &warps[warp];

    s->requests++;
    s->excess += r->parts > r->least ? r->parts - r->least : 0;
    if (s->count < MOST_REQUESTS && count_of(s, r->site) < MOST_OF_SITE)
        s->request[s->count++] = *r;
}

void sim_story_block_end(void)
{
    struct sim_kernel *k = sim_counted_kernel();

    for (unsigned w = 0; w * WARP < sim_block.threads; w++) {
        const struct sim_story *s = &warps[w];
        if (s->count == 0 || (k->story != NULL && k->story->count > 0 && s->excess <= k->story->excess))
            continue;
        if (k->story == NULL && (k->story = malloc(sizeof *s)) == NULL)
            sim_fail(NULL, "no memory for the trace");
        *k->story = *s;
    }
}

void sim_story_forget(struct sim_kernel *k)
{
    if (k->story != NULL)
        k->story->count = 0;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void write_numbers(FILE *out, const struct sim_request *r, uintptr_t start)
{
    fputs(",\"lanes\":[", out);
    for (unsigned i = 0; i < r->lanes; i++)
        fprintf(out, "%s%u", i > 0 ? "," : "", r->lane[i]);
    fputs("],\"offsets\":[", out);
    for (unsigned i = 0; i < r->lanes; i++)
        fprintf(out, "%s%lld", i > 0 ? "," : "", (long long)(r->address[i] - start));
    fputs("]", out);
}

/* Writes the lanes that wait elsewhere: {"variants/saxpy/cuda_naive.cu:12":[0,1]}. */
static void write_elsewhere(FILE *out, const struct sim_request *r)
{
    static const void *at[WARP];
    static struct sim_text text[WARP];
    unsigned short sites[WARP];
    unsigned count = 0, lanes[WARP] = {0};

    for (unsigned i = 0; i < WARP; i++) {
        unsigned n = 0;
        if (r->elsewhere[i] == 0)
            continue;
        while (n < count && sites[n] != r->elsewhere[i])
            n++;
        if (n == count) {
            sites[count] = r->elsewhere[i];
            at[count++] = sim_sites[r->elsewhere[i]].at;
        }
        lanes[n] |= 1u << i;
    }
    if (count == 0)
        return;
    sim_lines(at, text, count);
    fputs(",\"elsewhere\":[", out);
    for (unsigned n = 0; n < count; n++)
        fprintf(out, "%s{\"at\":\"%s\",\"mask\":%u}", n > 0 ? "," : "", text[n].line, lanes[n]);
    fputs("]", out);
}

void sim_story_write(FILE *out, const struct sim_kernel *k)
{
    static const void *at[MOST_REQUESTS];
    static struct sim_text text[MOST_REQUESTS];
    const struct sim_story *s = k->story;

    if (s == NULL || s->count == 0)
        return;
    for (unsigned i = 0; i < s->count; i++)
        at[i] = sim_sites[s->request[i].site].at;
    sim_lines(at, text, s->count);
    fprintf(out, "{\"trace\":\"warp\",\"phase\":\"%s\",\"kernel\":\"%.*s\",\"grid\":[%u,%u,%u],\"shape\":[%u,%u,%u],"
                 "\"block\":[%u,%u,%u],\"warp\":%u,\"requests\":%llu}\n",
            sim_phase_name(k->phase), sim_kernel_length(k), k->name + 1, s->grid.x, s->grid.y, s->grid.z, s->shape.x,
            s->shape.y, s->shape.z, s->block.x, s->block.y, s->block.z, s->warp, (unsigned long long)s->requests);
    for (unsigned i = 0; i < s->count; i++) {
        const struct sim_request *r = &s->request[i];
        const struct sim_site *site = &sim_sites[r->site];
        fprintf(out, "{\"trace\":\"request\",\"at\":\"%s\",\"space\":\"%s\",\"access\":\"%s\",\"bytes\":%u,"
                     "\"parts\":%u,\"least\":%u,", text[i].line, sim_space_names[site->space],
                sim_action_names[site->action], r->bytes, r->parts, r->least);
        write_numbers(out, r, sim_trace_array(out, site->space, r->address[0]));
        write_elsewhere(out, r);
        fputs("}\n", out);
    }
}
