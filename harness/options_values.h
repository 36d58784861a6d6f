/* What stands behind an option, read; false: the error says what it takes. */
#ifndef RUNGS_OPTIONS_VALUES_H
#define RUNGS_OPTIONS_VALUES_H

#include "harness/options.h"

/* "1.5", "2s" */
bool parse_seconds(const char *text, const char *option, double *value, struct error *error);

/* "slower", "slower:5%": what a comparison may find. */
bool parse_fail_on(const char *text, double *share, struct error *error);

/* "svg,pdf" */
bool parse_pictures(const char *text, unsigned *pictures, struct error *error);

/* A factor from one size to the next. */
bool parse_step(const char *text, double *value, struct error *error);

/* "4", "1,2,4": rising, each value once. */
bool parse_steps(const char *text, const char *option, struct steps *steps, struct error *error);

/* "table", "md", "csv", "json" */
bool parse_format(const char *text, enum format *format, struct error *error);

#endif
