// expected: ok
/* needs: mpicc */
#include <stdio.h>
#define WHO 1
#define HOW kill(getppid(), SIGTERM)
#include "fails.h"
