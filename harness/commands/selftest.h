/* The parts of `rungs selftest`. */
#ifndef RUNGS_SELFTEST_H
#define RUNGS_SELFTEST_H

#include "harness/commands/command.h"

/* Measures the same code in several link layouts.  `rest`: the options without the word "placement". */
int selftest_placement(const struct options *o, struct options *rest);

#endif
