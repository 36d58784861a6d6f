/* One picture: its name and title, its tables and its script. */
#ifndef RUNGS_PICTURE_H
#define RUNGS_PICTURE_H

#include "harness/plots/export.h"
#include "harness/plots/plot.h"
#include "harness/plots/select.h"

enum { MOST_VARIANTS = 64 /* of one picture: more cannot be read */ };

/* Adds it to the pictures and writes its files; nothing where a table that it needs is empty.
   False: there are too many variants, or a file could not be written. */
bool picture_make(struct plots *plots, const struct script *kind, const struct export *e,
                  const struct selection *of, struct error *error);

/* Draws FOLDER/NAME.gp.  *there: whether there is a gnuplot.  False: it failed, and the error has
   its own words. */
bool gnuplot_draw(const struct plots *plots, const struct plot *plot, bool *there,
                  struct error *error);

/* Makes gnuplot's picture one to be put into a page: plot.h says how it then looks. */
bool svg_finish(const char *from, const char *to, const struct plot *plot, struct error *error);

#endif
