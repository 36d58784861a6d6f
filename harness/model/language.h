/*
 * Other languages: which files are variants, and what starts one.
 *
 * A file such as variants/saxpy/py_numpy.py is a variant by itself: nothing is built.  Its card stands in a
 * comment block at its head (harness/model/card.h), so that a file is known without running it.
 */
#ifndef RUNGS_LANGUAGE_H
#define RUNGS_LANGUAGE_H

#include "harness/model/card.h"

struct language {
    const char *ending;   /* ".py" */
    const char *name;     /* "Python" */
    const char *comment;  /* what begins a line of comment: "#" */
    const char *program;  /* what runs it: "python3" */
    const char *launcher; /* beside the worker program: "rungs.py"; NULL: the file itself is started, and speaks
                             lines (harness/worker/lines.h) */
};

/* Returns the language of a file by its ending; NULL: none that starts without being built. */
const struct language *language_of(const char *path);

/* Returns the path of a language's program: for Python what RUNGS_PYTHON names, else that of the environment that
   `make python` makes, else the first python3 of PATH; for others the first of PATH. */
const char *language_interpreter(const struct language *l);

/* Is all installed that a variant depends on?  If not, `missing` gets the name of the first package that
   is not, or that is older than the card asks for.  Nothing is started for it. */
bool language_complete(const struct card *c, char *missing, size_t bytes);

/* Writes where a variant in Java finds classes: Rungs' own, and the jars of its dependencies. */
void language_class_path(const struct card *c, char *path, size_t bytes);

#endif
