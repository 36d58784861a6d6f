/*
 * A cell: one problem at one size, and the rungs that are in it together, each in its worker.
 *
 * The judge protocol.  Inputs hold NaN while the rungs prepare.  Then twice, with other data and no
 * new prepare: fill the inputs, poison the output, run, look at the fence around the output, judge.
 * (In a later sitting one call, which is not judged: the rung has shown already that it is right and
 * looks at its inputs.  What it leaves when it has been timed is judged in each sitting.)  At check
 * sizes, a rung that has an upload runs once more without it: a run must leave its inputs as they
 * were.  All rungs of a cell go through a step together, so that data and reference are made once.
 */
#ifndef RUNGS_CELL_H
#define RUNGS_CELL_H

#include "harness/journal.h"
#include "harness/row.h"
#include "harness/worker.h"

struct entrant {
    struct worker worker;
    struct row *row;
    struct scale scale;
    int threads;     /* the most that a call was seen to leave waiting, the first included */
    bool in;         /* takes part in the cell that is open */
    bool sits_out;   /* not to be let in: its row says why already */
    bool gone;       /* its worker has ended, and `fate` says of what */
    struct fate fate;
    double spent;    /* seconds in blocks, in the sitting at this size */
    double context;  /* seconds that its worker took to start the device; NaN: none, or not yet */
};

/* What a run spends on its cells. */
struct costs {
    double timed, warmed; /* seconds in blocks, and in the untimed calls before the first of them; */
    double tried;         /* in pilots; */
    double called;        /* in the calls that were judged, preparing for them, starting devices; */
    double judged;        /* on data, references and verdicts, the check sizes included */
    size_t held;          /* bytes of inputs, outputs of one rung and reference, of the largest case */
};

#define ALL SIZE_MAX

struct cell {
    struct arena *arena;
    const struct problem *problem;
    size_t dims[MAX_AXES];
    const void *opened; /* the user's data, for problem->load; NULL: generated from the seed */
    uint64_t seed;
    double timeout; /* seconds that one call may take */
    struct entrant *entrants;
    size_t count;
    struct row **rows; /* theirs */
    size_t row_count;
    bool counts; /* sizes passed and refused are counted: they are check sizes */
    size_t alone; /* index of the only one that is let in, while they run one by one; else ALL */
    int threads;
    struct journal *journal; /* where blocks are kept; NULL: nowhere */
    struct costs costs;      /* so far */
    double in_rungs;         /* seconds that rungs took to prepare and in calls to be judged, so far */
    unsigned launch;         /* how often all workers were started before */
    unsigned sitting;        /* which one this is, from 0 on */
    void *solution; /* for the data that the inputs hold now */
};

/* Starts a worker for each of the rungs, with rows of their own. */
void cell_enlist(struct cell *c, const struct variant *const rungs[], size_t count, int threads);

/* The same, of rungs that are given more or less of what they scale with; those that are `absent` have
   a row and no worker (NULL: none is). */
void cell_enlist_scaled(struct cell *c, const struct variant *const rungs[],
                        const struct scale scales[], const bool absent[], size_t count, int threads);

/* New workers in the place of all that live. */
void cell_relaunch(struct cell *c);

/* Fresh rows for a size; a rung that is gone has its fate in it from the start. */
void cell_label(struct cell *c, const char *label, const size_t dims[]);

/* Its rows, which are the caller's from now on: an array of `count`.  It has fresh ones. */
struct row **cell_give_rows(struct cell *c);

/* For another sitting: rows that it gave away in the last one, for the same rungs.  Those that were not
   timed then sit out. */
void cell_take_rows(struct cell *c, struct row *rows[]);

/* Ends all workers and frees everything. */
void cell_dismiss(struct cell *c);

/* Is there memory for the case, with the outputs of one at a time?  The error says why not. */
bool cell_fits(struct cell *c, struct error *error);

/* Is there memory for the outputs of all of them at a time? */
bool cell_fits_together(struct cell *c);

/* Shapes the case and opens it in every worker that lives; rungs that refuse are not `in`, and
   their row's fate says why.  False: there is no such case, the error says why. */
bool cell_open(struct cell *c, struct error *error);

/* Poisons the inputs and lets every rung that is in prepare. */
void cell_prepare(struct cell *c);

/* The inputs for a seed (or the user's, with `user`), and what is right for them. */
bool cell_fill(struct cell *c, uint64_t seed, bool user, struct error *error);

/* Adds up what judging has cost since `start`, when rungs had taken `in_rungs`. */
void cell_count_judging(struct cell *c, double start, double in_rungs);

/* One call of every rung that is in; judged.  A rung that fails is in no longer. */
void cell_judge(struct cell *c);

/* The whole protocol, from open to the second verdict. */
bool cell_check(struct cell *c, struct error *error);

/* For a profiler that waits for it: one more call of the first rung, or as many as `seconds` take.
   Returns how many there were, and `took`: seconds in all; 0: the rung is not in, or out by now. */
unsigned long cell_capture(struct cell *c, double seconds, double *took);

/* Releases all rungs that are in; frees the solution. */
void cell_close(struct cell *c);

/* Takes an entrant out for good, with what its worker died of, or what it did. */
void entrant_out(struct entrant *e, const struct fate *fate);

#endif
