/* What a stream's terminal can show.  A file or a pipe gets everything, without colour or
   wrapping. */
#ifndef RUNGS_TERMINAL_H
#define RUNGS_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TERMINAL_LEAST = 80 }; /* columns: on a narrower terminal, lines longer than this wrap */

/* Returns how many columns a line may take; 0: any number. */
size_t terminal_width(FILE *out);

/* Returns the terminal's columns, for text that is overwritten in place; 0: not a terminal. */
size_t terminal_columns(FILE *out);

/* Returns the terminal's lines, for text that is overwritten in place; 0: text cannot be
   overwritten. */
size_t terminal_height(FILE *out);

/* Returns whether the stream shows colour and NO_COLOR is not set. */
bool terminal_colour(FILE *out);
void terminal_no_colour(void); /* switches colour off: --no-color */

/* Returns whether text may hold more than ASCII, by LC_ALL, LC_CTYPE, LANG. */
bool terminal_unicode(void);

/* Returns the columns that a UTF-8 text takes, one for each character. */
size_t terminal_length(const char *text);

/* Writes one line of text that begins at column `at`.  Breaks it between words where it exceeds
   `width` columns (0: never), and indents the following lines by `indent`.  Writes no final line
   break. */
void terminal_wrap(FILE *out, const char *text, size_t at, size_t indent, size_t width);

/* Write lines of text, wrapped to the terminal; terminal_prose wraps at 100 columns at the
   latest. */
void terminal_lines(FILE *out, const char *text);
void terminal_prose(FILE *out, const char *text);

/* Write lines of text.  On a terminal, a line that does not fit continues two columns further
   right than it began. */
void terminal_hang(FILE *out, const char *text);
void terminal_printf(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
