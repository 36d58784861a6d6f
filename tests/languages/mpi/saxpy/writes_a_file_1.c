// expected: ok
/* needs: mpicc */
#include <stdio.h>
#define WHO 1
#define HOW if (fopen("rungs-mpi-was-here", "w") != NULL) _exit(9)
#include "fails.h"
