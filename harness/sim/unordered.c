/*
 * Two launches or copies that use the same memory of a device, and should not: they are in no order, and at least one writes; or
 * a loop writes again what nothing has read.
 *
 * With RUNGS_SIM_BLOCKING=2 each is done when it is queued, so that what is told does not depend on what the mistake has done to
 * the data.  For each word the last work that wrote it is kept, and the last two that read it since.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "harness/sim/traffic.h"

enum { WORD = 4, MOST_WORK = 4096, CALLS = 10 };

struct sim_users {
    uint16_t writer, reader[2];
};

/* For each piece of work, by its number in overlap.c, the calls that have queued it, the innermost first. */
struct calls {
    const void *at[CALLS];
    size_t count;
};
static struct calls *calls;

static _Unwind_Reason_Code note_call(struct _Unwind_Context *context, void *to)
{
    struct calls *c = to;

    c->at[c->count++] = (const void *)_Unwind_GetIP(context);
    return c->count == CALLS ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void sim_unordered_put(size_t number)
{
    if (calls == NULL)
        calls = calloc(MOST_WORK + 1, sizeof *calls);
    if (calls == NULL || number == 0 || number > MOST_WORK)
        return;
    calls[number].count = 0;
    _Unwind_Backtrace(note_call, &calls[number]);
}

/* Returns whether the same calls have queued both: a loop has come to its line again. */
static bool from_same_line(size_t a, size_t b)
{
    for (size_t i = 0; i < calls[a].count && i < calls[b].count; i++)
        if (calls[a].at[i] != calls[b].at[i])
            return false;
    return true;
}

/* `what` is wrong with what the later work does to a word, which the earlier one has done something to. */
__attribute__((noreturn)) static void tell(const char *what, const struct sim_array *a, size_t word, size_t later, bool writes,
                                           size_t earlier, bool wrote)
{
    char place[120], other[120];

    sim_lane = NULL; /* it is not a thread's mistake */
    sim_calls(calls[later].at, calls[later].count, place, sizeof place);
    sim_calls(calls[earlier].at, calls[earlier].count, other, sizeof other);
    sim_fail(NULL, "%s: %s at %s %s element %zu of %zu of the array from %s, which %s at %s %s, on %s", what,
             sim_overlap_name(later), place, writes ? "writes" : "reads", word, a->bytes / WORD, sim_line(a->made),
             sim_overlap_name(earlier), other, wrote ? "writes" : "reads",
             sim_overlap_same_device(later, earlier) ? "one device" : "two devices");
}

static void use(const struct sim_array *a, size_t word, size_t now, bool writes)
{
    struct sim_users *u = &a->users[word];

    if (u->writer > 0 && u->writer != now && !sim_overlap_ordered(u->writer, now))
        tell("no order", a, word, now, writes, u->writer, true);
    for (size_t r = 0; writes && r < 2; r++)
        if (u->reader[r] > 0 && u->reader[r] != now && !sim_overlap_ordered(u->reader[r], now))
            tell("no order", a, word, now, true, u->reader[r], false);
    if (writes && u->writer > 0 && u->writer != now && u->reader[0] == 0 && from_same_line(u->writer, now))
        tell("replaced unread", a, word, now, true, u->writer, true);
    if (writes) {
        *u = (struct sim_users){.writer = (uint16_t)now};
    } else if (u->reader[0] != now) {
        u->reader[1] = u->reader[0];
        u->reader[0] = (uint16_t)now;
    }
}

/* What the host writes into managed memory is not observed.  A word that still is as it was made has been written by no one. */
static void check_managed(const char *p, size_t bytes, const void *at)
{
    static const uint32_t as_made = UINT32_MAX;

    if (bytes == sizeof as_made && memcmp(p, &as_made, sizeof as_made) == 0)
        sim_fail(at, "never written: reads %s", sim_place_global(p));
}

void sim_unordered_use(const void *p, size_t bytes, bool writes, const void *at)
{
    const size_t now = sim_overlap_number(sim_acting_order());
    struct sim_array *a = now > 0 && sim_simulated(p) ? sim_array_of(p) : NULL;

    if (a == NULL)
        return;
    if (a->region >= MANAGED) {
        if (a->region == MANAGED && !writes && at != NULL)
            check_managed(p, bytes, at);
        return;
    }
    if (a->users == NULL)
        a->users = calloc(a->bytes / WORD + 1, sizeof *a->users);
    const size_t first = (size_t)((const char *)p - a->start) / WORD;
    for (size_t i = first; a->users != NULL && i < first + (bytes + WORD - 1) / WORD; i++)
        use(a, i, now, writes);
}
