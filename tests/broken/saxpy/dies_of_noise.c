/* Ends with an error message that is not text: terminal commands, and bytes that are not UTF-8. */
/* expected: crash: ^exits in run: dies of \?\[2J \| noise \?+$ */
#include <stdio.h>
#include <stdlib.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    (void)problem;
    fputs("dies of \033[2J | noise \xff\xfe\xc3\n", stderr);
    exit(EXIT_FAILURE);
}

VARIANT(.idea = "says what no terminal should hear", .run = run)
