#define _GNU_SOURCE
#include "workshop/lab/mutant_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "workshop/lab/build.h"
#include "workshop/lab/text.h"

/* How often they are compiled; from SOME_BUILDS on all mutants of a place are dropped together. */
enum { MOST_BUILDS = 16, SOME_BUILDS = 3 };

/* Errors of the compiler.  Others may follow from unknown names, so those are dropped alone if there are some. */
enum errors { UNKNOWN_NAMES, IN_THE_SOURCE, IN_MACROS };

/* Drops the mutants that the compiler complains about, or with `whole` all of their places. Returns false if there are none.  An error in a macro has a note that
   names the source's line. */
static bool drop_wrong(struct mutants *all, const char *said, const char *source, enum errors which, bool whole)
{
    const char *name = strrchr(source, '/') + 1;
    bool dropped = false, wrong = false;

    for (const char *line = said; *line != '\0'; line = text_next_line(line)) {
        const size_t length = strcspn(line, "\n");
        const bool error = memmem(line, length, " error: ", 8) != NULL;
        const bool note = which == IN_MACROS && memmem(line, length, " note: ", 7) != NULL;
        const char *at = error || note ? memmem(line, length, name, strlen(name)) : NULL;
        int number;
        wrong = error ? which != UNKNOWN_NAMES || memmem(line, length, "not declared", 12) != NULL : wrong && note;
        if (!wrong || at == NULL || sscanf(at + strlen(name), ":%d:", &number) != 1)
            continue;
        const bool constant = memmem(line, length, "read-only", 9) != NULL || memmem(line, length, "lvalue", 6) != NULL;
        dropped |= mutants_drop(all, number, constant, whole);
        wrong = false;
    }
    return dropped;
}

bool mutants_build(struct mutants *all, const char *source, char *commands)
{
    static char said[1 << 20];
    struct error error;

    for (int i = 0; i < MOST_BUILDS && !interrupted(); i++) {
        char *text = mutants_write(all);
        const bool written = text != NULL && text_write(source, text, &error);
        free(text);
        if (!written)
            return false;
        if (build_again(source, commands, said, sizeof said))
            return true;
        bool dropped = false;
        for (enum errors which = UNKNOWN_NAMES; !dropped && which <= IN_MACROS; which++)
            dropped = drop_wrong(all, said, source, which, i >= SOME_BUILDS);
        if (!dropped)
            return false;
    }
    return false;
}
