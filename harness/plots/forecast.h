/* Pictures of scaling curves: one a problem, with its strong and weak curves, measured parts solid, extrapolated ones
   dashed. */
#ifndef RUNGS_PLOTS_FORECAST_H
#define RUNGS_PLOTS_FORECAST_H

#include "harness/records/forecast.h"

/* Draws the curves into the folder.  `pictures`: PICTURE_SVG | ...; 0: SVG and PNG.
   *count: how many were made.  *there: gnuplot is installed; without it only tables and scripts are written. */
bool plots_forecast(const struct forecast list[], size_t curves, const char *folder, unsigned pictures, size_t *count,
                    bool *there, struct error *error);

#endif
