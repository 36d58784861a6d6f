/*
 * Every problem of this program and the card of every variant found, by name and in order.
 *
 * Problems register themselves before main, in no defined order.  Variants are files: registry_load()
 * reads the cards of a folder.  registry_order() sorts problems by name and the variants of a problem
 * along `base`, each directly after its base.  It fails if a base is missing or
 * circular.
 */
#ifndef RUNGS_REGISTRY_H
#define RUNGS_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"
#include "harness/model/card.h"
#include "harness/model/problem.h"

enum { MAX_PROBLEMS = 64, MAX_VARIANTS = 1024 };

/* Reads the cards in FOLDER/PROBLEM/, and loads the problem itself if there is a problem.so.  On
   failure returns false and sets the error. */
bool registry_load(const char *folder, struct error *error);

/* Reads the cards of the variants that belong to this program (RUNGS_VARIANTS names another folder for
   them), and of those in the folders of `more` and of RUNGS_PATH, which are separated by colons.
   `more` may be NULL. */
bool registry_find_variants(const char *const more[], size_t count, struct error *error);

/* Adds a card, which the caller must keep in place. */
void registry_add(struct card *v);

bool registry_order(struct error *error);

/* Returns whether a command would take what `rungs build` has written, PROBLEM/NAME.card or PROBLEM/problem.so, beside
   the variants found so far.  If not, sets the error. */
bool registry_accepts(const char *file, struct error *error);

size_t registry_problems(const struct problem *const **problems); /* return the list's length */
size_t registry_variants(const struct card *const **variants);    /* of all problems, in order */

const char *problem_name(const struct problem *p);
const struct input *problem_inputs(const struct problem *p); /* options for users' files, or NULL */

const struct problem *registry_problem(const char *name);  /* NULL: no problem has that name */
const struct card *registry_find(const char *full);        /* "saxpy/cpu_naive"; works before
                                                              registry_order */
const struct card *registry_base(const struct card *v);    /* NULL: it is the first */

/* Returns the name of a variant's base.  Where that is left out, e.g. because its library is not installed, its own base
   takes its place.  NULL: it is the first. */
const char *registry_base_name(const struct card *v);

/* Returns whether a pattern names this variant: "knn/cpu_*"; "knn" for all variants of knn;
   "cpu_naive" for that of every problem. */
bool registry_match(const char *pattern, const struct card *v);

/* Returns the name of a problem or variant that is nearest to `text`, for "did you mean"; NULL: none is near. */
const char *registry_nearest(const char *text);

/* Returns the variants that are no rows because they need another processor, a library or a package that is not there: a
   list, by `next`. */
const struct card *registry_left_out(void);

#endif
