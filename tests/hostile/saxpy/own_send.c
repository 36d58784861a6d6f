/* Puts a function send of its own into the worker, which divides the times of a reply by ten before the reply goes out. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#define _GNU_SOURCE
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
        for (unsigned i = 0; i < forged.samples.count; i++)
            for (int phase = 0; phase < PHASES; phase++)
                forged.samples.time[phase][i] /= 10.0;
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

VARIANT(.idea = "replies pass through its hands", .run = run)
