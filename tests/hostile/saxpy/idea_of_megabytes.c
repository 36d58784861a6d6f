/* Its idea is a megabyte without a blank, and so is its base's name. */
/* expect: not built */
/* family: harm */
/* harm: words */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

#define TEN(x) x x x x x x x x x x
static const char endless[] = TEN(TEN(TEN(TEN(TEN("abcdefghij")))));

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = endless, .base = endless, .run = run)
