/*
 * What two runs must have in common for their times to be compared: the machine, not the program.
 * Compiler, flags and commit are left out, because comparing runs is meant to show what they do to
 * a time.
 */
#ifndef RUNGS_FINGERPRINT_H
#define RUNGS_FINGERPRINT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { FACTS = 8, FACT_TEXT = 160 };

struct fingerprint {
    bool known[FACTS]; /* older records have fewer facts */
    char fact[FACTS][FACT_TEXT];
    char hash[17]; /* of all facts together, hexadecimal */
};

/* Makes a fingerprint from a "run" record, complete or not. */
struct fingerprint fingerprint_of(const json_t *run);

/* Returns whether any fact that both know differs.  If so, `text` names it in a few words. */
bool fingerprint_differs(const struct fingerprint *a, const struct fingerprint *b, char *text,
                         size_t bytes);

#endif
