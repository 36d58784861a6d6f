/* Ends with a last line that clears the screen, turns the text around, is a formula, a row of a table, and a script. */
/* expect: crash */
/* family: harm */
/* harm: words */
/* size: n=65536 */
#include <stdio.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    honest(p);
    if (p->n == 65536) {
        fputs("=cmd|' /C calc'!A0 \033[2J\033]0;mine\007\302\233" "31m\342\200\256 \r|ok|</td><script>alert(1)</script>\",\"status\":\"ok\n",
              stderr);
        exit(1);
    }
}

VARIANT(.idea = "\302\233" "2J\342\200\256\342\200\213 ok \r=1+1", .run = run)
