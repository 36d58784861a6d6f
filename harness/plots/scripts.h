/*
 * The scripts of plots/, which are compiled into the program.  Scripts in the folder that RUNGS_PLOTS
 * names replace those of the same name, or add kinds.
 *
 * A script whose first line is "# rungs plot: WHAT IT SHOWS" is a kind of picture.  The comments after it,
 * "# WORD: VALUE" each, say what it is drawn of; docs/plots.md lists the words.
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
    size_t count, kinds; /* kinds come first, in the order of "# place: " */
    struct script *list;
};

enum { SCRIPT_VALUE = 256 };

/* Reads all scripts.  False: those in RUNGS_PLOTS cannot be read. */
bool scripts_read(struct scripts *s, struct error *error);
void scripts_free(struct scripts *s);

/* Reads a whole text file, for free().  NULL with an error. */
char *scripts_file(const char *path, struct error *error);

/* Gets the value of a script's "# WORD: ".  False: it has none, and the value is "". */
bool scripts_say(const struct script *s, const char *word, char value[SCRIPT_VALUE]);

#endif
