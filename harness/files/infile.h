/*
 * A file that is read, or anything else with a name: a pipe, /dev/stdin.  The name "-" is standard input.
 * All readers go from front to back once, so all of them can read pipes.
 */
#ifndef RUNGS_INFILE_H
#define RUNGS_INFILE_H

#include <stddef.h>
#include <stdio.h>

#include "harness/base/error.h"

struct infile {
    const char *name;    /* for messages */
    FILE *stream;
    size_t size;         /* in bytes; SIZE_MAX: not known, as for a pipe */
    size_t line, column; /* of the next character of a text, from 1 */
};

/* Opens a file.  An empty file is an error, because no format here allows it. */
bool infile_open(struct infile *in, const char *name, struct error *error);
void infile_close(struct infile *in);

/* Returns whether `bytes` more can follow; true if the length is not known.  Ask before allocating
   memory for them.  The error reads "x.npy: the array has 3 bytes instead of 8". */
bool infile_holds(const struct infile *in, size_t bytes, const char *what, struct error *error);

/* Reads exactly `bytes`.  The error reads "x.npy: ends within the array". */
bool infile_read(struct infile *in, void *data, size_t bytes, const char *what,
                 struct error *error);

/* Returns whether the file has ended.  Else the error names `what` as the last thing expected. */
bool infile_at_end(struct infile *in, const char *what, struct error *error);

/* Returns false and sets the error if reading stopped because of a failure, not at the end. */
bool infile_healthy(const struct infile *in, struct error *error);

/* Returns the next byte of a text, or EOF.  Columns count characters: only the first byte of a UTF-8
   character counts. */
static inline int infile_next(struct infile *in)
{
    int c = getc_unlocked(in->stream);

    if (c == '\n') {
        in->line++;
        in->column = 1;
    } else if ((c & 0xC0) != 0x80) {
        in->column++;
    }
    return c;
}

/* Returns whether the rest of the file begins with these characters, and reads none of them. */
bool infile_begins(struct infile *in, const char *with);

#endif
