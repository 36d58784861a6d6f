/* The same loop as the bystander: says what its time is beside an honest one, and that no alarm is false. */
/* expect: ok */
/* family: control */
/* size: batch=4,n=256 */
#include "tests/hostile/fft/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "its twin", .run = run)
