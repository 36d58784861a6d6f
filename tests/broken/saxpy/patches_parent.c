/* Writes into its parent's memory. */
/* expected: breach: ^makes the forbidden system call process_vm_writev in run$ */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    uint64_t nothing = 0;
    const struct iovec from = {&nothing, sizeof nothing}, to = {p->z, sizeof nothing};

    process_vm_writev(getppid(), &from, 1, &to, 1, 0);
}

VARIANT(.idea = "writes its parent's memory", .run = run)
