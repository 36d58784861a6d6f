/* Is a legend due below the tables?  A terminal gets it once a day. */
#ifndef RUNGS_LEGEND_DUE_H
#define RUNGS_LEGEND_DUE_H

#include "harness/commands/options.h"

/* Returns whether the legend of these tables ("bench") is to be printed now.  --quiet: never.  --legend, a file and a
   pipe: always.  A terminal: if no legend of this name was due in the last 24 hours; else it prints a line that names
   --legend.  The time of a file in the user's cache folder says when one was due. */
bool legend_due(const struct options *o, const char *name);

#endif
