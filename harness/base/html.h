/* Writes HTML in which no text from a record can become markup. */
#ifndef RUNGS_HTML_H
#define RUNGS_HTML_H

#include <stdbool.h>
#include <stdio.h>

/* Writes any text, escaped for an element or a quoted attribute. */
void html_text(FILE *out, const char *text);

/* As fprintf, for %s, %d, %zu and %% only.  Each %s is cleaned to one line (text_clean) and
   escaped. */
void html_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns whether the text may be an id, or part of an address within the page: letters, digits,
   - _ . only. */
bool html_is_id(const char *text);

#endif
