// expected: ok
/* needs: mpicc */
#include <stdio.h>
#define WHO 3
#define HOW (void)0
#include "fails.h"
