/* A folder for one worker's caches and temporary files: compilers of kernels need one.  It goes when the worker goes. */
#ifndef RUNGS_OWN_FOLDER_H
#define RUNGS_OWN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

enum { OWN_FOLDER_BYTES = 256 };

/* Makes a folder below $TMPDIR, or `in_memory` below /dev/shm, and removes those of runs that were killed.  Returns an open
   file that holds the folder for as long as it is open; -1: there is no place for one. */
int own_folder_make(char path[OWN_FOLDER_BYTES], bool in_memory);

/* Removes the folder with all that is in it, and closes its file. */
void own_folder_remove(const char *path, int holds);

#endif
