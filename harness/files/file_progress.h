/* A line on standard error, if that is a terminal, about a file that takes more than a second. */
#ifndef RUNGS_FILE_PROGRESS_H
#define RUNGS_FILE_PROGRESS_H

#include <stddef.h>

struct file_progress {
    const char *verb, *name; /* "writing", "smooth.png" */
    double next;             /* when the line is drawn again: seconds, by clock_now() */
    size_t lines;            /* on the terminal: 1 or 0 */
};

struct file_progress file_progress_begin(const char *verb, const char *name);
void file_progress_show(struct file_progress *p, size_t done, size_t all);
void file_progress_end(struct file_progress *p); /* removes the line */

#endif
