// expected: timeout: no answer from run within .* s: rank 0 of 3 has not returned$
/* needs: mpicc */
#include <stdio.h>
#define WHO 0
#define HOW for (;;) sleep(1)
#include "fails.h"
