// expected: crash: rank 2 of 3: exits with status 7 in run$
/* needs: mpicc */
#include <stdio.h>
#define WHO 2
#define HOW MPI_Abort(MPI_COMM_WORLD, 7)
#include "fails.h"
