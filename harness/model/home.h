/* Where this program's other files are: beside it in a build, in ../lib/rungs when installed. */
#ifndef RUNGS_HOME_H
#define RUNGS_HOME_H

/* "rungs-worker" is ".../build/rungs-worker".  The text stays as it is for eight further calls. */
const char *home_file(const char *name);

#endif
