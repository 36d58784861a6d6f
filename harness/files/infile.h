/*
 * A file being read, or whatever else can be opened by a name: a pipe, /dev/stdin.  All readers
 * go from front to back once, so none of them cares which it is.
 */
#ifndef RUNGS_INFILE_H
#define RUNGS_INFILE_H

#include <stddef.h>
#include <stdio.h>

#include "harness/base/error.h"

struct infile {
    const char *name;
    FILE *stream;
    size_t size;         /* in bytes; SIZE_MAX if nobody knows, as of a pipe */
    size_t line, column; /* of the next character of a text, from 1 */
};

/* A file that is empty is an error, too: none of the formats here begins with nothing. */
bool infile_open(struct infile *in, const char *name, struct error *error);
void infile_close(struct infile *in);

/* Are `bytes` more to come, or at least not known to be missing?  To be asked before memory is
   taken for them.  Else: "x.npy: the array has 3 bytes instead of 8". */
bool infile_holds(const struct infile *in, size_t bytes, const char *what, struct error *error);

/* All of `bytes`, or an error: "x.npy: ends within the array". */
bool infile_read(struct infile *in, void *data, size_t bytes, const char *what,
                 struct error *error);

/* Has all been read?  Else an error that names what should have been the last. */
bool infile_at_end(struct infile *in, const char *what, struct error *error);

/* False, and an error, if the end that a reader has met is none: the disk failed. */
bool infile_healthy(const struct infile *in, struct error *error);

/* The next byte of a text, or EOF.  A column is a character: the second and later bytes of one in
   UTF-8 do not count. */
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

#endif
