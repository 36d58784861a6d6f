/*
 * What a learner has done: learn/progress.tsv, plain text, a line an exercise.
 *
 * It is held in memory and written as a whole, beside itself and then renamed, with a second copy in
 * learn/.kept/; so a kill, a full disk, and a deleted or damaged file lose nothing that a run of the
 * program still knows or the copy holds.
 */
#ifndef RUNGS_LEARNED_H
#define RUNGS_LEARNED_H

#include "workshop/lab/exercise.h"

struct learned {
    char name[48]; /* of the exercise */
    unsigned stars; /* all that were ever won, a set: stars.h */
    int attempts;  /* verdicts until it passed first */
    int hints;     /* the deepest level that was shown before it passed; 4: the solution's lines */
    long begun, passed, touched; /* seconds since 1970; 0: not yet */
    char kind[32]; /* of mistake, the last time; "-": none */
};

/* False: it cannot be read, which the error says; it is empty then.  `notice` gets a line for the
   learner if something had to be mended, else nothing. */
bool learned_read(char *notice, size_t room, struct error *error);

/* Instead of the learner's own: another one's file, for a look at a room. */
bool learned_read_from(const char *name, struct error *error);

/* The one of an exercise; stays where it is. */
struct learned *learned_of(const struct exercise *e);

/* After a verdict, at this time: the stars of it are added, and none is lost; `kind` of mistake, or
   "-". */
void learned_note(struct learned *l, unsigned stars, bool passed, const char *kind, long now);

/* Writes all of it.  False: the disk is full or the like, the error says so; it stays in memory. */
bool learned_write(struct error *error);

/* Is the file what was last written?  A learner's program that could write it must not gain by it. */
bool learned_untouched(void);

#endif
