/* Whole numbers that should perhaps not be whole: variables of a learner's program that no index needs. */
#ifndef RUNGS_LAB_RETYPE_H
#define RUNGS_LAB_RETYPE_H

#include <stddef.h>

struct retype {
    int line;
    char name[48];
    char *text; /* the program with a float there; owned */
};

/* Finds such variables in lines that the starter does not have, `most` at most; returns how many. */
size_t retype_find(const char *text, const char *starter, struct retype list[], size_t most);

#endif
