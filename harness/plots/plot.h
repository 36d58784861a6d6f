/*
 * Pictures of records, drawn by gnuplot.
 *
 * Each picture has a tidy table (NAME.tsv; harness/plots/export.h) and a short script (NAME.gp), which
 * sets its title and loads one of the scripts in plots/.  gnuplot draws from these NAME.svg (light or
 * dark, as the reader's theme is), NAME.png and NAME-dark.png, and NAME.pdf.  The folder contains all
 * that is needed to draw them again: `cd FOLDER && gnuplot NAME.gp`.
 *
 * The scripts define the kinds of picture (harness/plots/scripts.h).
 *
 * An SVG can be put into a page unchanged: it is one <svg> element without a prolog and without external
 * references, and its ids begin with NAME.
 */
#ifndef RUNGS_PLOT_H
#define RUNGS_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"
#include "harness/plots/scripts.h"
#include "harness/plots/tidy.h"
#include "harness/records/records.h"

/* Image formats, as bits. */
enum { PICTURE_SVG = 1, PICTURE_PNG = 2, PICTURE_PDF = 4 };

/* Kinds with a picture for each table; kinds with one picture of several tables. */
enum plots_scope { PLOTS_ALL, PLOTS_OF_TABLES, PLOTS_OF_SEVERAL };

struct plot {
    const struct script *kind;
    char name[96];   /* of its files, without folder and ending */
    char title[320]; /* for a heading; not escaped */
    char file[TIDY_FIELD]; /* the last measurement in it: its file, as named, */
    size_t line;           /* and line */
};

struct plots {
    const char *folder;     /* created if missing; files of the same names are replaced */
    const struct scripts *scripts;
    const char *kind;       /* a script's name; NULL: all kinds in `scope` */
    enum plots_scope scope;
    bool brief;             /* for a sweep, only the picture of kind sweep, none for each size */
    unsigned pictures;      /* PICTURE_SVG | ...; 0: data and scripts only */
    size_t count;           /* result: the pictures, by kinds and files */
    struct plot *list;      /* for free() */
    bool drawn;             /* false: gnuplot is not installed; only data and scripts were written */
};

/* Makes all pictures of the wanted kinds.  A kind without data gives no picture.  False: the error says what
   could not be shown (FILE:LINE: ...), written or drawn; no incomplete picture remains. */
bool plots_make(struct plots *p, const struct records *const files[], size_t count,
                struct error *error);

/* Have two runs the same processor, number of cores and GPUs? */
bool plots_same_machine(const struct run *a, const struct run *b);

#endif
