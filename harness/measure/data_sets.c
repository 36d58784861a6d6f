#include "harness/measure/data_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/memory.h"
#include "harness/base/random.h"

static const double SHARE = 0.25; /* of the memory that is left, for the copies */

static size_t bytes_of(const struct layout *l)
{
    size_t bytes = sizeof l->data;

    for (size_t i = 0; i < l->count; i++)
        bytes += l->slots[i].output ? 0 : l->slots[i].bytes;
    return bytes;
}

static void save(struct cell *c, char *to)
{
    const struct layout *l = arena_layout(c->arena);

    memcpy(to, l->data, sizeof l->data);
    to += sizeof l->data;
    for (size_t i = 0; i < l->count; i++)
        if (!l->slots[i].output) {
            memcpy(to, l->slots[i].start, l->slots[i].bytes);
            to += l->slots[i].bytes;
        }
}

void data_sets_write(struct data_sets *d, struct cell *c, size_t which, struct touches *touches)
{
    const double start = clock_now();
    struct layout *l = arena_layout(c->arena);
    const char *from = d->bytes[which];

    if (from == NULL) /* impossible, but static analysis does not see it */
        abort();
    memcpy(l->data, from, sizeof l->data);
    from += sizeof l->data;
    for (size_t i = 0; i < l->count; i++)
        if (!l->slots[i].output) {
            memcpy(l->slots[i].start, from, l->slots[i].bytes);
            from += l->slots[i].bytes;
        }
    *touches = (struct touches){.element = {{.array = NULL}}};
    d->now = which;
    d->copying = clock_now() - start;
}

void data_sets_draw(struct data_sets *d, struct cell *c, struct touches *touches)
{
    const double start = clock_now();

    d->seed[NEXT] = random_unforeseen();
    d->number[NEXT]++;
    cell_fill_from(c, d->seed[NEXT]);
    save(c, d->bytes[NEXT]);
    data_sets_write(d, c, PRESENT, touches);
    const double took = clock_now() - start;
    d->drawing = d->drawing > 0.0 ? fmin(d->drawing, took) : took; /* others may have been at work on the machine */
}

void data_sets_go_on(struct data_sets *d, struct cell *c, struct touches *touches)
{
    char *next = d->bytes[NEXT];

    d->bytes[NEXT] = d->bytes[PRESENT];
    d->bytes[PRESENT] = next;
    d->seed[PRESENT] = d->seed[NEXT];
    d->number[PRESENT] = d->number[NEXT];
    data_sets_draw(d, c, touches);
}

void data_sets_open(struct data_sets *d, struct cell *c, struct touches *touches)
{
    const size_t bytes = bytes_of(arena_layout(c->arena));

    if (c->opened != NULL || c->problem->touch == NULL || bytes == sizeof arena_layout(c->arena)->data ||
        (double)bytes * DATA_SETS > SHARE * (double)memory_available())
        return;
    for (size_t i = 0; i < DATA_SETS; i++)
        d->bytes[i] = malloc(bytes);
    if (d->bytes[PRESENT] == NULL || d->bytes[NEXT] == NULL) {
        data_sets_close(d, c, touches);
        return;
    }
    c->costs.held += DATA_SETS * bytes;
    save(c, d->bytes[PRESENT]);
    d->seed[PRESENT] = c->seed;
    d->number[PRESENT] = d->number[NEXT] = 1;
    data_sets_draw(d, c, touches);
}

void data_sets_close(struct data_sets *d, struct cell *c, struct touches *touches)
{
    if (d->now != PRESENT)
        data_sets_write(d, c, PRESENT, touches);
    for (size_t i = 0; i < DATA_SETS; i++)
        free(d->bytes[i]);
    *d = (struct data_sets){.now = PRESENT};
}
