/*
 * Every problem in this program and the card of every variant that was found, by name and in order.
 *
 * Problems register themselves before main, in no defined order.  Variants are files: registry_load()
 * reads the cards of a folder.  registry_order() sorts problems by name, a problem's variants along
 * `base` (each right after the one it improves on), and refuses what cannot be ordered.
 */
#ifndef RUNGS_REGISTRY_H
#define RUNGS_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"
#include "harness/model/card.h"
#include "harness/model/problem.h"

enum { MAX_PROBLEMS = 64, MAX_VARIANTS = 512 };

/* Reads the cards in FOLDER/PROBLEM/, and loads the problem itself where there is a problem.so.  False:
   the error says what is wrong. */
bool registry_load(const char *folder, struct error *error);

/* The variants that come with this program (RUNGS_VARIANTS names another folder for them), and those in
   the folders of `more` and of RUNGS_PATH, with colons between them.  NULL: none. */
bool registry_find_variants(const char *const more[], size_t count, struct error *error);

/* Adds one; it must stay where it is. */
void registry_add(struct card *v);

bool registry_order(struct error *error);

size_t registry_problems(const struct problem *const **problems); /* how many, and the list */
size_t registry_variants(const struct card *const **variants);    /* in order, all problems' */

const char *problem_name(const struct problem *p);
const struct input *problem_inputs(const struct problem *p); /* its users' options, if any */

const struct problem *registry_problem(const char *name);  /* NULL: none of that name */
const struct card *registry_find(const char *full);        /* "saxpy/cpu_naive"; works unordered */
const struct card *registry_base(const struct card *v);    /* NULL: it is the first */

/* Does a pattern name this variant?  "knn/cpu_*", "knn" for all of its variants, "cpu_naive" for that
   of every problem. */
bool registry_match(const char *pattern, const struct card *v);

/* The name nearest to `text` among problems and variants, for "did you mean". */
const char *registry_nearest(const char *text);

/* Returns the variants that are no rows because a package that they need is not installed: a list, by `next`. */
const struct card *registry_left_out(void);

#endif
