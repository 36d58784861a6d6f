/* Declarations that should perhaps be others: whole numbers that no index needs, what all threads of a block need, constants, and lengths of
   arrays.  Each is a program of its own, because a declaration cannot be chosen while the program runs. */
#ifndef RUNGS_LAB_RETYPE_H
#define RUNGS_LAB_RETYPE_H

#include <stddef.h>

struct retype {
    int line;
    char words[160]; /* what is wrong */
    char *text;      /* the program with another declaration; owned */
};

/* Finds such variables in lines that the starter does not have, `most` at most; returns how many. */
size_t retype_find(const char *text, const char *starter, struct retype list[], size_t most);

/* Finds variables of types without numbers below 0 that are meant to have some: each alone, and all together. */
size_t sign_find(const char *text, const char *starter, struct retype list[], size_t most);

/* Finds variables of a kernel that one thread alone sets, and others read; the programs have them in shared memory. */
size_t share_find(const char *text, struct retype list[], size_t most);

/* Finds numbers of constants, and lengths of arrays, in lines that the starter does not have. */
size_t constants_find(const char *text, const char *starter, struct retype list[], size_t most);

#endif
