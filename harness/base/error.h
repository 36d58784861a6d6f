/*
 * What went wrong, in one line for a person: of valid UTF-8, without control characters and what
 * turns the direction of writing, whatever the file that it quotes held.
 */
#ifndef RUNGS_ERROR_H
#define RUNGS_ERROR_H

#include <stdbool.h>

struct error {
    char text[512];
};

/* Always false, so that a function can end in `return error_set(error, "%s: ...", file);`. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
