#define _GNU_SOURCE
#include "workshop/lab/late.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/worker/confine.h"
#include "workshop/lab/case.h"
#include "workshop/lab/own_lines.h"
#include "workshop/lab/text.h"

/* Returns whether the program reads memory that changes meanwhile: volatile, and not that of asm. */
static bool reads_anew(const struct exercise *e)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), *code = text != NULL ? text_without_comments(text) : NULL;
    bool found = false;

    for (const char *at = code; at != NULL && (at = strstr(at, "volatile")) != NULL; at++)
        found = found || at < code + 4 || strncmp(at - 4, "asm ", 4) != 0;
    free(code);
    free(text);
    return found;
}

/* The last late read: its line (0: nothing was late), and whether the place was read again. */
struct late {
    int line;
    bool again;
};

static struct late read_late(const struct exercise *e, const char *path)
{
    char text[400] = "", more[8];
    FILE *f = fopen(path, "r");
    struct late l = {0, false};

    if (f == NULL)
        return l;
    if (fgets(text, sizeof text, f) != NULL)
        l.line = own_lines_first(e, text_trim(text));
    l.again = fgets(more, sizeof more, f) != NULL;
    fclose(f);
    return l;
}

/* Sets what is wrong at this size if writes are late, and the last late read. */
static bool run_late(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct late *late,
                     struct error *error)
{
    char folder[] = "/tmp/rungs-lab-XXXXXX", path[64]; /* the program may write in this folder only */
    struct worker w = {0};
    struct trial ignored = {0};

    *late = (struct late){0, false};
    if (mkdtemp(folder) == NULL)
        return true;
    snprintf(path, sizeof path, "%s/late", folder);
    confine_scratch(folder);
    setenv("RUNGS_SIM_LATE", path, 1);
    bool good = case_start(&w, program, e, IN_SIMULATOR, false, error);
    unsetenv("RUNGS_SIM_LATE");
    good = good && case_try(&w, e, size, &ignored, m, error);
    case_stop(&w);
    if (good)
        *late = read_late(e, path);
    unlink(path);
    rmdir(folder);
    return good;
}

bool late_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error)
{
    struct mistake found = {.kind = ""};
    struct late late;

    if (!reads_anew(e))
        return true;
    if (!run_late(e, program, size, &found, &late, error))
        return false;
    if (!mistaken(&found) || late.line == 0)
        return true;
    const bool endless = strcmp(found.kind, "endless") == 0;
    mistake_set(m, endless ? "endless" : "no-wait");
    mistake_add(m, "it is right if all that earlier blocks write is there at once. On a GPU blocks run at the same time: if another block has not "
                   "written yet when this line reads for the first time, it %s:", endless ? "does not end" : "is wrong");
    own_lines_quote(e, late.line, m);
    if (endless && !late.again)
        mistake_add(m, "what this line has read stays as it is: the place is not read again");
    else if (!endless)
        mistake_add(m, "what it reads then is what was there before the launch, and the program goes on with it");
    for (int i = 0; i < found.facts; i++)
        if (endless ? i > 0 : strstr(found.fact[i], " wrong, the first ") != NULL)
            mistake_add(m, "%s", found.fact[i]);
    return true;
}
