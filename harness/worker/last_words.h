/*
 * What the ranks of a worker report: how one ended, or what it is busy with.
 *
 * Beside each rank runs a process that watches it (harness/worker/ranks.c).  It writes a line to standard error, which
 * mpirun and srun pass on from every host.  The parent looks for such lines when a worker has ended or hangs.  A rank's own
 * words are in the line, because on standard error they would stand among those of the launcher.
 */
#ifndef RUNGS_LAST_WORDS_H
#define RUNGS_LAST_WORDS_H

#include "harness/worker/protocol.h"

struct last_words {
    int rank, ranks;
    bool ended;
    int status;         /* as of waitpid, if it has ended */
    struct ledger note; /* what it was doing; IN_HARNESS: it waits for the others */
    char said[160];     /* its last line on standard error */
};

/* Writes a line to a file, in one piece. */
void last_words_write(const struct last_words *w, int file);

/* Reads the lines of a file, at most `room`.  Returns how many there are. */
size_t last_words_read(int file, struct last_words list[], size_t room);

#endif
