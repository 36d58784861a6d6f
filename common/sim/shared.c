/*
 * Shared memory: what of it is there, and what a block has written.
 *
 * __shared__ is thread-local, so that the arrays of all kernels stand side by side in the memory
 * that a thread of the machine has for itself, each with a gap behind it (the Makefile's doing).  The
 * program's own table of symbols says where each is and what it is called.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

__thread char cudasim_dynamic_shared[SHARED_BYTES_ASKED] __attribute__((aligned(1024)));

static __thread const char *own_start; /* of that memory; bytes below are counted from it */
static size_t own_bytes;

/* A byte for each of them: is there an array, and which block has written it last, counted to 255
   and over again? */
static unsigned char *there, *writer, now;

/* --- where the arrays are --------------------------------------------------------------------- */

static int find_own(struct dl_phdr_info *info, size_t bytes, void *unused)
{
    (void)bytes;
    (void)unused;
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            own_start = info->dlpi_tls_data;
            own_bytes = info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the first is the program itself */
}

void sim_shared_launch(void)
{
    if (own_start == NULL)
        dl_iterate_phdr(find_own, NULL);
    if (there != NULL)
        return;
    sim_symbols_read();
    there = calloc(own_bytes, 1);
    writer = calloc(own_bytes, 1);
    if (sim_symbols == NULL)
        memset(there, 1, own_bytes); /* stripped: no array has an end */
    for (size_t i = 0; i < sim_symbol_count; i++)
        if (sim_symbols[i].shared && sim_symbols[i].start + sim_symbols[i].bytes <= own_bytes)
            memset(there + sim_symbols[i].start, 1, sim_symbols[i].bytes);
}

void sim_shared_block(void)
{
    if (++now == 0) {
        memset(writer, 0, own_bytes);
        now = 1;
    }
}

bool sim_shared(const void *p)
{
    return (size_t)((const char *)p - own_start) < own_bytes;
}

size_t sim_shared_offset(const void *p)
{
    return (size_t)((const char *)p - own_start);
}

size_t sim_shared_bytes(void)
{
    return own_bytes;
}

/* --- what is wrong with an access ------------------------------------------------------------- */

const char *sim_place_shared(const void *p)
{
    static char text[256];
    const size_t dynamic = (size_t)((const char *)p - cudasim_dynamic_shared);
    const struct sim_symbol *s = sim_symbol_at(true, sim_shared_offset(p));

    if (dynamic < SHARED_BYTES_ASKED)
        snprintf(text, sizeof text, "byte %zu of %zu bytes of dynamic shared memory", dynamic,
                 sim_block.launch->shared);
    else if (s == NULL)
        snprintf(text, sizeof text, "unnamed shared memory");
    else
        snprintf(text, sizeof text, "byte %zu of the shared array %s of %zu bytes",
                 sim_shared_offset(p) - s->start, sim_symbol_name(s), s->bytes);
    return text;
}

/* `first` to `end` are bytes of which some belong to no array: what is nearest? */
static _Noreturn void stray(size_t first, size_t end, bool write, const void *at)
{
    const struct sim_symbol *best = NULL;
    size_t least = SIZE_MAX;

    for (size_t i = 0; i < sim_symbol_count; i++) {
        const struct sim_symbol *s = &sim_symbols[i];
        size_t away = first < s->start              ? s->start - first
                      : first < s->start + s->bytes ? 0
                                                    : first - s->start - s->bytes;
        if (s->shared && away < least) {
            best = s;
            least = away;
        }
    }
    if (best == NULL)
        sim_fail(at, "out of bounds: %s shared memory where there is none",
                 write ? "writes" : "reads");
    sim_fail(at, "out of bounds: %s %zu bytes, %zu %s of the shared array %s of %zu bytes",
             write ? "writes" : "reads", end - first, least,
             first < best->start ? "before the start" : "past the end", sim_symbol_name(best),
             best->bytes);
}

void sim_check_shared(const char *p, size_t bytes, bool write, const void *at)
{
    size_t offset = (size_t)(p - own_start);
    size_t dynamic = (size_t)(p - cudasim_dynamic_shared);

    if (dynamic < SHARED_BYTES_ASKED && dynamic + bytes > sim_block.launch->shared)
        sim_fail(at, "out of bounds: %s bytes %zu to %zu of %zu bytes of dynamic shared memory",
                 write ? "writes" : "reads", dynamic, dynamic + bytes - 1,
                 sim_block.launch->shared);
    if (offset + bytes > own_bytes || memchr(there + offset, 0, bytes) != NULL)
        stray(offset, offset + bytes, write, at);
    if (write)
        memset(writer + offset, now, bytes);
    else
        for (size_t i = 0; i < bytes; i++)
            if (writer[offset + i] != now)
                sim_fail(at, "never written: reads %zu bytes of shared memory that no thread of "
                             "this block has written: %s", bytes, sim_place_shared(p));
}
