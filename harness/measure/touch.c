#include "harness/measure/touch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/random.h"

enum { LINE = 64, LEAST_BYTES = 4 }; /* a smaller element may have any value */

/* Draws one of the inputs, or outputs, that is not empty; NULL: there is none. */
static const struct slot *draw_array(const struct layout *l, bool output, uint64_t bits)
{
    const struct slot *arrays[MAX_SLOTS];
    size_t count = 0;

    for (size_t i = 0; i < l->count; i++)
        if (l->slots[i].output == output && l->slots[i].bytes > 0)
            arrays[count++] = &l->slots[i];
    return count > 0 ? arrays[bits % count] : NULL;
}

static size_t length_of(const struct slot *array)
{
    return array->bytes / array->element;
}

/* Writes even if the value is there already. */
static void put(char *at, const unsigned char value[], size_t bytes)
{
    volatile char *to = at;

    for (size_t i = 0; i < bytes; i++)
        to[i] = (char)value[i];
}

/* Draws a new value at a random place. */
static struct touched draw_element(struct cell *c, uint64_t seed)
{
    const struct slot *array = draw_array(arena_layout(c->arena), false, random_bits(seed, 0, 0));
    struct touched e = {.array = NULL};

    if (array == NULL || array->element > TOUCHED_BYTES)
        return e;
    e.array = array;
    e.bytes = array->element;
    const size_t index = random_bits(seed, 0, 1) % length_of(array);

    e.at = array->start + index * e.bytes;
    memcpy(e.was, e.at, e.bytes);
    c->problem->touch(arena_layout(c->arena)->data, array, index, e.is, random_bits(seed, 0, 2));
    return e;
}

void touch_settle(const struct touches *t)
{
    for (size_t i = 0; i < TOUCHED; i++)
        put(t->element[i].at, t->element[i].is, t->element[i].bytes);
}

void touch_inputs(struct touches *t, struct cell *c, bool change)
{
    const uint64_t seed = random_unforeseen();

    if (change)
        for (size_t i = TOUCHED; i-- > 0;) /* the last first, because two may be at one place */
            put(t->element[i].at, t->element[i].was, t->element[i].bytes);
    else
        touch_settle(t);
    for (size_t i = 0; i < TOUCHED; i++) {
        const struct touched fresh = draw_element(c, random_bits(seed, 1, i));

        put(fresh.at, change ? fresh.is : fresh.was, fresh.bytes);
        if (change)
            t->element[i] = fresh;
    }
}

void touch_decoy(const struct touches *t, struct cell *c)
{
    unsigned char value[TOUCHED_BYTES];

    for (size_t i = 0; i < TOUCHED; i++) {
        const struct touched *e = &t->element[i];
        if (e->array == NULL)
            continue;
        c->problem->touch(arena_layout(c->arena)->data, e->array,
                          (size_t)(e->at - e->array->start) / e->bytes, value, random_unforeseen());
        put(e->at, value, e->bytes);
    }
}

static off_t place_of(const struct slot *array, size_t index)
{
    return array->start - (char *)arena_ledger() + (off_t)(index * array->element);
}

/* Returns how many first elements of an output every call writes. */
static size_t written_of(struct cell *c, const struct slot *array)
{
    return c->problem->written != NULL ? c->problem->written(arena_layout(c->arena)->data, array) : length_of(array);
}

static struct poisoned write_outputs(struct cell *c, const struct entrant *e, bool change)
{
    const uint64_t seed = random_unforeseen();
    struct poisoned p = {.count = 0};
    unsigned char line[LINE];

    for (size_t i = 0; i < TOUCHED; i++) {
        const struct slot *array =
            draw_array(arena_layout(c->arena), true, random_bits(seed, 0, i));
        if (array == NULL)
            break;
        const size_t length = written_of(c, array);
        if (length == 0)
            continue;
        const size_t index = random_bits(seed, 1, i) % length;
        const size_t rest = array->bytes - index * array->element;
        const size_t bytes = rest < LINE ? rest : LINE / array->element * array->element;

        memset(line, 0xff, sizeof line);
        if ((!change && pread(e->worker.output_file, line, bytes, place_of(array, index)) != (ssize_t)bytes) ||
            pwrite(e->worker.output_file, line, bytes, place_of(array, index)) != (ssize_t)bytes)
            break; /* the worker has truncated its file: the next request ends it */
        p.element[p.count].array = array;
        p.element[p.count++].index = index;
    }
    return p;
}

