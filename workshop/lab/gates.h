/* The structure of a program: the simulator's counters (rungs run --counters) against an exercise's gates. */
#ifndef RUNGS_GATES_H
#define RUNGS_GATES_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* What the host does so often in that line: waits, and then queues more; touches pages; uses a default stream.  Or all work of a GPU
   is in one stream. */
enum host_reason { NO_REASON, HOST_WAITS, HOST_TOUCHES, DEFAULT_STREAM, ONE_STREAM };

/* One gate and what was counted. */
struct gated {
    const struct gate *gate;
    double value; /* NaN: nothing of that kind was counted */
    bool kept;
    int line;     /* of the learner's file, which has most of it; 0: it is no sum over lines, or too small */
    double there; /* so much has this line */
    double elsewhere; /* copies of this line for memory of another GPU than the one that is set */
    double reads, threads; /* of shared memory, by warps; of all launches */
    enum host_reason reason;
    struct {
        int warps;         /* of a block that reach the line */
        double accesses;   /* of lanes, in all lines of the metric */
        double blocks, launches; /* of the kernel that has the line; the blocks of all launches */
        int block;         /* threads of one */
    } by;
};

/* Runs the program with counters, and compares them with the gates.  A mistake that shows only now (a race) goes to
   `m`.  Returns false with an error if the program could not be run. */
bool gates_look(const struct exercise *e, const char *program, struct gated gated[],
                struct mistake *m, struct error *error);

/* Sets the value of a metric, also of a program whose results are wrong; NaN if nothing was counted.  Returns false with an error if it
   could not be run. */
bool gates_of_wrong(const struct exercise *e, const char *program, const char *metric, double *value, struct error *error);

/* Counts the bytes that one call moves: sectors of the GPU's memory, copies and migrations.  Returns false with an
   error if they could not be counted. */
bool gates_bytes(const struct exercise *e, const char *program, double *bytes, struct error *error);

/* Prints a table of the programs' counters, a column for each of their kernels.  `whose` are words for the columns. */
bool gates_table(const struct exercise *e, const char *const programs[], const char *const whose[], size_t count,
                 struct mistake *m, struct error *error);

/* Prints the counters of one call, in the simulator's format. */
bool gates_tell(const struct exercise *e, const char *program, struct mistake *m,
                struct error *error);

/* Returns a metric in words, "sectors per load", or its name if there are none. */
const char *gate_words(const char *metric);

#endif
