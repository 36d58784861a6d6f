/*
 * The mutants of a learner's program: the program with one small change each, such as another operator, another variable,
 * one more or less, two arguments exchanged, or a barrier more.
 *
 * Many mutants are in one text (a mutant schema), so that they are compiled once: mutant_number(), which harness/sim/mutant.c
 * defines, says which of them runs, and mutant_place() where.  With 0 it is the program as it was.
 */
#ifndef RUNGS_MUTANT_H
#define RUNGS_MUTANT_H

#include <stdbool.h>
#include <stddef.h>

struct mutant {
    int line;        /* of the program */
    int priority;    /* the smaller, the more likely a mistake */
    char words[200]; /* what is changed: "another operator in the place of <" */
    bool dead;       /* it does not compile */
    bool out;        /* it is not written now */
    int place[2];    /* numbers of the places that it changes; 0: none */
};

struct mutants;

/* Finds the mutants of a program.  Changes are made only in lines that `starter` does not have.  `order`: the mistake looks
   like one of order between threads, so barriers come first.  `suspect`: a line whose mutants come first; 0: none.  Returns
   NULL if there are none. */
struct mutants *mutants_find(const char *text, const char *starter, bool order, int suspect);
void mutants_free(struct mutants *all);

/* Numbers begin with 1, and mutant `number - 1` is at place `number - 1`.  They are in the order of their priorities. */
size_t mutants_list(const struct mutants *all, struct mutant **list);

/* Returns the program that has all mutants which are neither dead nor out; the caller frees it. */
char *mutants_write(struct mutants *all);

/* Marks the mutant dead which is responsible for this line of what was written last; `place`: those that change what is assigned
   to near it.  Returns false if there is none. */
bool mutants_drop(struct mutants *all, int line, bool place);

#endif
