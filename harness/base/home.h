/* Where this program's other files are: beside it in a build, in ../lib/rungs after installation. */
#ifndef RUNGS_HOME_H
#define RUNGS_HOME_H

/* Returns the path of a file: "rungs-worker" gives ".../build/rungs-worker".  The text is valid for
   eight further calls. */
const char *home_file(const char *name);

#endif
