/*
 * A tidy table: one line an observation, named columns, as gnuplot, pandas and R read it.  A number
 * that is not known is NaN, an empty text "-".
 *
 *     struct tidy t = {.count = 0};
 *     tidy_text(&t, "variant", "cpu_naive");   the first line's calls name the columns
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
    char **lines; /* fields with a tab between */
    char *names;  /* of the columns, likewise; NULL: there is no line yet */
    char *line, *heading; /* that are being put together */
};

/* A quotation mark becomes an apostrophe, and \ a sign that looks like it: gnuplot would read them
   as in C. */
void tidy_text(struct tidy *t, const char *name, const char *text);
void tidy_number(struct tidy *t, const char *name, double value);
void tidy_end(struct tidy *t);
void tidy_free(struct tidy *t);

/* The number of a column; -1: there is none of that name. */
int tidy_column(const struct tidy *t, const char *name);
/* A field; "-" where there is no such column. */
void tidy_get(const struct tidy *t, size_t line, const char *name, char text[TIDY_FIELD]);
double tidy_value(const struct tidy *t, size_t line, const char *name);

/* These lines, below the names. */
bool tidy_write(const struct tidy *t, const size_t lines[], size_t count, const char *path,
                struct error *error);

#endif
