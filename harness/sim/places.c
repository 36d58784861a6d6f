/* Where the host waits although more work is to come, where it touches managed memory that is on a device, where it queues work in a
   default stream, and where it copies memory of another device than that of the stream. */
#include <stdio.h>

#include "harness/sim/traffic.h"

enum { MOST = 32 };

struct place {
    const void *at;
    int phase;
    unsigned count;
};

static struct places {
    struct place list[MOST];
    size_t count;
} waits, kernel_waits, touches, defaults, elsewhere;

static const void *waited_at; /* since then nothing was queued */
static int waited_in;
static bool waited_for_kernel;

static void add(struct places *p, const void *at, int phase)
{
    size_t i = 0;

    while (i < p->count && (p->list[i].at != at || p->list[i].phase != phase))
        i++;
    if (i == MOST || (sim_watching & WATCH_REQUESTS) == 0)
        return;
    if (i == p->count)
        p->list[p->count++] = (struct place){at, phase, 0};
    p->list[i].count++;
}

void sim_place_waits(const void *at, bool for_kernel)
{
    waited_for_kernel = for_kernel || (waited_at == at && waited_for_kernel); /* a call may wait for several streams */
    waited_at = at;
    waited_in = sim_phase_now();
}

void sim_place_queues(void)
{
    if (waited_at != NULL && waited_in == sim_phase_now())
        add(&waits, waited_at, waited_in);
    if (waited_at != NULL && waited_in == sim_phase_now() && waited_for_kernel)
        add(&kernel_waits, waited_at, waited_in);
    waited_at = NULL;
}

void sim_place_touches(const void *at)
{
    add(&touches, at, sim_phase_now());
}

void sim_place_default(const void *at)
{
    add(&defaults, at, sim_phase_now());
}

void sim_place_elsewhere(const void *at)
{
    add(&elsewhere, at, sim_phase_now());
}

static void write_places(FILE *out, const char *name, const struct places *p, int phase)
{
    const char *comma = "";

    fprintf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < p->count; i++)
        if (p->list[i].phase == phase) {
            fprintf(out, "%s{\"at\":\"%s\",\"count\":%u}", comma, sim_line(p->list[i].at), p->list[i].count);
            comma = ",";
        }
    fputs("]", out);
}

void sim_places_write(FILE *out, int phase)
{
    write_places(out, "waits", &waits, phase);
    write_places(out, "kernel_waits", &kernel_waits, phase);
    write_places(out, "touches", &touches, phase);
    write_places(out, "defaults", &defaults, phase);
    write_places(out, "elsewhere", &elsewhere, phase);
}

void sim_places_forget(int first_phase)
{
    struct places *const all[] = {&waits, &kernel_waits, &touches, &defaults, &elsewhere};

    for (size_t a = 0; a < sizeof all / sizeof *all; a++) {
        struct places *p = all[a];
        size_t kept = 0;
        for (size_t i = 0; i < p->count; i++)
            if (p->list[i].phase < first_phase)
                p->list[kept++] = p->list[i];
        p->count = kept;
    }
}
