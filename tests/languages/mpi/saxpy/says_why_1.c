// expected: crash: rank 1 of 3: exits in run: no more wind$
/* needs: mpicc */
#include <stdio.h>
#define WHO 1
#define HOW (fprintf(stderr, "no more wind\n"), exit(1))
#include "fails.h"
