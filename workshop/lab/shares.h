/* Which elements each copy brings to a GPU and back: says which are brought back twice, and which never. */
#ifndef RUNGS_LAB_SHARES_H
#define RUNGS_LAB_SHARES_H

#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* If the result is wrong in a part, and it comes back by several copies, adds from where to where these go.  Returns false with an error if
   this machine cannot do it. */
bool shares_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error);

/* knn on several devices is right, and does or copies too much: adds which observations each device is given, if these are more than there
   are.  Returns false with an error if this machine cannot do it. */
bool shares_given(const struct exercise *e, const char *program, struct mistake *m, struct error *error);

#endif
