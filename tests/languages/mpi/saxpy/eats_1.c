// expected: memory: rank 1 of 3: asks for 1 GiB more in run
/* needs: mpicc */
#include <stdio.h>
#define WHO 1
#define HOW for (;;) ((volatile char *)malloc((size_t)1 << 30))[0] = 1
#include "fails.h"
