// expected: crash: rank 1 of 3: killed in run by SIGKILL
/* needs: mpicc */
#include <stdio.h>
#define WHO 1
#define HOW kill(getpid(), SIGKILL)
#include "fails.h"
