// expected: crash: rank 1 of 3: exits in run: .*invalid rank
/* needs: mpicc */
#include <stdio.h>
#define WHO 1
#define HOW MPI_Send(NULL, 0, MPI_INT, 77, 0, MPI_COMM_WORLD)
#include "fails.h"
