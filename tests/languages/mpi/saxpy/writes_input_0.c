// expected: breach: rank 0 of 3: writes its input x\[0\] in run(, writes_input_0\.c:[0-9]+)?$
/* needs: mpicc */
#include <stdio.h>
#define WHO 0
#define HOW if (p->n > 0) ((float *)p->x)[0] = 1.0F
#include "fails.h"
