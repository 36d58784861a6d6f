/* Divides the times of a reply by three, and leaves all else as it is. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/worker/protocol.h"
#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

static ssize_t own_send(int file, const void *data, size_t bytes, int flags)
{
    static struct reply forged;

    if (file == WORKER_SOCKET && bytes == sizeof forged) {
        memcpy(&forged, data, bytes);
        forged.first /= 3.0;
        forged.threads *= 64;
        for (unsigned i = 0; i < forged.samples.count; i++)
            for (int phase = 0; phase < PHASES; phase++)
                forged.samples.time[phase][i] /= 3.0;
        data = &forged;
    }
    return syscall(SYS_sendto, file, data, bytes, flags, NULL, 0);
}

static void run(const void *problem)
{
    honest(problem);
}

__attribute__((constructor)) static void attack(void)
{
    worker_calls("send", (void *)own_send);
}

VARIANT(.idea = "says a third", .run = run)
