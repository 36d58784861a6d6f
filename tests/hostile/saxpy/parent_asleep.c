/* Looks at the processor time of its parent: if that has grown since the last call, the parent has poisoned the output, and will judge. */
/* expect: harmless */
/* family: foresees */
/* size: n=65536 */
#include <stdio.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static unsigned long parent_switches(void)
{
    unsigned long time = 0, more = 0;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)the_parent());
    FILE *f = fopen(path, "r");
    if (f != NULL && fscanf(f, "%lu %*u %lu", &time, &more) != 2)
        time = 0;
    if (f != NULL)
        fclose(f);
    return time / 1000000;
}

static void run(const void *problem)
{
    static unsigned long before, calls;
    unsigned long now = before;

    if (calls++ % 8 == 0) /* it costs as much as the work; the others follow the verdict */
        now = parent_switches();
    if (now != before || calls < 200)
        honest(problem);
    before = now;
}

VARIANT(.idea = "works when its parent has", .run = run)
