// expected: crash: rank 1 of 3: segmentation fault in run at address 0xc$
/* needs: mpicc */
#include <stdio.h>
#define WHO 1
#define HOW ((volatile const float *)p->x)[3]
#include "fails.h"
