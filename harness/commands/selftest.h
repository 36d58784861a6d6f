/* The parts of `rungs selftest`. */
#ifndef RUNGS_SELFTEST_H
#define RUNGS_SELFTEST_H

#include "harness/commands/command.h"

/* The same code in several link layouts; `rest`: the options without the word that led here. */
int selftest_placement(const struct options *o, struct options *rest);

#endif
