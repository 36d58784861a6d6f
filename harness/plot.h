/*
 * Pictures of what records hold, drawn by gnuplot.
 *
 * Each picture is a file of data (NAME.tsv), a short script (NAME.gp) that says which of the
 * scripts in plots/ draws it, and what gnuplot makes of both: NAME.svg, which is dark where its
 * reader asks for that; NAME.png and NAME-dark.png; NAME.pdf.  The folder holds all that it takes
 * to draw them again: `cd FOLDER && gnuplot NAME.gp`.
 *
 * An SVG can be put into a page as it is: one <svg> element without a prolog, without references to
 * anything outside of it, its ids beginning with NAME.
 */
#ifndef RUNGS_PLOT_H
#define RUNGS_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/error.h"
#include "harness/files/records.h"

enum plot_kind {
    PLOT_LADDER,   /* one cell: time of each rung, resident and end to end, ratios */
    PLOT_PHASES,   /* one cell: what an end-to-end time of the rungs on devices consists of */
    PLOT_SWEEP,    /* one problem: time and rate over the size, and where rungs cross over */
    PLOT_ROOFLINE, /* one cell: its rungs under the ceilings of the machine */
    PLOT_SCALING,  /* one cell: how many times faster with so many threads or devices */
    PLOT_HISTORY,  /* one cell: its rungs from run to run */
    PLOT_KINDS
};

extern const char *const plot_kind_names[]; /* "ladder", "phases", ... */

/* What is drawn, in bits. */
enum { PICTURE_SVG = 1, PICTURE_PNG = 2, PICTURE_PDF = 4 };

struct plot {
    enum plot_kind kind;
    char name[96];                    /* of its files, without folder and ending */
    char problem[64], label[32], size[200]; /* of the cell; size and label "": of several */
    char title[320];                  /* what it shows, for a heading; any text, not escaped */
};

struct plots {
    const char *folder; /* made where it is missing; files of the same names are replaced */
    unsigned kinds;     /* 1u << PLOT_LADDER | ... */
    bool brief;         /* of a sweep its own picture, and none for each of its sizes */
    unsigned pictures;  /* PICTURE_SVG | ...; 0: data and scripts only */
    size_t count;       /* the answer: what there was to show, in the order of kinds and files */
    struct plot *list;  /* for free() */
    bool drawn;         /* false: gnuplot is not there, and only data and scripts are */
};

/* Everything of the kinds wanted that these files hold.  A kind for which they hold nothing gives
   no picture.  False: the error says what could not be shown (FILE:LINE: ...), written or drawn,
   and no picture is left that is not whole. */
bool plots_make(struct plots *p, const struct past *const files[], size_t count,
                struct error *error);

/* Are two runs of the same processor, number of cores and GPUs? */
bool plots_same_machine(const struct past_run *a, const struct past_run *b);

#endif
