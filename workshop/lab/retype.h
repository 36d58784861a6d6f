/* Variables that should perhaps be declared in another way: whole numbers that no index needs, and what all threads of a block need. */
#ifndef RUNGS_LAB_RETYPE_H
#define RUNGS_LAB_RETYPE_H

#include <stddef.h>

struct retype {
    int line;
    char name[48];
    char *text; /* the program with a float there, or with it in shared memory; owned */
};

/* Finds such variables in lines that the starter does not have, `most` at most; returns how many. */
size_t retype_find(const char *text, const char *starter, struct retype list[], size_t most);

/* Finds variables of a kernel that one thread alone sets, and others read; the programs have them in shared memory. */
size_t share_find(const char *text, struct retype list[], size_t most);

#endif
