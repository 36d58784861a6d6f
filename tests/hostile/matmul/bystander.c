/* Nothing is wrong here: this one runs beside each of the others, and must come to no harm. */
/* expect: ok */
/* family: control */
/* size: m=128,n=128,k=128 */
#include "tests/hostile/matmul/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "the bystander", .run = run)
