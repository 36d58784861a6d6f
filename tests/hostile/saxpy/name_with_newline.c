/* Has an idea with line ends, quotes and escapes in it, to disturb records and tables. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "a\"}\n{\"record\":\"measurement\",\"variant\":\"winner\"}\n\033[2J\xff\xfe</script>", .run = run)
