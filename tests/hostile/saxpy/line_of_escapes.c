/* Crashes in a line of a file whose name, in its debugging information, clears the screen and turns the text around. */
/* expect: crash */
/* family: harm */
/* harm: words */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    honest(p);
    if (p->n == 65536)
#line 1 "\033[2J\033]0;mine\007\302\233" "31m\342\200\256 \r|ok|"
        *(volatile int *)8 = 1;
}

VARIANT(.idea = "a line of escapes", .run = run)
