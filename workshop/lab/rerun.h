/* Runs a case again while the simulator writes a file for the lab. */
#ifndef RUNGS_LAB_RERUN_H
#define RUNGS_LAB_RERUN_H

#include "workshop/lab/exercise.h"

/* Runs the program at this size with the variable set to the name of a file, which `read` then gets; the file need not be there.  Returns
   false with an error if this machine cannot do it. */
bool rerun_with(const struct exercise *e, const char *program, const struct size *size, const char *variable,
                void (*read)(const char *path, void *data), void *data, struct error *error);

#endif
