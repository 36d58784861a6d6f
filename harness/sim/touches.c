/*
 * What host code reads and writes, in which order and by which thread: RUNGS_SIM_TOUCHES names a file, which gets struct touch.  Of use for
 * programs without kernels that were compiled with the calls of hooks.c.  Where the harness calls a function of the program, there is a mark.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/sim/sim.h"

struct touch {
    uint64_t address;
    uint32_t thread, writes; /* threads are numbered as they come; MARK: a call begins, and its address is 1 */
};

enum { MOST = 60000, MARK = UINT32_MAX }; /* a worker may write a file of 1 MiB */

bool sim_touching;

static struct touch *list;
static unsigned count, threads, depth; /* depth: functions of the program that have begun and not ended */
static __thread unsigned thread; /* from 1 on */

__attribute__((constructor)) static void make_file(void)
{
    const char *path = getenv("RUNGS_SIM_TOUCHES");
    const int file = path != NULL ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    const size_t bytes = MOST * sizeof *list;

    if (file < 0)
        return;
    list = ftruncate(file, (off_t)bytes) == 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    sim_touching = list != MAP_FAILED;
    close(file);
}

static void add(struct touch t)
{
    const unsigned i = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);

    if (i < MOST)
        list[i] = t;
    else
        sim_touching = false;
}

void sim_touch(const void *p, bool write)
{
    if (thread == 0)
        thread = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
    add((struct touch){(uintptr_t)p, thread - 1, write});
}

/* The threads of a team enter functions, too, while the one that has begun the team is in its own. */
void sim_touch_enter(void)
{
    if (__atomic_fetch_add(&depth, 1, __ATOMIC_RELAXED) == 0)
        add((struct touch){1, MARK, 0});
}

void sim_touch_leave(void)
{
    __atomic_sub_fetch(&depth, 1, __ATOMIC_RELAXED);
}
