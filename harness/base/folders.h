/* The user's folders for this program, by the XDG Base Directory Specification, and making folders. */
#ifndef RUNGS_FOLDERS_H
#define RUNGS_FOLDERS_H

#include <stddef.h>

#include "harness/base/error.h"

/* Write the path of a file in the user's folder: $XDG_CACHE_HOME/rungs or ~/.cache/rungs, and $XDG_CONFIG_HOME/rungs
   or ~/.config/rungs.  Return false if the environment names neither: the path is empty. */
bool folders_cache(const char *file, char *path, size_t bytes);
bool folders_config(const char *file, char *path, size_t bytes);

/* Creates a folder and its parents, unless they are there.  The error names the one that failed and the cause. */
bool folders_make(const char *path, struct error *error);

/* Creates the folder of a file. */
bool folders_make_for(const char *file, struct error *error);

#endif
