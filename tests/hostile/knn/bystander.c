/* Nothing is wrong here: this one runs beside each of the others, and must come to no harm. */
/* expect: ok */
/* family: control */
/* size: m=256,n=1024,k=1 */
#include "tests/hostile/knn/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "the bystander", .run = run)
