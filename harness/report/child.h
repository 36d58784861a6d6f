/* Another program's output. */
#ifndef RUNGS_REPORT_CHILD_H
#define RUNGS_REPORT_CHILD_H

/* What it writes to standard output (the first MiB), started in `folder`, without input and with
   its errors thrown away; for free().  *status: as it exited, or -1 where it did not, or is not
   there.  NULL only for want of memory. */
char *child_output(const char *folder, const char *const command[], int *status);

#endif
