/*
 * A cell: one problem at one size and the variants that run it, each in its worker.
 *
 * How a cell is judged.  The inputs hold NaN while the variants prepare.  Then, twice with different data
 * and without a new prepare: fill the inputs; let each variant answer into a poisoned output, and stop
 * its process; when all have answered, draw the sample; check the pattern around each output; judge.  At
 * check sizes each variant is called once more on the same data, if it has an upload without that,
 * because a run must leave its inputs unchanged.  If the second answer is right too but has other bits, the
 * row is marked: its sums have no fixed order.  The first data are generated.  The second are the user's files, if there are any; if these hold
 * several cases, there is a call for each of them.
 *
 * In later passes there is one call, which is not judged: the first pass has shown that the variant is
 * right and reads its inputs.  The answers of timed calls are judged in each pass
 * (harness/measure/turn.h).
 *
 * All variants of a cell do each step together, so that data and reference are computed once.
 */
#ifndef RUNGS_CELL_H
#define RUNGS_CELL_H

#include "harness/records/costs.h"
#include "harness/records/records.h"
#include "harness/records/write.h"
#include "harness/worker/parent.h"

enum state {
    ENTRANT_WAITS,    /* its worker runs */
    ENTRANT_IN,       /* it takes part in the open case */
    ENTRANT_SITS_OUT, /* it does not take part; its result says why */
    ENTRANT_GONE      /* its worker has ended, and `fate` says why */
};

struct entrant {
    enum state state;
    struct worker worker;
    struct result *result;
    struct scale scale;
    struct entrant *companions; /* with --processes: those that call the variant while this one is timed; else NULL */
    size_t companion_count;
    struct fate fate;
    bool answered;   /* in this step: its answer waits to be judged */
    bool varies;     /* two calls on the same data have left different bits */
    uint64_t answer; /* hash of its last judged answer at a check size */
    int threads;     /* the most alive after a call, main thread included */
    double spent;    /* seconds in blocks, in this pass at this size */
    double context;  /* seconds that its worker took to start the device; NaN: has none, or not started
                        yet */
};

#define ALL SIZE_MAX

struct cell {
    struct arena *arena;
    const struct problem *problem;
    size_t dims[MAX_AXES];
    void *opened; /* users' data, for problem->data; NULL: generated from the seed */
    bool one_part; /* judge the first part of the user's data; cell_answer does the others */
    uint64_t seed;
    double timeout; /* seconds that one call may take */
    struct entrant *entrants;
    size_t count;
    struct result **results; /* of the entrants */
    bool counts;  /* check sizes: count how many each variant has passed and refused */
    size_t alone; /* index of the only entrant that takes part, while they run one by one; else ALL */
    int threads;
    struct journal *journal; /* keeps blocks; NULL: they are not kept */
    struct costs costs;      /* so far */
    unsigned pass;           /* the present pass, from 0 */
    void *solution;          /* the reference for the present inputs */
};

/* Starts a worker for each variant, with a result of its own. */
void cell_enlist(struct cell *c, const struct card *const variants[], size_t count, int threads);

/* The same for variants with a given number of threads or devices.  A variant that is `absent` (NULL:
   none is) gets a result but no worker. */
void cell_enlist_scaled(struct cell *c, const struct card *const variants[],
                        const struct scale scales[], const bool absent[], size_t count, int threads);

/* Gives the entrants fresh results for a size.  One whose worker has ended has its fate in the result
   at once. */
void cell_label(struct cell *c, const char *label, const size_t dims[]);

/* Returns the cell's results, an array of `count` that the caller now owns, and makes fresh ones for
   the cell. */
struct result **cell_give_results(struct cell *c);

/* For a further pass: takes results that it gave away in the last pass, for the same variants and
   size.  Variants that were not timed then do not take part. */
void cell_take_results(struct cell *c, struct result *results[], const size_t dims[]);

/* Ends all workers and frees everything. */
void cell_dismiss(struct cell *c);

/* Returns whether there is memory for the case, with the outputs of one variant, or of all
   (`together`).  Else the error says what is missing. */
bool cell_fits(struct cell *c, bool together, struct error *error);

/* Shapes the case and opens it in every running worker.  A variant that refuses does not take part;
   its result says why.  Returns false and sets the error if there is no such case. */
bool cell_open(struct cell *c, struct error *error);

/* Poisons the inputs and lets every variant that takes part prepare. */
void cell_prepare(struct cell *c);

/* Fills the inputs with a part of the user's data, or without these from the seed. */
void cell_fill(struct cell *c, size_t part);

/* Fills the inputs from another seed than the cell's. */
void cell_fill_from(struct cell *c, uint64_t seed);

/* Maps the outputs of an entrant and fills them, and the fences around them, with what no answer holds.  False:
   there is no memory, and the entrant is out. */
bool cell_poison(struct cell *c, struct entrant *e);

/* Makes one call of every variant that takes part, and judges it.  A variant that fails no longer
   takes part. */
void cell_judge(struct cell *c);

/* Computes the reference for the present inputs. */
bool cell_solve(struct cell *c, struct error *error);

/* Judges the answer in an entrant's outputs, which must be mapped.  If it is wrong, the entrant is
   out. */
void cell_judge_answer(struct cell *c, struct entrant *e);

/* Does everything from opening the case to the second verdict. */
bool cell_check(struct cell *c, struct error *error);

/* Lets a variant that has been right answer every part of the user's data.  Judges these answers and keeps
   them for problem->data->save, which may be called if the variant still takes part. */
bool cell_answer(struct cell *c, struct entrant *e, struct error *error);

/* For a profiler that waits for it: makes one more call of the first variant, or as many as fit into
   `seconds`.  Returns how many, and in `took` their seconds.  Returns 0 if the variant does not take
   part. */
unsigned long cell_capture(struct cell *c, double seconds, double *took);

/* Releases all variants that take part; frees the reference. */
void cell_close(struct cell *c);

/* Sends a request, waits for the reply, and adds the time to the costs.  Returns false if the worker
   has ended or reports a failure: the entrant is then out, and its result says why.  A refusal to open
   a case is an ordinary reply. */
bool entrant_ask(struct cell *c, struct entrant *e, const struct request *request,
                 struct reply *reply);

/* The same, for a request without parameters. */
bool entrant_do(struct cell *c, struct entrant *e, enum op op, struct reply *reply);

/* Opens the case in the entrant's worker.  `blind`: the variant sees the inputs only after
   entrant_show.  Both return as entrant_ask does. */
bool entrant_open(struct cell *c, struct entrant *e, bool blind, struct reply *reply);
bool entrant_show(struct cell *c, struct entrant *e, struct reply *reply);

/* Takes an entrant out for good because of what it did.  Always returns false. */
bool entrant_out(struct entrant *e, enum outcome outcome, const char *reason, ...)
    __attribute__((format(printf, 3, 4)));

#endif
