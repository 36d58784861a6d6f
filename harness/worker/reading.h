/* Level and Read, two lines of the comment at the head of a variant's source, as keys of its card. */
#ifndef RUNGS_READING_H
#define RUNGS_READING_H

#include <stdio.h>

/* Writes level, read and lines (harness/model/card.h) to `card`, as far as the source and the headers that it names
   can be read.  Headers lie in the source's folder.  A source without these lines has no such keys. */
void reading_print(const char *source, FILE *card);

#endif
