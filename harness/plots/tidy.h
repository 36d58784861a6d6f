/*
 * A tidy table: named columns, one line for each observation, as gnuplot, pandas and R read it.  An unknown
 * number is NaN, an empty text is "-".
 *
 *     struct tidy t = {.count = 0};
 *     tidy_text(&t, "variant", "cpu_naive");   the calls for the first line name the columns
 *     tidy_number(&t, "e2e_s", 0.012);
 *     tidy_end(&t);
 */
#ifndef RUNGS_TIDY_H
#define RUNGS_TIDY_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"

enum { TIDY_FIELD = 512 /* bytes of a text, with its end */ };

struct tidy {
    size_t count;
    char **lines; /* fields, separated by tabs */
    char *names;  /* of the columns, separated by tabs; NULL: there is no line yet */
    char *line, *heading; /* the ones being built */
};

/* Adds a text.  gnuplot would interpret quotation marks and backslashes, so they become an apostrophe and a
   similar character. */
void tidy_text(struct tidy *t, const char *name, const char *text);
void tidy_number(struct tidy *t, const char *name, double value);
void tidy_end(struct tidy *t);
void tidy_free(struct tidy *t);

/* Returns the number of a column, or -1. */
int tidy_column(const struct tidy *t, const char *name);
/* Gets a field; "-" if there is no such column. */
void tidy_get(const struct tidy *t, size_t line, const char *name, char text[TIDY_FIELD]);
double tidy_value(const struct tidy *t, size_t line, const char *name);

/* Writes these lines, after the names of the columns. */
bool tidy_write(const struct tidy *t, const size_t lines[], size_t count, const char *path,
                struct error *error);

#endif
