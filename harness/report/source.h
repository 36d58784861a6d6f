/*
 * A rung's source, from the checkout that the program runs in or was built in, and how it differs
 * from its base's; git says whether it is what was measured.
 */
#ifndef RUNGS_REPORT_SOURCE_H
#define RUNGS_REPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

struct source {
    char path[160];   /* "variants/knn/cpu_simd.c"; "": it is not in this checkout */
    char *text;       /* for free() */
    char base[160];   /* path of the rung that it improves on; "": none, or not there */
    char *difference; /* diff -u from base; NULL: no base, or nothing to compare with */
    bool no_diff;     /* the program diff is not there */
};

/* Names are a record's, and may be anything: what is no rung's name finds nothing. */
struct source source_find(const char *problem, const char *variant, const char *base);
void source_free(struct source *s);

/* What git says of the files in variants/ and common/ since a commit. */
struct changes {
    char commit[64];
    bool known; /* false: git is not there, or the commit is not */
    char *list; /* the files that differ, one a line; for free() */
};

/* `commit` as records have it, "-dirty" behind it or not. */
struct changes source_changes(const char *commit);
bool source_changed(const struct changes *c, const char *path);

#endif
