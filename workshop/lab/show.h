/* What the learner sees. */
#ifndef RUNGS_SHOW_H
#define RUNGS_SHOW_H

#include "workshop/lab/learned.h"
#include "workshop/lab/verdict.h"

/* "06 Neighbours in line   stencil, in the simulator" */
void show_head(const struct exercise *e, const char *where);

/* "*.*" */
void show_stars(unsigned won, unsigned possible);

void show_story(const struct exercise *e);
/* `won`: all stars that the learner has by now, of this run and earlier ones. */
void show_verdict(const struct exercise *e, const struct lab_verdict *v, enum place place,
                  unsigned won);
void show_list(void);
void show_hint(const struct exercise *e, int level, const struct mistake *last);
void show_solution(const struct exercise *e);

/* The page on a kind of mistake; false: there is none. */
bool show_explain(const char *kind);

/* The first line of that page: the kind in words.  Never NULL. */
const char *show_kind(const char *kind);

#endif
