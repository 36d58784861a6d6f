/* Makes files, and changes existing ones. */
/* expected: ok */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    char name[] = "/tmp/rungs-harm-XXXXXX";

    (void)p;
    if (mkstemp(name) >= 0 || mkdir("harm", 0777) == 0)
        harm_done("a file is made");
    if (truncate("Makefile", (off_t)1 << 20) == 0 || chmod("Makefile", 0644) == 0)
        harm_done("a file is changed");
}

VARIANT(.idea = "changes files", .run = run)
