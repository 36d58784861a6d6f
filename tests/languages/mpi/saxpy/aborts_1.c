// expected: crash: rank 1 of 3: abort in run
/* needs: mpicc */
#include <stdio.h>
#define WHO 1
#define HOW abort()
#include "fails.h"
