/* Truncates every file that it can find.  The parent, which maps the outputs, would end with a bus
   error. */
/* expected: ok */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    (void)p;
    for (int file = 3; file < 256; file++)
        if (ftruncate(file, 0) == 0)
            harm_done("a file is cut short");
}

VARIANT(.idea = "cuts the output's file short", .run = run)
