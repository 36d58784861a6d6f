/* Structure: what the simulator has counted (rungs run --counters), and the gates of an exercise. */
#ifndef RUNGS_GATES_H
#define RUNGS_GATES_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* One gate, looked at. */
struct gated {
    const struct gate *gate;
    double value; /* NaN: nothing of that kind was counted */
    bool kept;
};

/* Calls the program once with counters.  False: it could not be, with an error; a mistake that it
   makes only now (a race) goes to `m`. */
bool gates_look(const struct exercise *e, const char *program, struct gated gated[],
                struct mistake *m, struct error *error);

/* Bytes that one call moves: sectors of the card's memory, and copies.  False: they could not be counted. */
bool gates_bytes(const struct exercise *e, const char *program, double *bytes, struct error *error);

/* The counters of one call, as the simulator tells them. */
bool gates_tell(const struct exercise *e, const char *program, struct mistake *m,
                struct error *error);

/* "sectors per load", in words, of a metric's name. */
const char *gate_words(const char *metric);

#endif
