/* Nothing is wrong here: this one runs beside each of the others, and must come to no harm. */
/* expect: ok */
/* family: control */
/* size: pairs=16,rows=32,cols=32 */
#include "tests/hostile/align/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "the bystander", .run = run)
