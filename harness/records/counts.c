#define _GNU_SOURCE
#include "harness/records/counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OF(key, kind, member) RECORD_FIELD(struct counts, key, kind, member)

static const struct field fields[] = {
    OF("calls", KIND_INT, calls),
    OF("launches", KIND_COUNT, launches),
    OF("blocks", KIND_COUNT, blocks),
    OF("threads", KIND_COUNT, threads),
    OF("barriers", KIND_COUNT, barriers),
    OF("load_requests", KIND_COUNT, load_requests),
    OF("load_sectors", KIND_COUNT, load_sectors),
    OF("load_bytes", KIND_COUNT, load_bytes),
    OF("store_requests", KIND_COUNT, store_requests),
    OF("store_sectors", KIND_COUNT, store_sectors),
    OF("store_bytes", KIND_COUNT, store_bytes),
    OF("atomic_requests", KIND_COUNT, atomic_requests),
    OF("atomic_sectors", KIND_COUNT, atomic_sectors),
    OF("shared_requests", KIND_COUNT, shared_requests),
    OF("shared_wavefronts", KIND_COUNT, shared_wavefronts),
    OF("shared_conflicts", KIND_COUNT, shared_conflicts),
    OF("copies", KIND_COUNT, copies),
    OF("copied_bytes", KIND_COUNT, copied_bytes),
    OF("migrated_bytes", KIND_COUNT, migrated_bytes),
    OF("occupancy", KIND_NUMBER, occupancy),
};
enum { FIELDS = sizeof fields / sizeof *fields };

json_t *counts_write(const struct counts *c)
{
    json_t *object;

    if (c->calls == 0)
        return json_null();
    object = json_object();
    fields_write(object, fields, FIELDS, c);
    return object;
}

bool counts_read(const struct record_place *p, const json_t *object, struct counts *c)
{
    *c = (struct counts){.occupancy = NAN};
    return object == NULL || fields_read(p, object, fields, FIELDS, c);
}

double counts_traffic(const struct counts *c)
{
    return SECTOR_BYTES * (double)(c->load_sectors + c->store_sectors + c->atomic_sectors);
}

/* --- as the simulator writes them ------------------------------------------------------------- */

static size_t whole(const json_t *object, const char *name)
{
    return (size_t)json_integer_value(json_object_get(object, name));
}

/* Returns the share of the warps that fit on a multiprocessor of an H200 (CUDA programming guide, compute
   capability 9.0).  Registers, which the simulator does not know, may allow fewer. */
static double occupancy(size_t threads, size_t shared)
{
    enum { WARP = 32, WARPS = 64, BLOCKS = 32, SHARED = 228 << 10, RESERVED = 1 << 10 /* of each block */ };
    const size_t warps = (threads + WARP - 1) / WARP, by_shared = SHARED / (shared + RESERVED);
    size_t blocks = warps > 0 ? WARPS / warps : 0;

    blocks = blocks < BLOCKS ? blocks : BLOCKS;
    blocks = blocks < by_shared ? blocks : by_shared;
    return (double)(blocks * warps) / WARPS;
}

static size_t global(const json_t *metrics, const char *what, const char *op)
{
    char name[80];

    snprintf(name, sizeof name, "%s_mem_global_op_%s.sum", what, op);
    return whole(metrics, name);
}

static size_t shared(const json_t *metrics, const char *what, const char *between)
{
    static const char *const ops[] = {"ld", "st", "atom"};
    char name[80];
    size_t sum = 0;

    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s_%s_%s.sum", what, between, ops[i]);
        sum += whole(metrics, name);
    }
    return sum;
}

/* `most`: requests of the kernel whose occupancy is known. */
static void add_kernel(struct counts *c, const json_t *kernel, size_t *most)
{
    const json_t *m = json_object_get(kernel, "metrics");
    const size_t loads = global(m, "l1tex__t_requests_pipe_lsu", "ld"),
                 stores = global(m, "l1tex__t_requests_pipe_lsu", "st"),
                 atomics = global(m, "l1tex__t_requests_pipe_lsu", "atom"),
                 requests = shared(m, "smsp__sass_inst", "executed_op_shared"),
                 all = loads + stores + atomics + requests;

    c->launches += whole(kernel, "launches");
    c->barriers += whole(kernel, "barriers");
    c->blocks += whole(m, "launch__grid_size");
    c->threads += whole(m, "launch__thread_count");
    c->load_requests += loads;
    c->load_sectors += global(m, "l1tex__t_sectors_pipe_lsu", "ld");
    c->load_bytes += global(m, "smsp__sass_data_bytes", "ld");
    c->store_requests += stores;
    c->store_sectors += global(m, "l1tex__t_sectors_pipe_lsu", "st");
    c->store_bytes += global(m, "smsp__sass_data_bytes", "st");
    c->atomic_requests += atomics;
    c->atomic_sectors += global(m, "l1tex__t_sectors_pipe_lsu", "atom");
    c->shared_requests += requests;
    c->shared_wavefronts += shared(m, "l1tex__data_pipe_lsu_wavefronts", "mem_shared_op");
    c->shared_conflicts += shared(m, "l1tex__data_bank_conflicts_pipe_lsu", "mem_shared_op");
    if (isnan(c->occupancy) || all > *most) {
        *most = all;
        c->occupancy = occupancy(whole(kernel, "block"), whole(kernel, "shared"));
    }
}

static size_t flows(const json_t *traffic, const char *kind, const char *what)
{
    static const char *const directions[] = {"HtoD", "DtoH", "PtoP"};
    const json_t *all = json_object_get(traffic, kind);
    size_t sum = 0;

    for (size_t i = 0; i < 3; i++)
        sum += whole(json_object_get(all, directions[i]), what);
    return sum;
}

static bool is_of_call(const json_t *line)
{
    const char *phase = json_string_value(json_object_get(line, "phase"));

    return phase != NULL && (strcmp(phase, "upload") == 0 || strcmp(phase, "run") == 0 ||
                             strcmp(phase, "download") == 0);
}

bool counts_read_simulated(struct counts *c, const char *file, struct error *error)
{
    FILE *f = fopen(file, "re");
    char *line = NULL;
    size_t room = 0, most = 0;

    if (f == NULL)
        return error_set(error, "%s: the simulator has written no counters", file);
    *c = (struct counts){.calls = 1, .occupancy = NAN};
    while (getline(&line, &room, f) > 0) {
        json_t *object = json_loads(line, 0, NULL);
        const char *kind = json_string_value(json_object_get(object, "counters"));
        if (kind != NULL && is_of_call(object)) {
            if (strcmp(kind, "kernel") == 0)
                add_kernel(c, object, &most);
            c->copies += flows(object, "copies", "count");
            c->copied_bytes += flows(object, "copies", "bytes");
            c->migrated_bytes += flows(object, "migrations", "bytes") + flows(object, "prefetches", "bytes");
        }
        json_decref(object);
    }
    free(line);
    fclose(f);
    return true;
}
