/*
 * The copy of the progress in the folder of a room.  rungs lab submit DIR begins it, and from then on each verdict,
 * hint and new exercise is copied there, so that the instructor sees the present state of every seat.
 *
 * learn/.kept/room holds the path of the copy.  If that file is deleted, nothing more is copied.
 */
#ifndef RUNGS_SHARED_H
#define RUNGS_SHARED_H

#include <stdbool.h>

#include "harness/base/error.h"

/* Copies the progress to `folder`/NAME, and remembers the place. */
bool shared_begin(const char *folder, const char *name, struct error *error);

/* Copies the progress again, if it is shared.  Returns false with an error if the copy could not be written. */
bool shared_update(struct error *error);

#endif
