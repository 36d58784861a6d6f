/* Prints what the learner sees. */
#ifndef RUNGS_SHOW_H
#define RUNGS_SHOW_H

#include "workshop/lab/learned.h"
#include "workshop/lab/verdict.h"

/* Prints "06 Neighbours in line   stencil, in the simulator". */
void show_head(const struct exercise *e, const char *where);

/* Prints "*.*". */
void show_stars(unsigned won, unsigned possible);

void show_story(const struct exercise *e);
/* Prints a verdict.  `won` is the set of all stars so far, of this run and earlier ones. */
void show_verdict(const struct exercise *e, const struct lab_verdict *v, enum place place,
                  unsigned won);

/* Prints the first `count` facts of a mistake, or all if there are fewer. */
void show_facts(const struct mistake *m, int count);

void show_list(void);
void show_hint(const struct exercise *e, int level, const struct mistake *last);
void show_solution(const struct exercise *e);

/* Prints the page on a kind of mistake.  Returns false if there is none. */
bool show_explain(const char *kind);

/* Returns the heading of that page, the kind in words; the kind itself if there is no page. */
const char *show_kind(const char *kind);

#endif
