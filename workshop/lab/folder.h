/* The learner's files, learn/PROBLEM/NN_name.c or .cu, and what is kept of them in learn/.kept/. */
#ifndef RUNGS_FOLDER_H
#define RUNGS_FOLDER_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Goes to the root of the repository: the working folder or the program's own. */
bool folder_enter(struct error *error);

/* Makes sure that the learner's file is there: the starter, or the last version that was judged if
   it has been deleted since (`notice` says so). */
bool folder_prepare(const struct exercise *e, char *notice, size_t room, struct error *error);

/* The starter once more; `kept` gets the name that the learner's version has now. */
bool folder_reset(const struct exercise *e, char *kept, size_t room, struct error *error);

/* Keeps what is about to be judged. */
bool folder_keep(const struct exercise *e, struct error *error);

/* And what has passed, for compare and keep. */
bool folder_keep_passed(const struct exercise *e, struct error *error);

/* learn/.kept/NAME.passed.cu */
void folder_passed(const struct exercise *e, char *file, size_t room);

/* The facts of the last verdict, for a hint: learn/.kept/NAME.facts. */
void folder_keep_facts(const struct exercise *e, const struct mistake *m);
void folder_facts(const struct exercise *e, struct mistake *m);

#endif
