/* The last accesses of each thread of the running block: what led to a mistake. */
#include <stdlib.h>

#include "harness/sim/trace.h"

enum { KEPT = 1024, AROUND = 2 /* events written before and after one that matters */ };

struct event {
    uintptr_t address;
    uint64_t time;     /* in the order in which the simulator runs */
    unsigned barriers; /* that the block had passed */
    unsigned short site, bytes;
};

static struct history {
    struct event event[KEPT];
    unsigned count;
} *histories;
static unsigned barriers;
static uint64_t now;

void sim_history_block(void)
{
    if (histories == NULL && (histories = malloc(MAX_THREADS * sizeof *histories)) == NULL)
        sim_fail(NULL, "no memory for the trace");
    for (unsigned i = 0; i < sim_block.threads; i++)
        histories[i].count = 0;
    barriers = 0;
}

void sim_history_barrier(void)
{
    barriers++;
}

void sim_history_add(unsigned site, const void *p, size_t bytes)
{
    struct history *h = &histories[sim_lane->number];

    h->event[h->count++ % KEPT] = (struct event){(uintptr_t)p, ++now, barriers, (unsigned short)site, (unsigned short)bytes};
}

/* Returns the event that matters: the last one that touches these bytes since the last barrier; or the last one. */
static unsigned find(const struct history *h, unsigned count, uintptr_t address, size_t bytes)
{
    for (unsigned i = count; i-- > 0;) {
        const struct event *e = &h->event[(h->count - count + i) % KEPT];
        if (e->barriers == barriers && e->address < address + bytes && address < e->address + e->bytes)
            return i;
    }
    return count - 1;
}

static void write_event(FILE *out, const struct event *e, unsigned left_out)
{
    const struct sim_site *s = &sim_sites[e->site];

    fprintf(out, "{\"at\":\"%s\",\"space\":\"%s\",\"access\":\"%s\",\"bytes\":%u,\"barriers\":%u,\"time\":%llu,"
                 "\"left_out\":%u,", sim_line(s->at), sim_space_names[s->space], sim_action_names[s->action], e->bytes,
            e->barriers, (unsigned long long)e->time, left_out);
    const uintptr_t start = sim_trace_array(out, s->space, e->address);
    fprintf(out, ",\"offset\":%lld}", (long long)(e->address - start));
}

void sim_history_write(FILE *out, unsigned thread, uintptr_t address, size_t bytes)
{
    const struct history *h = &histories[thread];
    const unsigned count = h->count < KEPT ? h->count : KEPT, matters = count > 0 ? find(h, count, address, bytes) : 0;
    unsigned left_out = 0;
    bool first = true;

    fprintf(out, "{\"trace\":\"thread\",\"number\":%u,\"block\":[%u,%u,%u],\"barriers\":%u,\"events\":[", thread,
            sim_block.index.x, sim_block.index.y, sim_block.index.z, barriers);
    for (unsigned i = 0; i < count; i++) {
        const struct event *e = &h->event[(h->count - count + i) % KEPT];
        if (e->barriers != barriers)
            continue;
        if (i + AROUND < matters || i > matters + AROUND) {
            left_out++;
            continue;
        }
        fputs(first ? "" : ",", out);
        write_event(out, e, left_out);
        first = false;
        left_out = 0;
    }
    fprintf(out, "],\"left_out\":%u}\n", left_out);
}

unsigned sim_history_barriers(void)
{
    return barriers;
}
