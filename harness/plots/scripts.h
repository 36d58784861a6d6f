/*
 * The scripts of plots/, in the program itself, so that it draws from wherever it lies; those in
 * the folder that RUNGS_PLOTS names take their places, or stand beside them.
 *
 * A script whose first line is "# rungs plot: WHAT IT SHOWS" is a kind of picture.  Comments behind
 * it say what it is drawn of, "# WORD: VALUE" each; docs/plots.md lists the words.
 */
#ifndef RUNGS_SCRIPTS_H
#define RUNGS_SCRIPTS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"

struct script {
    char *name, *text;
};

struct scripts {
    size_t count, kinds; /* kinds come first, in the order of their places */
    struct script *list;
};

enum { SCRIPT_VALUE = 256 };

/* False: RUNGS_PLOTS names what cannot be read. */
bool scripts_read(struct scripts *s, struct error *error);
void scripts_free(struct scripts *s);

/* All of a text file; for free().  NULL: the error says why not. */
char *scripts_file(const char *path, struct error *error);

/* What a script says behind "# WORD: "; false: nothing, and "". */
bool scripts_say(const struct script *s, const char *word, char value[SCRIPT_VALUE]);

#endif
