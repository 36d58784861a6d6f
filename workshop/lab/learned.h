/*
 * A learner's progress: learn/progress.tsv, plain text, a line for each exercise.
 *
 * It is held in memory.  To save it, the program writes a new file, renames it over the old one, and
 * writes a second copy in learn/.kept/.  So a kill, a full disk, or a deleted or damaged file lose
 * nothing that is in the memory of a running program or in the copy.
 *
 * Several terminals may be at work in one folder.  Each takes over what the others have written before it
 * writes: stars and passes are added up, and none is lost.
 */
#ifndef RUNGS_LEARNED_H
#define RUNGS_LEARNED_H

#include "workshop/lab/exercise.h"

struct learned {
    char name[48]; /* of the exercise */
    unsigned stars; /* all that were ever won, as a set: stars.h */
    int attempts;  /* verdicts up to the first pass */
    int hints;     /* the highest level shown before it passed; 4: the solution's lines */
    long begun, passed, touched; /* seconds since 1970; 0: not yet */
    char kind[32]; /* of the last mistake; "-": none */
};

/* Reads the learner's progress, or its copy.  `notice` gets a line for the learner if a file was gone or damaged,
   else "".  Returns false with an error if what was repaired could not be written. */
bool learned_read(char *notice, size_t room, struct error *error);

/* Reads another learner's file instead, for rungs lab room. */
bool learned_read_from(const char *name, struct error *error);

/* Returns the progress of an exercise.  The pointer stays valid. */
struct learned *learned_of(const struct exercise *e);

/* Records a verdict at time `now`.  Its stars are added; none is ever removed.  `kind` is that of the
   mistake, or "-". */
void learned_note(struct learned *l, unsigned stars, bool passed, const char *kind, long now);

/* Takes over what another process has written since.  Not while the learner's program runs, which may have written it. */
void learned_merge(void);

/* Merges, and writes the progress.  Returns false with an error if that fails (a full disk); it stays in memory. */
bool learned_write(struct error *error);

/* Returns whether the file is as this process has last written it.  A learner's program must not win stars by
   writing it. */
bool learned_untouched(void);

#endif
