// expected: crash: rank 0 of 3: exits with status 3 in run$
/* needs: mpicc */
#include <stdio.h>
#define WHO 0
#define HOW _exit(3)
#include "fails.h"
