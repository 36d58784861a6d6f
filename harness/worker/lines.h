/*
 * A variant as a program that speaks lines, for languages that can load no library.
 *
 * The worker starts the program when a case is opened.  It writes a line to the program's standard input, and waits for
 * a line from its standard output:
 *
 *     rungs 1                                             rungs 1 TEXT    (its own version, for people)
 *     case JSON                                           ok, or: refuse REASON
 *     prepare, upload, reset, run, download, release      ok, or: fail REASON
 *
 * The case is described by harness/model/members.h.  Its arrays lie in two files, at the offsets `at`: inputs, which the
 * environment variable RUNGS_INPUTS names, to be read; outputs, RUNGS_OUTPUTS, to be written.  Scalars lie
 * among the inputs.  What the program writes to standard error is the reason, if it fails.  At the end of its input it
 * ends, within a second.
 */
#ifndef RUNGS_LINES_H
#define RUNGS_LINES_H

#include <stddef.h>

/* Serves the variant `name` with a program: `program file`.  Never returns. */
_Noreturn void lines_serve(const char *name, const char *program, const char *file, size_t memory);

#endif
