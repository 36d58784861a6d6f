// expected: timeout: no answer from run within .* s: rank 0, 2 of 3 have not returned$
/* needs: mpicc */
#include <stdio.h>
#define WHO 1
#define HOW (void)0
#define BESIDE if (mpi_rank() != 1) MPI_Barrier(MPI_COMM_WORLD)
#include "fails.h"
