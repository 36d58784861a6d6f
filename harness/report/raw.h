/*
 * The records in the page, with as much detail as there is room for.
 *
 * Lines are kept at several levels of detail at once; each level leaves out more than the one before.
 * The page contains the most detailed level that fits, and says what is missing.
 */
#ifndef RUNGS_REPORT_RAW_H
#define RUNGS_REPORT_RAW_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

enum { RAW_LEVELS = 5 };

struct raw_level {
    FILE *out;  /* writes to `text`; NULL: no line yet */
    char *text; /* lines with a comma after each; nothing in them has a meaning in HTML */
    size_t bytes;
};

struct raw {
    struct raw_level level[RAW_LEVELS];
    size_t lines, bytes; /* of the file */
};

/* Adds a line of the file, and the object that it contains. */
void raw_add(struct raw *r, const json_t *object, const char *text, size_t bytes);
void raw_free(struct raw *r);

/* Returns the most detailed level at which all of these fit in `room` bytes, else the last. */
size_t raw_level(const struct raw *const all[], size_t count, size_t room);

/* What each level contains, in a sentence. */
extern const char *const raw_contents[RAW_LEVELS];

/* Prints the lines as a JSON array. */
void raw_print(FILE *out, const struct raw *r, size_t level);

#endif
