/*
 * A file that is written.  It appears under its name only when it is complete.  Until then it is a
 * temporary file in the same folder, which outfile_abandon and any failure remove.  The name "-" is
 * standard output.
 *
 *     if (!outfile_open(&out, name, error))
 *         return false;
 *     outfile_write(&out, data, bytes);
 *     return outfile_close(&out, error);
 */
#ifndef RUNGS_OUTFILE_H
#define RUNGS_OUTFILE_H

#include <stddef.h>
#include <stdio.h>

#include "harness/base/error.h"

struct outfile {
    const char *name; /* for messages */
    FILE *stream;
    char *target;    /* the name with links resolved; NULL for a pipe or a device */
    char *temporary; /* in the same folder */
    int failed;      /* errno of the first failed write, else 0 */
};

/* Returns whether the name stands for standard output, a pipe or a device: its extension says nothing. */
bool outfile_is_stream(const char *name);

/* Returns whether outfile_open() succeeds, as far as that can be known; leaves no file.  A pipe is not opened: its reader
   would see it end. */
bool outfile_can_open(const char *name, struct error *error);

bool outfile_open(struct outfile *out, const char *name, struct error *error);
void outfile_write(struct outfile *out, const void *data, size_t bytes);
bool outfile_close(struct outfile *out, struct error *error);
void outfile_abandon(struct outfile *out);

#endif
