/* Its card says that it is the bystander: the same source, idea and base; and it is slow. */
/* expect: harmless */
/* family: harm */
/* harm: words */
/* size: n=65536 */
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    usleep(1000);
    honest(problem);
}

RUNGS_EXPORT extern const struct variant rungs_variant;
const struct variant rungs_variant = {
    .path = "tests/hostile/saxpy/bystander.c", .idea = "the bystander", .run = run};
