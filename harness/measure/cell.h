/*
 * A cell: one problem at one size, and the variants that are in it together, each in its worker.
 *
 * The judge protocol.  Inputs hold NaN while the variants prepare.  Then twice, with other data and no
 * new prepare: fill the inputs; let each variant answer into a poisoned output, and stop its process; draw
 * what is to be sampled, when all have answered; look at the fence around each output, and judge.
 * (In a later pass one call, which is not judged: the variant has shown already that it is right and
 * looks at its inputs.  What its timed calls leave is judged in each pass: harness/measure/turn.h.)  At check
 * sizes, a variant that has an upload runs once more without it: a run must leave its inputs as they
 * were.  All variants of a cell go through a step together, so that data and reference are made once.
 */
#ifndef RUNGS_CELL_H
#define RUNGS_CELL_H

#include "harness/records/costs.h"
#include "harness/records/records.h"
#include "harness/records/write.h"
#include "harness/worker/parent.h"

enum state {
    ENTRANT_WAITS,    /* its worker is there */
    ENTRANT_IN,       /* it takes part in the case that is open */
    ENTRANT_SITS_OUT, /* not to be let in: its result says why already */
    ENTRANT_GONE      /* its worker has ended, and `fate` says of what */
};

struct entrant {
    enum state state;
    struct worker worker;
    struct result *result;
    struct scale scale;
    struct fate fate;
    bool answered;   /* in this step: there is an answer to be judged */
    int threads;     /* the most that were alive after a call, the main thread included */
    double spent;    /* seconds in blocks, in the pass at this size */
    double context;  /* seconds that its worker took to start the device; NaN: none, or not yet */
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
    struct result **results; /* theirs */
    bool counts;  /* sizes passed and refused are counted: they are check sizes */
    size_t alone; /* index of the only one that is let in, while they run one by one; else ALL */
    int threads;
    struct journal *journal; /* where blocks are kept; NULL: nowhere */
    struct costs costs;      /* so far */
    unsigned pass;           /* which one this is, from 0 on */
    void *solution;          /* for the data that the inputs hold now */
};

/* Starts a worker for each of the variants, with results of their own. */
void cell_enlist(struct cell *c, const struct card *const variants[], size_t count, int threads);

/* The same, of variants that are given more or less of what they scale with; those that are `absent` have
   a result and no worker (NULL: none is). */
void cell_enlist_scaled(struct cell *c, const struct card *const variants[],
                        const struct scale scales[], const bool absent[], size_t count, int threads);

/* Fresh results for a size; one whose variant is gone has its fate in it from the start. */
void cell_label(struct cell *c, const char *label, const size_t dims[]);

/* Its results, which are the caller's from now on: an array of `count`.  It has fresh ones. */
struct result **cell_give_results(struct cell *c);

/* For another pass: results that it gave away in the last one, for the same variants, of the same size.
   Those that were not timed then sit out. */
void cell_take_results(struct cell *c, struct result *results[], const size_t dims[]);

/* Ends all workers and frees everything. */
void cell_dismiss(struct cell *c);

/* Is there memory for the case, with the outputs of one at a time, or of all (`together`)?  The error
   says why not. */
bool cell_fits(struct cell *c, bool together, struct error *error);

/* Shapes the case and opens it in every worker that lives; variants that refuse are not in, and
   their result's fate says why.  False: there is no such case, the error says why. */
bool cell_open(struct cell *c, struct error *error);

/* Poisons the inputs and lets every variant that is in prepare. */
void cell_prepare(struct cell *c);

/* Fills the inputs from a seed, or with the user's data (`user`). */
void cell_fill(struct cell *c, uint64_t seed, bool user);

/* One call of every variant that is in; judged.  A variant that fails is in no longer. */
void cell_judge(struct cell *c);

/* What is right for the inputs as they are now. */
bool cell_solve(struct cell *c, struct error *error);

/* Judges the answer in an entrant's outputs, which are shown.  Wrong: it is out. */
void cell_judge_answer(struct cell *c, struct entrant *e);

/* The whole protocol, from open to the second verdict. */
bool cell_check(struct cell *c, struct error *error);

/* For a profiler that waits for it: one more call of the first variant, or as many as `seconds` take.
   Returns how many there were, and `took`: seconds in all; 0: the variant is not in, or out by now. */
unsigned long cell_capture(struct cell *c, double seconds, double *took);

/* Releases all variants that are in; frees the solution. */
void cell_close(struct cell *c);

/* Asks its worker, waits, and books what that cost.  False: the worker has ended, or its answer is
   that something went wrong; then the entrant is out for good and its result says why.  A refusal to
   open a case is an answer like others. */
bool entrant_ask(struct cell *c, struct entrant *e, const struct request *request,
                 struct reply *reply);

/* The same of a request that is no more than this. */
bool entrant_do(struct cell *c, struct entrant *e, enum op op, struct reply *reply);

/* Opens the case in its worker; likewise.  `blind`: it gets to see the inputs by entrant_show. */
bool entrant_open(struct cell *c, struct entrant *e, bool blind, struct reply *reply);
bool entrant_show(struct cell *c, struct entrant *e, struct reply *reply);

/* Takes an entrant out for good, for what it did.  Always false. */
bool entrant_out(struct entrant *e, enum outcome outcome, const char *reason, ...)
    __attribute__((format(printf, 3, 4)));

#endif
