/* The same loop as the bystander: says what its time is beside an honest one, and that no alarm is false. */
/* expect: ok */
/* family: control */
/* size: m=128,n=128,k=128 */
#include "tests/hostile/matmul/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "its twin", .run = run)
