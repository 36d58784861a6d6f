/* Text files as a whole, and lines of a terminal. */
#ifndef RUNGS_LAB_TEXT_H
#define RUNGS_LAB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/base/error.h"

/* All of a file, for free(); NULL with an error, also if it is larger than any source is. */
char *text_read(const char *file, struct error *error);

/* Puts it there all at once (written beside it, then renamed), making folders on the way.  The file
   that was there is lost only if the new one is on the disk. */
bool text_write(const char *file, const char *text, struct error *error);

/* Without blanks and line ends around it. */
char *text_trim(char *text);

/* Prints paragraphs, indented and broken anew; lines that begin with a blank, which are code, stay as
   they are. */
void text_print(FILE *out, const char *text, int indent);

/* Prints each line as it stands, indented. */
void text_print_lines(FILE *out, const char *text, int indent);

/* As text_print, but the first line is already indented: a word stands before it. */
void text_print_hanging(FILE *out, const char *text, int indent);

#endif
