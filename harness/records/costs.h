/*
 * How a run spends its time: a stop-watch with accounts, one of which runs at any time.  Time that a worker
 * reports is moved to another account.  The last record of a run contains the accounts.
 */
#ifndef RUNGS_COSTS_H
#define RUNGS_COSTS_H

#include <stddef.h>

enum account {
    COST_REST,   /* workers, turns, telemetry, records, tables */
    COST_TIMED,  /* blocks */
    COST_WARMED, /* untimed calls before the first block */
    COST_TRIED,  /* pilots */
    COST_CALLED, /* judged calls, preparing them, starting devices */
    COST_JUDGED, /* data, references and verdicts, also of check sizes */
    ACCOUNTS
};

struct costs {
    double spent[ACCOUNTS]; /* seconds */
    size_t held; /* bytes of inputs, of copies that are kept of them, of reference and the outputs of one variant, for the largest case */
    enum account now;
    double since; /* when it began: seconds, by clock_now() */
};

/* Switches to an account.  Returns the one before, to switch back later. */
enum account costs_switch(struct costs *c, enum account to);

/* Moves seconds from the running account to another. */
void costs_move(struct costs *c, double seconds, enum account to);

/* Adds the costs of a part of the run. */
void costs_add(struct costs *to, const struct costs *more);

#endif
