/* The exercises that a session goes through, in order: all of them, or those that the learner has named
   (rungs lab watch 03 04 06). */
#ifndef RUNGS_PATH_H
#define RUNGS_PATH_H

#include "workshop/lab/exercise.h"

struct path {
    const struct exercise *at[MAX_EXERCISES];
    size_t count;
    bool named; /* by the learner; else each track is gone through before the next one */
};

/* Returns all exercises. */
struct path path_all(void);

/* Reads numbers or names, each once; no words are all exercises.  Returns false with an error if there is no such
   exercise. */
bool path_read(struct path *p, const char *const *words, size_t count, struct error *error);

/* Returns the exercise of the path that was touched last, or the first from there on that has not passed. */
const struct exercise *path_current(const struct path *p);

/* Returns the next exercise behind e that has not passed, of the same track as e if that has one and the path is not
   named; if all have, the one behind e.  After the last comes the first.  An exercise that is not of the path comes before its first. */
const struct exercise *path_next(const struct path *p, const struct exercise *e);

#endif
