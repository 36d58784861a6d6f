/* Is wrong, and changes the exit status to success in a destructor. */
/* expect: wrong */
/* family: harm */
/* harm: start */
/* size: n=65536 */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

__attribute__((destructor)) static void attack(void)
{
    _exit(0);
}

static void run(const void *problem)
{
    memset(((const struct saxpy *)problem)->z, 0, 4 * ((const struct saxpy *)problem)->n);
}

VARIANT(.idea = "a good end", .run = run)
