/* Uses x as scratch memory.  The first answer is right, but every later variant would read other
   values. */
/* expected: breach: ^writes its input x\[0\] in run, changes_input\.c:[0-9]+$ */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    float *x = (float *)p->x;

    for (size_t i = 0; i < p->n; i++) {
        x[i] *= p->a;
        p->z[i] = x[i] + p->y[i];
    }
}

VARIANT(.idea = "changes its input", .run = run)
