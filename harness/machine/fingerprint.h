/*
 * What two runs must have in common for their times to be compared: the machine, not the program.
 * Compiler, flags and commit are left out, since what they do to a time is what one asks.
 */
#ifndef RUNGS_FINGERPRINT_H
#define RUNGS_FINGERPRINT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { FACTS = 8, FACT_TEXT = 160 };

struct fingerprint {
    bool known[FACTS]; /* records of older versions say less */
    char fact[FACTS][FACT_TEXT];
    char hash[17]; /* of all of them, hexadecimal */
};

/* From a "run" record, complete or not. */
struct fingerprint fingerprint_of(const json_t *run);

/* Does any fact differ that both know?  `text` then says which, in a few words. */
bool fingerprint_differs(const struct fingerprint *a, const struct fingerprint *b, char *text,
                         size_t bytes);

#endif
