/* The same loop as the bystander: says what its time is beside an honest one, and that no alarm is false. */
/* expect: ok */
/* family: control */
/* size: m=256,n=1024,k=1 */
#include "tests/hostile/knn/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "its twin", .run = run)
