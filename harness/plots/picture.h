/* Makes one picture: its name and title, its tables, its script and its image files. */
#ifndef RUNGS_PICTURE_H
#define RUNGS_PICTURE_H

#include <stdio.h>

#include "harness/plots/export.h"
#include "harness/plots/plot.h"
#include "harness/plots/select.h"

enum { MOST_VARIANTS = 64 /* in one picture; more are unreadable */ };

/* Adds a picture to `plots` and writes its tables and script.  If a table that it needs is empty, it does
   nothing.  False: too many variants, or a file could not be written. */
bool picture_make(struct plots *plots, const struct script *kind, const struct export *e,
                  const struct selection *of, struct error *error);

/* Writes the scripts into FOLDER/scripts. */
bool plots_write_scripts(const struct plots *plots, struct error *error);

/* Writes NAME = 'TEXT' for gnuplot. */
void picture_text(FILE *f, const char *name, const char *text);

/* Draws FOLDER/NAME.gp.  *there: gnuplot is installed.  False: gnuplot failed; the error has its message. */
bool gnuplot_draw(const struct plots *plots, const struct plot *plot, bool *there,
                  struct error *error);

/* Rewrites gnuplot's SVG so that it fits into a page, as plot.h describes. */
bool svg_finish(const char *from, const char *to, const struct plot *plot, struct error *error);

#endif
