/* The changes with which a wrong program is right, and what the lab tells of them. */
#ifndef RUNGS_LAB_FOUND_H
#define RUNGS_LAB_FOUND_H

#include "workshop/lab/mistake.h"
#include "workshop/lab/mutant.h"

/* One change, or two of which the first mattered more; 0: none was found.  Or several, each of which is enough: that is known of one
   change alone. */
enum { MOST_FOUND = 3 };
struct found {
    struct mutant change[MOST_FOUND];
    int count;
    bool any;     /* each of them is enough */
    bool misses;  /* with the first one goals of the counters are missed */
    double until; /* the share of the time at which no others are looked for any more */
};

/* Returns whether a change would say more than the verdict does.  It would not where that names two launches without an order, since
   waiting anywhere mends that, nor where counters name what the host does in a line. */
bool found_wanted(const struct mistake *m, bool counts);

/* Puts the changes before the facts of the verdict: what is wrong there if that has a symptom only, and else the line alone.  `right`
   says in words what is reached with them; `counts`: the verdict is on counters, which are symptoms.  Returns how many facts are new. */
int found_tell(struct found *found, const char *program, const char *right, bool counts, struct mistake *m);

#endif
