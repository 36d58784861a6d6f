// expected: crash: rank 0 of 3: segmentation fault in run at address
/* needs: mpicc */
#include <stdio.h>
#define WHO 0
#define HOW raise(SIGSEGV)
#include "fails.h"
