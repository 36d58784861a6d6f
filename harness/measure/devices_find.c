#include "harness/measure/devices_find.h"

#include <stdio.h>
#include <string.h>

#include "harness/model/registry.h"
#include "harness/worker/confine.h"
#include "harness/worker/parent.h"

static const double PATIENCE = 60.0; /* seconds; a driver takes long to wake several GPUs */

/* Rather one in CUDA: it starts faster than an interpreter, and knows the runtime's version. */
static const struct card *first_elsewhere(const struct card *const variants[], size_t count)
{
    const struct card *other = NULL;

    for (size_t i = 0; i < count; i++) {
        if (!card_on_cpu(variants[i]) && variants[i]->language == NULL)
            return variants[i];
        if (!card_on_cpu(variants[i]) && other == NULL)
            other = variants[i];
    }
    return other;
}

static void ask_worker(struct devices *d, const struct card *v)
{
    const struct request request = {.op = OP_FACTS};
    struct reply reply;
    struct worker w;

    *d = (struct devices){.name = v->device};
    if (!worker_start(&w, v, 1, 1, 0, 0) ||
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

/* Where a driver finds its devices only in an unconfined process, it gets one.  A line above the
   tables says so. */
void devices_find(struct devices *d, const struct card *const variants[], size_t count)
{
    const struct card *v = first_elsewhere(variants, count);
    struct devices freely;

    *d = (struct devices){.name = NULL};
    if (v == NULL)
        return;
    ask_worker(d, v);
    if (d->count > 0 || confine_level(REACH_CARDS) == CONFINE_NONE)
        return;
    confine_cards(false);
    ask_worker(&freely, v);
    if (freely.count > 0)
        *d = freely;
    else
        confine_cards(true);
}
