/*
 * Every problem and every rung in this program, by name and in order.
 *
 * They register themselves before main, in no defined order; registry_order() sorts problems by
 * name, a problem's rungs along `base` (each right after the one it improves on), and refuses what
 * cannot be ordered.
 */
#ifndef RUNGS_REGISTRY_H
#define RUNGS_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "common/variant.h"
#include "harness/error.h"
#include "harness/problem.h"

enum { MAX_PROBLEMS = 64, MAX_VARIANTS = 512 };

/* Names are parts of the path: variants/saxpy/cpu_naive.c is "saxpy", "cpu_naive". */
struct name {
    char problem[32], variant[48];
    char full[96]; /* "saxpy/cpu_naive" */
};

bool registry_order(struct error *error);

size_t registry_problems(const struct problem *const **problems); /* how many, and the list */
size_t registry_variants(const struct variant *const **variants); /* in order, all problems' */

struct name variant_name(const struct variant *v);
const char *problem_name(const struct problem *p);
const struct input *problem_inputs(const struct problem *p); /* its users' options, if any */

const struct problem *registry_problem(const char *name);  /* NULL: none of that name */
const struct variant *registry_find(const char *full);     /* "saxpy/cpu_naive"; works unordered */
const struct variant *registry_base(const struct variant *v); /* NULL: it is the first */

/* The name nearest to `text` among problems and rungs, for "did you mean". */
const char *registry_nearest(const char *text);

#endif
