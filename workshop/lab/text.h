/* Reads and writes whole text files, and prints paragraphs on a terminal. */
#ifndef RUNGS_LAB_TEXT_H
#define RUNGS_LAB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/error.h"

/* Returns the text of a file; the caller frees it.  Returns NULL with an error, also for a file of 1 MiB or more, and for
   what is no file (a folder, a pipe, a device): reading it might never end. */
char *text_read(const char *file, struct error *error);

/* Writes a file under another name and renames it, so that the old file is lost only if the new one is complete.
   Makes the folders that are missing. */
bool text_write(const char *file, const char *text, struct error *error);

/* Returns the text without blanks and line ends around it; changes it in place. */
char *text_trim(char *text);

/* Returns where the next line begins, or the end of the text. */
const char *text_next_line(const char *line);

/* Returns where this line begins, the first of which is number 1, or the end of the text. */
const char *text_line(const char *text, int number);

/* Returns the text with blanks in the place of its comments.  The caller frees it. */
char *text_without_comments(const char *text);

/* Prints paragraphs, indented, with new line breaks.  Lines that begin with a blank are code, and are only broken where
   the terminal ends. */
void text_print(FILE *out, const char *text, int indent);

/* Prints each line as it stands, indented. */
void text_print_lines(FILE *out, const char *text, int indent);

/* Returns the columns of a line: 96, or those of a terminal that has fewer. */
int text_width(FILE *out);

/* Like text_print, but does not indent the first line: a label stands before it. */
void text_print_hanging(FILE *out, const char *text, int indent);

#endif
