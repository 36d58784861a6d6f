/* Deletes a file by the system calls of 32 bits, whose numbers are others than those that a filter may know. */
/* expect: harmless */
/* family: harm */
/* harm: files */
/* size: n=65536 */
#include <sys/mman.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(void)
{
#if defined(__x86_64__)
    char *path = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    long status;

    if (path == MAP_FAILED)
        return;
    memcpy(path, "/tmp/work/notes.txt", 20);
    __asm__ volatile("int $0x80" : "=a"(status) : "a"(10L), "b"(path) : "memory", "r8", "r9", "r10", "r11");
#endif
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack();
    honest(p);
}

VARIANT(.idea = "system calls of 32 bits", .run = run)
