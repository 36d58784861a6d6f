#include "workshop/lab/colour.h"

#include <stdbool.h>
#include <stdio.h>

#include "harness/base/terminal.h"

static bool coloured;

void colour_begin(void)
{
    coloured = terminal_colour(stdout);
}

void colour_on(enum colour c)
{
    if (coloured)
        printf("\033[%dm", (int)c);
}

void colour_off(void)
{
    if (coloured)
        fputs("\033[0m", stdout);
}
