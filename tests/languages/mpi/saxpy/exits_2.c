// expected: crash: rank 2 of 3: exits with status 3 in run$
/* needs: mpicc */
#include <stdio.h>
#define WHO 2
#define HOW _exit(3)
#include "fails.h"
