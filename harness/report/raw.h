/*
 * The records themselves, in the page: every line, as far as there is room.
 *
 * Lines are kept at several levels of detail at once, each level without what the next larger one
 * could spare; the most detailed that fits in the room is the one that is shown, and the page says
 * what is missing from it.
 */
#ifndef RUNGS_REPORT_RAW_H
#define RUNGS_REPORT_RAW_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

enum { RAW_LEVELS = 5 };

struct raw_level {
    FILE *out;  /* to `text`; NULL: no line yet */
    char *text; /* lines with a comma behind each, and nothing in them that HTML could read */
    size_t bytes;
};

struct raw {
    struct raw_level level[RAW_LEVELS];
    size_t lines, bytes; /* of the file */
};

/* A line of the file, and the object that it holds. */
void raw_add(struct raw *r, const json_t *object, const char *text, size_t bytes);
void raw_free(struct raw *r);

/* The most detailed level at which all of these fit in `room` bytes, else the last. */
size_t raw_level(const struct raw *const all[], size_t count, size_t room);

/* What there is at a level, in a sentence. */
extern const char *const raw_contents[RAW_LEVELS];

/* The lines as a JSON array. */
void raw_print(FILE *out, const struct raw *r, size_t level);

#endif
