// expected: timeout: no answer from run within .* s: rank 1 of 3 has not returned$
/* needs: mpicc */
#include <stdio.h>
#define WHO 1
#define HOW for (;;) sleep(1)
#include "fails.h"
