/*
 * Where managed memory is, and how often it moves.
 *
 * It moves in blocks of 64 KiB (at the end of an array, less) to the device or host that touches it.  The
 * host's accesses are noticed because memory that is not with the host is closed to it.  Memory that was
 * never touched is nowhere, and its first move costs nothing.
 */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "harness/sim/traffic.h"

enum { BLOCK = 64 << 10, PAGE = 4096 };
enum { NOWHERE = -2, ANYWHERE = -3 /* no preferred location */ };

struct block {
    signed char at, preferred;
    unsigned char mapped; /* by these devices, one bit each: they access it where it is */
    unsigned char copies; /* on these devices */
    bool touched, read_mostly, host_copy;
};

static struct block blocks[REGION_BYTES / BLOCK];

static struct block *block_of(const void *p)
{
    struct block *b =
        &blocks[((uintptr_t)p - MEMORY_START - MANAGED * REGION_BYTES) / BLOCK];

    if (!b->touched)
        *b = (struct block){.at = NOWHERE, .preferred = ANYWHERE, .touched = true};
    return b;
}

/* Returns the part of the array that is in the same block as p. */
static char *part(const struct sim_array *a, const char *p, size_t *bytes)
{
    char *start = (char *)((uintptr_t)p / BLOCK * BLOCK), *end = start + BLOCK;
    char *last = a->start + (a->bytes + PAGE - 1) / PAGE * PAGE;

    start = start < a->start ? a->start : start;
    end = end > last ? last : end;
    *bytes = (size_t)(end - start);
    return start;
}

int sim_managed_place(const void *p)
{
    int at = block_of(p)->at;

    return at == NOWHERE ? HOST : at;
}

/* --- moving ----------------------------------------------------------------------------------- */

static bool is_with(const struct block *b, int place)
{
    return b->at == place || (place == HOST ? b->host_copy : (b->copies >> place & 1) != 0);
}

static void move(const struct sim_array *a, const char *p, int to, bool write,
                 struct sim_flow flows[])
{
    struct block *b = block_of(p);
    size_t bytes;

    if (b->at != NOWHERE && !is_with(b, to)) {
        struct sim_flow *f = &flows[sim_direction(b->at, to)];
        part(a, p, &bytes);
        f->count++;
        f->bytes += bytes;
    }
    if (b->read_mostly && b->at != NOWHERE && !write) {
        b->host_copy |= to == HOST;
        b->copies |= to == HOST ? 0 : (unsigned char)(1u << to);
        return;
    }
    b->at = (signed char)to;
    b->copies = 0;
    b->host_copy = false;
}

void sim_managed_touch(const void *p, int device, bool write)
{
    struct block *b = block_of(p);

    if (b->at == device && !(write && (b->copies != 0 || b->host_copy)))
        return;
    if (b->at == NOWHERE && b->preferred != ANYWHERE)
        b->at = b->preferred;
    bool reached = (b->mapped >> device & 1) != 0 ||
                   (b->preferred != ANYWHERE && b->preferred != device);
    if ((is_with(b, device) && !write) || (reached && b->at != NOWHERE))
        return;
    move(sim_array_of(p), p, device, write, sim_traffic[sim_acting_phase].migrated);
}

/* --- the host's side -------------------------------------------------------------------------- */

static int host_may(const struct block *b)
{
    if (b->at == HOST)
        return b->copies == 0 ? PROT_READ | PROT_WRITE : PROT_READ;
    return b->host_copy ? PROT_READ : PROT_NONE;
}

bool sim_managed_fault(const void *p, bool write)
{
    static bool busy; /* several host threads may arrive at once */
    const struct sim_array *a = sim_array_of(p);
    size_t bytes;

    if ((sim_watching & WATCH_REQUESTS) == 0 || a == NULL || a->region != MANAGED)
        return false;
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
        continue;
    struct block *b = block_of(p);
    write = write || (host_may(b) & PROT_READ) != 0; /* if that is not known: at the second fault */
    if (b->at != HOST || (write && b->copies != 0))
        move(a, p, HOST, write, sim_traffic[sim_phase_now()].migrated);
    char *start = part(a, p, &bytes);
    bool done = mprotect(start, bytes, host_may(b)) == 0;
    __atomic_clear(&busy, __ATOMIC_RELEASE);
    return done;
}

void sim_managed_made(const struct sim_array *a)
{
    size_t bytes;

    for (char *p = a->start; p < a->start + a->bytes; p = part(a, p, &bytes) + bytes)
        block_of(p)->touched = false;
    sim_managed_open(a, false);
}

void sim_managed_open(const struct sim_array *a, bool open)
{
    size_t bytes;

    if ((sim_watching & WATCH_REQUESTS) == 0)
        return;
    for (char *p = a->start; p < a->start + a->bytes; p += bytes) {
        p = part(a, p, &bytes);
        mprotect(p, bytes, open ? PROT_READ | PROT_WRITE : host_may(block_of(p)));
    }
}

/* --- being told ------------------------------------------------------------------------------- */

void sim_managed_prefetch(const void *from, size_t bytes, int to)
{
    const char *p = from, *end = p + bytes;
    const struct sim_array *a = sim_array_of(p);
    size_t step;

    for (; a != NULL && p < end; p = part(a, p, &step) + step)
        if (!is_with(block_of(p), to))
            move(a, p, to, false, sim_traffic[sim_acting_phase].prefetched);
}

void sim_managed_advise(const void *from, size_t bytes, enum cudaMemoryAdvise advice, int place)
{
    const char *p = from, *end = p + bytes;
    const unsigned char bit = place >= 0 ? (unsigned char)(1u << place) : 0;
    const struct sim_array *a = sim_array_of(p);
    size_t step;

    for (; a != NULL && p < end; p = part(a, p, &step) + step) {
        struct block *b = block_of(p);
        switch (advice) {
        case cudaMemAdviseSetReadMostly: b->read_mostly = true; break;
        case cudaMemAdviseUnsetReadMostly: b->read_mostly = false; break;
        case cudaMemAdviseSetPreferredLocation: b->preferred = (signed char)place; break;
        case cudaMemAdviseUnsetPreferredLocation: b->preferred = ANYWHERE; break;
        case cudaMemAdviseSetAccessedBy: b->mapped |= bit; break;
        case cudaMemAdviseUnsetAccessedBy: b->mapped &= (unsigned char)~bit; break;
        }
    }
}
