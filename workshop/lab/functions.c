#include "workshop/lab/functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/own_lines.h"
#include "workshop/lab/rerun.h"
#include "workshop/lab/text.h"
#include "workshop/lab/token.h"

/* The functions of a variant, in the order in which they are called. */
static const char *const functions[] = {"prepare", "upload", "reset", "run", "download", "release"};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* A launch or copy that uses the array, and the function that has queued it. */
struct use {
    bool there, kernel;
    size_t launch; /* its number among the launches; 0: it is none */
    int function;
};

struct order {
    int made; /* the line that makes the array */
    struct use read, write;
    bool ended; /* the whole call is in the file */
};

static int function_of(const char *name)
{
    int i = 0;

    while (i < FUNCTIONS && strcmp(functions[i], name) != 0)
        i++;
    return i;
}

static void read_order(const char *path, void *data)
{
    struct order *o = data;
    char line[400], what[16], does[16], place[200], phase[16];
    FILE *f = fopen(path, "r");
    size_t number, array, launches = 0, last = 0;

    while (f != NULL && fgets(line, sizeof line, f) != NULL && !o->write.there) {
        if (sscanf(line, "phase %15s", phase) == 1) {
            if (o->ended && function_of(phase) <= function_of("upload")) /* another call */
                break;
            o->ended = o->ended || strcmp(phase, "download") == 0 || strcmp(phase, "release") == 0;
            continue;
        }
        if (sscanf(line, "%zu %15s %15s %199s %zu %15s", &number, what, does, place, &array, phase) != 6)
            continue;
        const bool kernel = strcmp(what, "kernel") == 0;
        launches += kernel && number != last;
        last = number;
        const char *colon = strrchr(place, ':');
        if (colon == NULL || atoi(colon + 1) != o->made)
            continue;
        const struct use use = {true, kernel, kernel ? launches : 0, function_of(phase)};
        if (strcmp(does, "writes") != 0 && !o->read.there)
            o->read = use;
        else if (strcmp(does, "writes") == 0)
            o->write = use;
    }
    if (f != NULL)
        fclose(f);
}

static const char *words_of(const struct use *u, char text[40])
{
    if (!u->kernel)
        return "a copy";
    snprintf(text, 40, "launch %zu", u->launch);
    return text;
}

static void tell(const struct order *o, const char *array, struct mistake *m)
{
    char text[2][40];
    const char *reads = words_of(&o->read, text[0]), *writes = words_of(&o->write, text[1]);
    const char *in = functions[o->read.function], *then = o->write.there ? functions[o->write.function] : "";

    if (o->write.there && o->write.function > o->read.function)
        mistake_add(m, "%s in %s reads %s, and only %s in %s writes into it: %s is called after %s", reads, in, array, writes, then, then, in);
    else if (o->write.there && o->write.kernel && o->write.launch == o->read.launch)
        mistake_add(m, "%s in %s reads %s before it writes there itself", reads, in, array);
    else if (o->write.there && o->write.function == o->read.function)
        mistake_add(m, "%s in %s reads %s, and only %s, which comes later in %s, writes into it", reads, in, array, writes, in);
    else if (!o->write.there && o->ended)
        mistake_add(m, "%s in %s reads %s, and in the whole call no copy and no launch writes into it", reads, in, array);
    m->named = m->named || o->write.there;
}

/* Returns the line that has made the array, as the facts say; 0: they do not. */
static int made_in(const struct mistake *m)
{
    for (int i = 0; i < m->facts; i++) {
        const char *made = strstr(m->fact[i], "(made in line ");
        if (made != NULL)
            return atoi(made + strlen("(made in line "));
    }
    return 0;
}

bool functions_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error)
{
    struct order o = {.made = made_in(m)};
    char array[48];
    bool nothing = false;

    for (int i = 0; i < m->facts; i++)
        nothing = nothing || strcmp(m->fact[i], "nothing in it was written") == 0;
    if (strcmp(m->kind, "unwritten-read") != 0 || !nothing || e->devices > 1 || !own_lines_array(e, o.made, array, sizeof array))
        return true;
    setenv("RUNGS_SIM_UNWRITTEN", "1", 1);
    const bool good = rerun_with(e, program, size, "RUNGS_SIM_USES", read_order, &o, error);
    unsetenv("RUNGS_SIM_UNWRITTEN");
    if (good && o.read.there && o.read.function < FUNCTIONS && o.write.function < FUNCTIONS)
        tell(&o, array, m);
    return good;
}

/* --- what the text shows ------------------------------------------------------------------------ */

/* Returns which function of a variant contains token i, by its name; FUNCTIONS: another one. */
static int function_around(const struct tokens *t, size_t i)
{
    for (size_t k = 2; k < i; k++) {
        const bool body = token_is(t, k, "{") && token_is(t, k - 1, ")") && t->list[k].match > i;
        const size_t name = body ? t->list[k - 1].match - 1 : 0;
        if (!body)
            continue;
        for (int f = 0; f < FUNCTIONS; f++)
            if (token_is(t, name, functions[f]))
                return f;
        return FUNCTIONS;
    }
    return FUNCTIONS;
}

/* Returns the function that uses the array of token i before `made`, the function that makes it, is called; FUNCTIONS: none does. */
static int used_before(const struct tokens *t, size_t i, int made)
{
    int first = FUNCTIONS;

    for (size_t k = 0; k < t->count; k++) {
        const int at = tokens_equal(t, k, i, 1) ? function_around(t, k) : FUNCTIONS;
        first = at < made && at < first ? at : first;
    }
    return first;
}

static void tell_made(const struct tokens *t, struct mistake *m)
{
    for (size_t i = 0; i + 3 < t->count; i++) {
        if (!token_is(t, i, "cudaMalloc") || !token_is(t, i + 1, "(") || !token_is(t, i + 2, "&"))
            continue;
        const int made = function_around(t, i), used = made < FUNCTIONS ? used_before(t, i + 3, made) : FUNCTIONS;
        if (used == FUNCTIONS)
            continue;
        mistake_add(m, "line %d, in %s, makes %.*s, and %s uses it: %s is called after %s", t->list[i].line, functions[made],
                    (int)(t->list[i + 3].end - t->list[i + 3].at), t->text + t->list[i + 3].at, functions[used], functions[made], functions[used]);
        m->named = true;
        return;
    }
}

static void tell_freed(const struct tokens *t, int line, struct mistake *m)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->list[i].line == line) {
            const int freed = function_around(t, i);
            if (freed < FUNCTIONS && strcmp(functions[freed], "release") != 0)
                mistake_add(m, "line %d, in %s, has freed it: release alone is called at the end, when nothing uses it any more", line, functions[freed]);
            return;
        }
}

void functions_made(const struct exercise *e, const char *said, struct mistake *m)
{
    const char *freed = strstr(said, "was freed at "), *colon = freed != NULL ? strchr(freed, ':') : NULL;
    struct error ignored;
    struct tokens t;
    char *text = text_read(e->source, &ignored);

    if (text != NULL && tokens_read(&t, text)) {
        if (colon != NULL)
            tell_freed(&t, atoi(colon + 1), m);
        else
            tell_made(&t, m);
    }
    if (text != NULL)
        tokens_free(&t);
    free(text);
}
