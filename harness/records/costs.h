/*
 * What a run has spent, as a stop-watch with accounts: at any time one of them runs, and what a worker
 * took of it for itself is moved to another.  The last record of a run holds them.
 */
#ifndef RUNGS_COSTS_H
#define RUNGS_COSTS_H

#include <stddef.h>

enum account {
    COST_REST,   /* workers, turns, telemetry, records, tables */
    COST_TIMED,  /* blocks */
    COST_WARMED, /* untimed calls before the first block */
    COST_TRIED,  /* pilots */
    COST_CALLED, /* the calls that were judged, preparing for them, starting devices */
    COST_JUDGED, /* data, references and verdicts, the check sizes included */
    ACCOUNTS
};

struct costs {
    double spent[ACCOUNTS]; /* seconds */
    size_t held; /* bytes of inputs, outputs of one variant and reference, of the largest case */
    enum account now;
    double since; /* when it began */
};

/* From now on this account runs.  Returns the one before, to be switched back to. */
enum account costs_switch(struct costs *c, enum account to);

/* So many seconds of the account that runs belong to another. */
void costs_move(struct costs *c, double seconds, enum account to);

/* Adds up what a part of the run has spent. */
void costs_add(struct costs *to, const struct costs *more);

#endif
