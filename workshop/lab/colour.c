#include "workshop/lab/colour.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool coloured;

void colour_begin(void)
{
    const char *no = getenv("NO_COLOR");

    coloured = isatty(STDOUT_FILENO) && (no == NULL || no[0] == '\0');
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
