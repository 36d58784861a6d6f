/*
 * Which mutant of a learner's program runs: workshop/lab/mutant.h.  Its number, and those of the places that it changes, are in a
 * file, so that a process can run one after the other.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/sim/sim.h"

enum { NUMBER, PLACE, OTHER_PLACE, COUNT };

static const volatile int *numbers;

__attribute__((constructor)) static void find_numbers(void)
{
    const char *path = getenv("RUNGS_SIM_MUTANT");
    const int file = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;

    if (file < 0)
        return;
    const int *there = mmap(NULL, COUNT * sizeof *there, PROT_READ, MAP_SHARED, file, 0);
    numbers = there != MAP_FAILED ? there : NULL;
    close(file);
}

int mutant_number(void)
{
    return numbers != NULL ? numbers[NUMBER] : 0;
}

/* A place has a number above 0. */
int mutant_place(void)
{
    return numbers != NULL ? numbers[PLACE] : 0;
}

int mutant_other_place(void)
{
    return numbers != NULL ? numbers[OTHER_PLACE] : 0;
}
