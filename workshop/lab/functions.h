/* Memory that is read before something is written there: in which function of the variant each of the two happens. */
#ifndef RUNGS_LAB_FUNCTIONS_H
#define RUNGS_LAB_FUNCTIONS_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* Runs the program again with such reads allowed, and adds who writes there later.  Returns false with an error if this machine cannot do it. */
bool functions_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error);

/* Of a null pointer, or of memory that was freed, as the simulator has said it: adds in which function an array is made that another one
   uses before, or in which one it was freed. */
void functions_made(const struct exercise *e, const char *said, struct mistake *m);

#endif
