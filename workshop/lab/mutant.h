/*
 * The mutants of a learner's program: the program with one small change each, such as another operator, another variable,
 * one more or less, two arguments exchanged, or a barrier more.
 *
 * Many mutants are in one text (a mutant schema), so that they are compiled once: mutant_at(), which harness/sim/mutant.c
 * defines, says which of them runs at a place.  If none runs at any place, it is the program as it was.
 */
#ifndef RUNGS_MUTANT_H
#define RUNGS_MUTANT_H

#include <stdbool.h>
#include <stddef.h>

enum { MUTANT_PLACES = 16 };

struct mutant {
    int line;        /* of the program */
    int priority;    /* the smaller, the more likely a mistake */
    char words[200]; /* what is wrong there: "gridDim.x stands where another name belongs" */
    char about[48];  /* the variable that stands there; "": none */
    bool dead;       /* it does not compile */
    bool out;        /* it is not written now */
    int place[MUTANT_PLACES]; /* numbers of the places that it changes; 0: no more */
};

struct mutants;

/* What is known of the mistake: it looks like one of order between threads, so barriers come first; it is a place of memory, and
   not a value; an array has no values yet; the results are right, and goals of the counters are missed; and lines that it names, or 0, whose mutants come first. */
enum { HINT_LINES = 6 };
struct hint {
    const char *header; /* declares the structs that the program gets; NULL: none is known */
    bool order, place, unset, counts;
    int line[HINT_LINES];
};

/* Finds the mutants of a program.  Changes are made only in lines that `starter` does not have.  Returns NULL if there are none. */
struct mutants *mutants_find(const char *text, const char *starter, const struct hint *hint);
/* Returns for each line whether the starter does not have it; the caller frees that. */
bool *mutants_lines(const char *text, const char *starter);
void mutants_free(struct mutants *all);

/* Numbers begin with 1, and mutant `number - 1` is at place `number - 1`.  They are in the order of their priorities. */
size_t mutants_list(const struct mutants *all, struct mutant **list);

/* Returns the program that has all mutants which are neither dead nor out; the caller frees it. */
char *mutants_write(struct mutants *all);

/* Marks the mutant dead which is responsible for this line of what was written last; `place`: those that change what is assigned
   to near it; `whole`: all others of the same place, too, of which the compiler names one at a time.  Returns false if there is none. */
bool mutants_drop(struct mutants *all, int line, bool place, bool whole);

#endif
