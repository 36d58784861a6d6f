/* Refuses every size: neither right nor wrong, and counted as neither. */
/* expected: refused: ^not today$ */
#include "common/variant.h"

static const char *refuse(const void *problem)
{
    (void)problem;
    return "not today";
}

static void run(const void *problem)
{
    (void)problem;
}

VARIANT(.idea = "refuses everything", .refuse = refuse, .run = run)