struct poisoned touch_outputs(struct cell *c, const struct entrant *e)
{
    return write_outputs(c, e, true);
}

void touch_outputs_again(struct cell *c, const struct entrant *e)
{
    write_outputs(c, e, false);
}

/* A single byte may well be 0xff.  A number of four or more bytes is then NaN, or an index out of
   range. */
bool touch_left(const struct poisoned *p, const struct entrant *e, char *text, size_t bytes)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct slot *array = p->element[i].array;
        const size_t index = p->element[i].index;
        unsigned char value[TOUCHED_BYTES];
        size_t poisoned = 0;

        if (array->element < LEAST_BYTES || array->element > sizeof value ||
            pread(e->worker.output_file, value, array->element, place_of(array, index)) !=
                (ssize_t)array->element)
            continue;
        while (poisoned < array->element && value[poisoned] == 0xff)
            poisoned++;
        if (poisoned == array->element) {
            snprintf(text, bytes, "%s[%zu]", array->name, index);
            return true;
        }
    }
    return false;
}

/* All zero and all 0xff are what an output may begin with, within a call. */
static bool may_be_a_start(const unsigned char value[], size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (value[i] != value[0] || (value[i] != 0 && value[i] != 0xff))
            return false;
    return true;
}

struct decoys decoys_draw(struct cell *c, const struct entrant *e)
{
    const uint64_t seed = random_unforeseen();
    struct decoys d = {.count = 0};

    for (size_t i = 0; i < TOUCHED; i++) {
        const struct slot *array = draw_array(arena_layout(c->arena), true, random_bits(seed, 0, i));
        const size_t length = array != NULL ? written_of(c, array) : 0, bytes = array != NULL ? array->element : 0;
        unsigned char was[TOUCHED_BYTES], *value = d.element[d.count].value;

        if (length < 2 || bytes < LEAST_BYTES || bytes > sizeof was)
            continue;
        const size_t index = random_bits(seed, 1, i) % length, other = random_bits(seed, 2, i) % length;
        if (pread(e->worker.output_file, was, bytes, place_of(array, index)) != (ssize_t)bytes ||
            pread(e->worker.output_file, value, bytes, place_of(array, other)) != (ssize_t)bytes ||
            memcmp(was, value, bytes) == 0 || may_be_a_start(value, bytes))
            continue;
        d.element[d.count].array = array;
        d.element[d.count++].index = index;
    }
    return d;
}

void decoys_write(const struct decoys *d, const struct entrant *e)
{
    for (size_t i = 0; i < d->count; i++) {
        const struct slot *array = d->element[i].array;

        if (pwrite(e->worker.output_file, d->element[i].value, array->element, place_of(array, d->element[i].index)) < 0)
            break; /* the worker has truncated its file: the next request ends it */
    }
}

static bool is_there(const struct decoys *d, size_t i, const struct entrant *e)
{
    const struct slot *array = d->element[i].array;
    unsigned char value[TOUCHED_BYTES];

    return pread(e->worker.output_file, value, array->element, place_of(array, d->element[i].index)) ==
               (ssize_t)array->element &&
           memcmp(value, d->element[i].value, array->element) == 0;
}

bool decoys_look(struct decoys *d, const struct entrant *e, double now)
{
    bool any = false;

    for (size_t i = 0; i < d->count; i++) {
        if (d->element[i].replaced)
            continue;
        if (is_there(d, i, e))
            d->element[i].seen = now;
        else
            d->element[i].replaced = true;
        any |= !d->element[i].replaced;
    }
    return any;
}

double decoys_seen(const struct decoys *d, const struct entrant *e, char *text, size_t bytes)
{
    double last = -1.0;

    for (size_t i = 0; i < d->count; i++)
        if (d->element[i].seen > last && !is_there(d, i, e)) {
            last = d->element[i].seen;
            snprintf(text, bytes, "%s[%zu]", d->element[i].array->name, d->element[i].index);
        }
    return last;
}
