/* The learner's files, learn/PROBLEM/NN_name.c or .cu, and their copies in learn/.kept/. */
#ifndef RUNGS_FOLDER_H
#define RUNGS_FOLDER_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Changes to the root of the repository: the working folder, or the one above the program's. */
bool folder_enter(struct error *error);

/* Makes sure that the learner's file exists.  Writes the starter; or, if the file was deleted, the last version that
   was judged, and then says so in `notice`. */
bool folder_prepare(const struct exercise *e, char *notice, size_t room, struct error *error);

/* Writes the starter again.  `kept` gets the new name of the learner's version. */
bool folder_reset(const struct exercise *e, char *kept, size_t room, struct error *error);

/* Keeps a copy of the file that is about to be judged. */
bool folder_keep(const struct exercise *e, struct error *error);

/* Keeps a copy of the file that has passed and won these stars, for compare, bench and keep.  A version with fewer
   stars does not replace one with more; `kept` says whether it has. */
bool folder_keep_passed(const struct exercise *e, unsigned stars, bool *kept, struct error *error);

/* Writes the name of that copy: learn/.kept/NAME.passed.cu */
void folder_passed(const struct exercise *e, char *file, size_t room);

/* Write and read the facts of the last verdict, for a hint: learn/.kept/NAME.facts. */
void folder_keep_facts(const struct exercise *e, const struct mistake *m);
void folder_facts(const struct exercise *e, struct mistake *m);

#endif
