#include "harness/worker/keep_on.h"

#include <stddef.h>

#include "harness/base/clock.h"

enum { ROOM = 1024 };

/* When every so many cycles were done.  When there is no more room, it keeps every second time. */
static struct {
    size_t count;
    unsigned long stride, cycles; /* all of them */
    double at[ROOM];              /* at[i]: i * stride cycles */
    double last;                  /* `cycles` */
} diary;

void keep_on_note(bool first, double now)
{
    if (first) {
        diary.count = 0;
        diary.stride = 1;
    }
    diary.cycles = first ? 0 : diary.cycles + 1;
    diary.last = now;
    if (diary.cycles % diary.stride != 0)
        return;
    if (diary.count == ROOM) {
        for (size_t i = 0; i < ROOM / 2; i++)
            diary.at[i] = diary.at[2 * i];
        diary.count = ROOM / 2;
        diary.stride *= 2;
    }
    diary.at[diary.count++] = now; /* ROOM is even, so this number of cycles is a multiple of the new stride, too */
}

void keep_on(const struct stage *s, bool (*asked)(void))
{
    keep_on_note(true, clock_now());
    while (!asked()) {
        stage_cycle(s);
        keep_on_note(false, clock_now());
    }
}

/* Returns how many cycles were done at this time. */
static double done_at(double time)
{
    size_t after = 0;

    while (after < diary.count && diary.at[after] <= time)
        after++;
    if (after == 0 || time >= diary.last)
        return after == 0 ? 0.0 : (double)diary.cycles;
    const double before = (double)((after - 1) * diary.stride), since = diary.at[after - 1];
    const double next = after < diary.count ? (double)(after * diary.stride) : (double)diary.cycles;
    const double end = after < diary.count ? diary.at[after] : diary.last;
    return before + (next - before) * (time - since) / (end - since);
}

double keep_on_cycles(double from, double until)
{
    return done_at(until) - done_at(from);
}
