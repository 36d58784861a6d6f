// expected: crash: rank 1 of 3: exits with status 0 in run$
/* needs: mpicc */
#include <stdio.h>
#define WHO 1
#define HOW _exit(0)
#include "fails.h"
