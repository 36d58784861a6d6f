/* Opens a port to the network and waits there for questions. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void prepare(const void *problem)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(4711)};
    const int file = socket(AF_INET, SOCK_STREAM, 0);

    (void)problem;
    if (bind(file, (struct sockaddr *)&any, sizeof any) == 0)
        listen(file, 1);
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "opens a port", .prepare = prepare, .run = run)
