/* The table of a scaling curve: measured points, and beyond them the formula's, each marked "~". */
#ifndef RUNGS_TABLE_FORECAST_H
#define RUNGS_TABLE_FORECAST_H

#include "harness/records/forecast.h"
#include "harness/table/grid.h"

/* Prints the curve, and for people what it says and whether it was refused.  `most`: the ranks that were asked for.  CSV
   begins with a line of names if `first`. */
void table_forecast(FILE *out, enum format format, const struct forecast *f, int most, bool first);

#endif
