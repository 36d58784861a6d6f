/* What the terminal at the other end of a stream can show; a file or a pipe gets all of it, plain. */
#ifndef RUNGS_TERMINAL_H
#define RUNGS_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TERMINAL_LEAST = 80 }; /* columns: on narrower ones, lines that are longer than these wrap */

/* Columns that a line may take; 0: as many as it likes. */
size_t terminal_width(FILE *out);

/* Columns that there are, however few, for what is drawn over; 0: it is no terminal. */
size_t terminal_columns(FILE *out);

/* Lines of it, for what is drawn over; 0: nothing can be drawn over there. */
size_t terminal_height(FILE *out);

/* Does it show colour, and is it wanted?  Neither where NO_COLOR is set to anything. */
bool terminal_colour(FILE *out);
void terminal_no_colour(void); /* from now on it is not: --no-color */

/* May text hold more than ASCII?  By LC_ALL, LC_CTYPE, LANG. */
bool terminal_unicode(void);

/* Columns that a text takes; UTF-8, one a character. */
size_t terminal_length(const char *text);

/* One line of text, from column `at` on, broken between words where it would not fit in `width`
   columns (0: never); what follows begins at column `indent`.  Ends without a line break. */
void terminal_wrap(FILE *out, const char *text, size_t at, size_t indent, size_t width);

/* Lines of text, wrapped as the terminal needs it; prose also where they are beyond 100 columns. */
void terminal_lines(FILE *out, const char *text);
void terminal_prose(FILE *out, const char *text);

/* Lines of text; on a terminal, one that does not fit goes on two columns further right than it began. */
void terminal_hang(FILE *out, const char *text);
void terminal_printf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
