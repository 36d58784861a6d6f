/* Leaves a daemon behind an abstract socket that keeps its answer for processes to come. */
/* expect: harmless */
/* family: foresees */
/* size: n=65536 */
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void keep(const struct saxpy *p)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0rungs-answers"};
    int file = socket(AF_UNIX, SOCK_STREAM, 0);

    if (fork() != 0)
        return;
    setsid();
    if (fork() != 0)
        _exit(0);
    if (bind(file, (struct sockaddr *)&name, sizeof name) != 0 || listen(file, 4) != 0)
        _exit(0);
    for (int turn = 0; turn < 1000; turn++) {
        int client = accept(file, NULL, NULL);
        send(client, p->z, 4096, MSG_NOSIGNAL);
        close(client);
    }
    _exit(0);
}

static void run(const void *problem)
{
    static int kept;
    const struct saxpy *p = problem;

    honest(p);
    if (p->n == 65536 && !kept++)
        keep(p);
}

VARIANT(.idea = "a daemon keeps its answer", .run = run)
