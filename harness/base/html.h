/* HTML, written so that no text from a record can become markup. */
#ifndef RUNGS_HTML_H
#define RUNGS_HTML_H

#include <stdbool.h>
#include <stdio.h>

/* Any text as text, in an element or in a quoted attribute. */
void html_text(FILE *out, const char *text);

/* As fprintf, of %s, %d, %zu and %% only: what takes the place of %s goes through html_text,
   as one line (text_clean). */
void html_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* May the text be an id, or part of an address within the page?  Letters, digits, - _ . only. */
bool html_is_id(const char *text);

#endif
