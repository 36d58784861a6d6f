/*
 * One picture while it is prepared: a table of data, and a script that sets what plots/KIND.gp
 * needs to know and then loads it.
 *
 *     struct drawing d;
 *     if (!drawing_start(&d, plots, PLOT_LADDER, &subject, error))
 *         return false;
 *     drawing_number(&d, "rows", 19);
 *     data_number(&d, 1.5);
 *     data_text(&d, rung);
 *     data_row(&d);
 *     return drawing_end(&d);
 */
#ifndef RUNGS_DRAWING_H
#define RUNGS_DRAWING_H

#include <stdio.h>

#include "harness/plot.h"

/* More of one problem's rungs than this is no picture but a mistake. */
enum { MOST_RUNGS = 64, MOST_CELLS = 512, MOST_MEASUREMENTS = 20000, MOST_PLOTS = 1000 };

enum { FEWEST_SIZES = 3 }; /* of a sweep */

struct drawing {
    struct plots *plots;
    struct plot *plot;
    FILE *data, *script;
    size_t column;
    struct error *error;
};

/* What a picture is of: names and titles are made from it. */
struct subject {
    const struct past *p;
    const struct past_cell *cell; /* of one of p's runs */
    bool all_sizes;               /* of its problem */
    const char *over;             /* "threads": what lies across; NULL: nothing that need be said */
};

bool drawing_start(struct drawing *d, struct plots *plots, enum plot_kind kind,
                   const struct subject *of, struct error *error);
bool drawing_end(struct drawing *d);

/* Variables of the script; any text. */
void drawing_text(struct drawing *d, const char *name, const char *text);
void drawing_number(struct drawing *d, const char *name, double value);
void drawing_height(struct drawing *d, size_t rows); /* room for so many names */
/* What a record calls "gpu", as people do: "GPU".  drawing_device: as the variable `device`. */
enum { DEVICE_NAME = 16 };
void device_name(const char *device, char name[DEVICE_NAME]);
void drawing_device(struct drawing *d, const char *device);
void drawing_numbers(struct drawing *d, const char *name, const double values[], size_t count);
void drawing_texts(struct drawing *d, const char *name, const char *const texts[], size_t count);

/* A line of its own, before rows: the names of the columns, or whose they are. */
void data_comment(struct drawing *d, const char *text);
/* Fields of a row: NaN where there is no number, "-" for an empty text. A quotation mark becomes an
   apostrophe, and \\ a sign that looks like it. */
void data_number(struct drawing *d, double value);
void data_text(struct drawing *d, const char *text);
void data_row(struct drawing *d);
/* The end of a block: the next row is of another `index`. */
void data_block(struct drawing *d);

/* "12.3 ms"; "-" where there is none. */
void data_duration(struct drawing *d, double seconds);

/* --- what pictures have in common: plots/cells.c ---------------------------------------------- */

/* Which colour a rung is drawn in. */
enum shade { SHADE_ONE_CORE, SHADE_CORES, SHADE_DEVICE };

enum shade cell_shade(const struct past_cell *c);

/* Medians and intervals of a phase, in seconds; NaN: none.  `resident`: the run alone, by the
   device's clock; for the CPU the whole. */
struct times {
    double median, low, high;
};

struct times cell_e2e(const struct past_cell *c);
struct times cell_resident(const struct past_cell *c);
struct times cell_phase(const struct past_cell *c, const struct past_series *s);

/* Everything that there is to draw from. */
struct source {
    const struct past *const *files;
    size_t count;
};

/* What draws one table of p's, some of whose cells have a time. */
typedef bool table_drawer(struct plots *plots, const struct source *all, const struct past *p,
                          const struct past_cell cells[], size_t count, struct error *error);

/* For each table of all files; of a rung that was timed on several numbers of threads or devices
   only the largest where not `scales`.  False: the error says which line holds what cannot be
   drawn. */
bool each_table(struct plots *plots, const struct source *all, bool scales, table_drawer *draw,
                struct error *error);

/* Is a problem's picture that of its sweep, and not one for each of its sizes? */
bool shown_by_sweep(const struct plots *plots, const struct past *p, const struct past_cell *c);

/* Are its times of a clock's making?  Else the error says where they are not. */
bool cell_drawable(const struct past *p, const struct past_cell *c, struct error *error);

/* --- the kinds -------------------------------------------------------------------------------- */

/* Each adds its pictures of these files. */
typedef bool plot_maker(struct plots *plots, const struct source *all, struct error *error);

plot_maker plot_ladder, plot_phases, plot_sweep, plot_roofline, plot_scaling, plot_history;

/* --- gnuplot ---------------------------------------------------------------------------------- */

/* A script of plots/, as it was when this program was built. */
struct plot_script {
    const char *name, *text;
};

extern const struct plot_script plot_scripts[]; /* ends with a NULL name */

/* Draws FOLDER/NAME.gp.  *there: whether there is a gnuplot.  False: it failed, and the error has
   its own words. */
bool gnuplot_draw(const struct plots *plots, const char *name, bool *there, struct error *error);

/* Makes gnuplot's picture one to be put into a page: plot.h says how it then looks. */
bool svg_finish(const char *from, const char *to, const struct plot *plot, struct error *error);

#endif
