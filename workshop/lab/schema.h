/* Writes a mutant schema: one text that has many changes of a program, each of which only its mutant makes. */
#ifndef RUNGS_LAB_SCHEMA_H
#define RUNGS_LAB_SCHEMA_H

#include "workshop/lab/mutant.h"

enum change_kind {
    VALUE,   /* `text` in the place of what stands there, with its type */
    PLACE,   /* the same, for what may be assigned to, or is an array */
    BEFORE,  /* a statement before it */
    DECLARE, /* a declaration before it, which all mutants have, and a statement behind that, which @ begins */
    GUARD,   /* `text` is a condition for the statement; "0" leaves it out */
};

struct change {
    enum change_kind kind;
    size_t at, end; /* what it replaces, in the program */
    size_t mutant;
    char *text; /* owned */
};

struct mutants {
    const char *program;
    struct mutant *list;
    size_t count, room;
    struct change *changes;
    size_t change_count, change_room;
    bool cuda;
    size_t *of_line; /* of what was written last: the last mutant that was begun up to there, plus 1 */
    size_t lines;
};

/* Returns what stands from `at` to `end`, without comments and line ends; the caller frees it. */
char *schema_plain(const char *text, size_t at, size_t end);

#endif
