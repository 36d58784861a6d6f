#include "harness/devices.h"

#include <stdio.h>
#include <string.h>

#include "harness/registry.h"

static const double PATIENCE = 60.0; /* seconds; a driver that wakes several cards takes some */

static const struct variant *first_elsewhere(const struct variant *const rungs[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rungs[i]->device != NULL && rungs[i]->device != &device_cpu)
            return rungs[i];
    return NULL;
}

void devices_find(struct devices *d, const struct variant *const rungs[], size_t count,
                  struct arena *arena)
{
    const struct variant *v = first_elsewhere(rungs, count);
    const struct request request = {.op = OP_FACTS};
    struct reply reply;
    struct worker w;

    *d = (struct devices){.name = NULL};
    if (v == NULL)
        return;
    d->name = v->device->name;
    if (!worker_start(&w, v, variant_name(v).full, arena_file(arena), 1, 0, 0) ||
        !worker_ask(&w, &request, &reply, PATIENCE)) {
        snprintf(d->missing, sizeof d->missing, "%s", w.fate.reason);
    } else if (reply.outcome != OUTCOME_OK) {
        snprintf(d->missing, sizeof d->missing, "%s", reply.text);
    } else {
        d->count = reply.devices;
        d->step = reply.device_step;
        memcpy(d->facts, reply.facts, sizeof d->facts);
    }
    worker_end(&w);
}

void devices_describe(const struct devices *d, char *text, size_t bytes)
{
    const struct device_facts *f = &d->facts[0];
    char many[16] = "", more[192] = "";

    text[0] = '\0';
    if (d->name == NULL)
        return;
    if (d->count == 0) {
        snprintf(text, bytes, "no %s: %s", d->name, d->missing);
        return;
    }
    if (d->count > 1)
        snprintf(many, sizeof many, "%d x ", d->count);
    if (f->units > 0)
        snprintf(more, sizeof more, " (%s, %d SMs, %.0f GiB), %s, stamps %.2g us apart", f->kind,
                 f->units, (double)f->memory / 0x1p30, f->software, d->step * 1e6);
    snprintf(text, bytes, "%s%s%s", many, f->name, more);
}
