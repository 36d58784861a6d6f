/*
 * A mistake: its kind, a word that has a page in workshop/explain.md, and the facts, a line each, in
 * words that a beginner understands.
 */
#ifndef RUNGS_MISTAKE_H
#define RUNGS_MISTAKE_H

#include <stdbool.h>
#include <stddef.h>

enum { MISTAKE_FACTS = 12, MISTAKE_PRINTED = 600 };

struct mistake {
    char kind[32]; /* empty: no mistake */
    char fact[MISTAKE_FACTS][300];
    int facts;
    size_t explains; /* how many results it accounts for; 0: it was not concluded from results */
    bool named;      /* a fact names the cause, also if the kind is one of a symptom */
    size_t turns;    /* so many steps the result shows, and one; 0: that is not known */
    char printed[MISTAKE_PRINTED]; /* what the program printed then */
};

/* Sets the kind, and removes all facts. */
void mistake_set(struct mistake *m, const char *kind);

/* Adds a fact, if there is room for one more. */
void mistake_add(struct mistake *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds this line of the text, with its number before it, as a fact. */
void mistake_quote(struct mistake *m, const char *text, int number);

static inline bool mistaken(const struct mistake *m)
{
    return m->kind[0] != '\0';
}

#endif
