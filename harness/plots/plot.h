/*
 * Pictures of what records hold, drawn by gnuplot.
 *
 * Each picture is a tidy table (NAME.tsv; harness/plots/export.h), a short script (NAME.gp) that
 * says what it is of and which of the scripts in plots/ draws it, and what gnuplot makes of both:
 * NAME.svg, which is dark where its reader asks for that; NAME.png and NAME-dark.png; NAME.pdf.
 * The folder holds all that it takes to draw them again: `cd FOLDER && gnuplot NAME.gp`.
 *
 * Which kinds of picture there are, the scripts say themselves (harness/plots/scripts.h).
 *
 * An SVG can be put into a page as it is: one <svg> element without a prolog, without references to
 * anything outside of it, its ids beginning with NAME.
 */
#ifndef RUNGS_PLOT_H
#define RUNGS_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"
#include "harness/plots/scripts.h"
#include "harness/records/records.h"

/* What is drawn, in bits. */
enum { PICTURE_SVG = 1, PICTURE_PNG = 2, PICTURE_PDF = 4 };

/* Which kinds: those with a picture for each table, or with one of several tables. */
enum plots_scope { PLOTS_ALL, PLOTS_OF_TABLES, PLOTS_OF_SEVERAL };

struct plot {
    const struct script *kind;
    char name[96];   /* of its files, without folder and ending */
    char title[320]; /* what it shows, for a heading; any text, not escaped */
};

struct plots {
    const char *folder;     /* made where it is missing; files of the same names are replaced */
    const struct scripts *scripts;
    const char *kind;       /* a script's name; NULL: all that `scope` names */
    enum plots_scope scope;
    bool brief;             /* of a sweep its own picture, and none for each of its sizes */
    unsigned pictures;      /* PICTURE_SVG | ...; 0: data and scripts only */
    size_t count;           /* the answer: what there was to show, by kinds and files */
    struct plot *list;      /* for free() */
    bool drawn;             /* false: gnuplot is not there, and only data and scripts are */
};

/* Everything of the kinds wanted that these files hold.  A kind for which they hold nothing gives
   no picture.  False: the error says what could not be shown (FILE:LINE: ...), written or drawn,
   and no picture is left that is not whole. */
bool plots_make(struct plots *p, const struct records *const files[], size_t count,
                struct error *error);

/* Are two runs of the same processor, number of cores and GPUs? */
bool plots_same_machine(const struct run *a, const struct run *b);

#endif
