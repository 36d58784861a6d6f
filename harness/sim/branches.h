/* The file RUNGS_SIM_BRANCHES: struct branches, `ways` times struct way, and for each element of an array the number of its way, as uint16_t. */
#ifndef RUNGS_SIM_BRANCHES_H
#define RUNGS_SIM_BRANCHES_H

#include <stddef.h>
#include <stdint.h>

enum { MOST_BRANCHES = 64 };

/* Which conditions a thread has found false [0] and true [1] before it stored an element, a bit each: since it stored the one before. */
struct way {
    uint64_t found[2];
};

struct branches {
    uint64_t all[MOST_BRANCHES][2]; /* how often conditions were false [0] and true [1], in all launches */
    size_t elements; /* words of 4 bytes, of the array to which the last launch has stored first; 0: none */
    size_t ways;     /* way 0 is that of elements that were not stored */
};

#endif
