/*
 * An error: what went wrong, in one line of valid UTF-8.  Control characters and characters that
 * turn the direction of writing are replaced, so that text quoted from a file cannot disturb a
 * terminal.
 */
#ifndef RUNGS_ERROR_H
#define RUNGS_ERROR_H

#include <stdbool.h>

struct error {
    char text[512];
};

/* Sets the error.  Always returns false, so that a function can end in `return error_set(error,
   "%s: ...", file);`. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
