// expected: crash: rank 2 of 3: segmentation fault in run at address 0x2$
/* needs: mpicc */
#include <stdio.h>
#define WHO 2
#define HOW *(volatile char *)(size_t)mpi_rank() = 1
#include "fails.h"
