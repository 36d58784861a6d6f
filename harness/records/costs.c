#include "harness/records/costs.h"

#include "harness/base/clock.h"

enum account costs_switch(struct costs *c, enum account to)
{
    const enum account before = c->now;
    const double now = clock_now();

    c->spent[before] += now - c->since;
    c->since = now;
    c->now = to;
    return before;
}

void costs_move(struct costs *c, double seconds, enum account to)
{
    c->spent[c->now] -= seconds;
    c->spent[to] += seconds;
}

void costs_add(struct costs *to, const struct costs *more)
{
    for (int i = 0; i < ACCOUNTS; i++)
        to->spent[i] += more->spent[i];
    to->held = more->held > to->held ? more->held : to->held;
}
