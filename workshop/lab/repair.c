#define _GNU_SOURCE
#include "workshop/lab/repair.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "workshop/lab/case.h"
#include "workshop/lab/mutant.h"
#include "workshop/lab/text.h"

/* How many processor seconds the search takes at most; how many mutants are compiled at a time, and how often. */
enum { MOST_SECONDS = 8, BATCH = 200, MOST_BUILDS = 8 };

/* --- building --------------------------------------------------------------------------------------- */

/* Errors of the compiler.  Others may follow from the first ones, so those are dropped alone if there are some. */
enum errors { UNKNOWN_NAMES, IN_THE_SOURCE, IN_MACROS };

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* Drops the mutants that the compiler complains about.  Returns false if there are none.  An error in a macro has a note that
   names the source's line. */
static bool drop_wrong(struct mutants *all, const char *said, const char *source, enum errors which)
{
    const char *name = strrchr(source, '/') + 1;
    bool dropped = false, wrong = false;

    for (const char *line = said; *line != '\0'; line = next_line(line)) {
        const size_t length = strcspn(line, "\n");
        const bool error = memmem(line, length, " error: ", 8) != NULL;
        const bool note = which == IN_MACROS && memmem(line, length, " note: ", 7) != NULL;
        const char *at = error || note ? memmem(line, length, name, strlen(name)) : NULL;
        int number;
        wrong = error ? which != UNKNOWN_NAMES || memmem(line, length, "not declared", 12) != NULL : wrong && note;
        if (!wrong || at == NULL || sscanf(at + strlen(name), ":%d:", &number) != 1)
            continue;
        const bool constant = memmem(line, length, "read-only", 9) != NULL || memmem(line, length, "lvalue", 6) != NULL;
        dropped |= mutants_drop(all, number, constant);
        wrong = false;
    }
    return dropped;
}

/* Builds the program that has all mutants which compile. */
static bool build(struct mutants *all, const char *source, const char *program)
{
    static char said[1 << 20];
    struct error error;

    for (int i = 0; i < MOST_BUILDS && !interrupted(); i++) {
        char *text = mutants_write(all);
        const bool written = text != NULL && text_write(source, text, &error);
        free(text);
        if (!written)
            return false;
        if (build_sources(&source, 1, IN_SIMULATOR, said, sizeof said) && access(program, X_OK) == 0)
            return true;
        bool dropped = false;
        for (enum errors which = UNKNOWN_NAMES; !dropped && which <= IN_MACROS; which++)
            dropped = drop_wrong(all, said, source, which);
        if (!dropped)
            return false;
    }
    return false;
}

/* --- running ---------------------------------------------------------------------------------------- */

static const struct size *size_of(const struct exercise *e, const char *label)
{
    for (size_t i = 0; label != NULL && i < e->size_count; i++)
        if (strcmp(e->sizes[i].label, label) == 0)
            return &e->sizes[i];
    return e->counted.label != NULL ? &e->counted : &e->sizes[e->size_count - 1];
}

/* Returns the processor seconds of all processes that this one has started, and that have ended. */
static double spent(void)
{
    struct rusage used;

    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* A search: what is tried, and where. */
struct search {
    const struct exercise *e;
    char program[240];
    const struct size *first; /* at which the program is wrong */
    bool races;               /* it is wrong only by a race */
    struct worker worker;
    int numbers;              /* a file: which mutant runs, and where */
    double begun, spent;      /* the time then, and the processor seconds */
    struct stat saved;        /* the learner's file, which may be saved again meanwhile */
};

/* Returns whether this mutant is right where the program is wrong, and then at all sizes. */
static bool is_right(struct search *s, int number, const struct mutant *m)
{
    const struct exercise *e = s->e;
    const int numbers[] = {number, m->place[0], m->place[1]};

    if (pwrite(s->numbers, numbers, sizeof numbers, 0) != sizeof numbers)
        return false;
    bool right = case_is_right(&s->worker, s->program, e, s->races, s->first);
    for (size_t i = 0; right && i < e->size_count; i++)
        right = case_is_right(&s->worker, s->program, e, s->races, &e->sizes[i]);
    return right;
}

/* Returns whether the lab finds no mistake at all in this mutant's results. */
static bool is_mended(struct search *s, int number, const struct mutant *m)
{
    struct trial t;
    struct error error;

    if (!is_right(s, number, m))
        return false;
    case_stop(&s->worker);
    return trial_run(s->e, s->program, IN_SIMULATOR, &t, &error) && !mistaken(&t.mistake);
}

static bool is_saved_again(const struct search *s)
{
    struct stat now;

    return stat(s->e->source, &now) != 0 || now.st_ino != s->saved.st_ino || now.st_mtim.tv_sec != s->saved.st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != s->saved.st_mtim.tv_nsec;
}

static bool is_late(const struct search *s)
{
    return interrupted() || is_saved_again(s) || spent() > s->spent + MOST_SECONDS || clock_now() > s->begun + MOST_SECONDS * case_slowness();
}

/* Returns the first mutant from `first` to `end` - 1 that is right; NULL: there is none, or not in time. */
static const struct mutant *find(struct search *s, const struct mutant *list, size_t first, size_t end)
{
    const struct mutant *found = NULL;

    for (size_t i = first; i < end && found == NULL && !is_late(s); i++)
        if (!list[i].dead && is_mended(s, (int)i + 1, &list[i]))
            found = &list[i];
    case_stop(&s->worker);
    return found;
}

/* Builds and runs mutants, BATCH at a time, the likely ones first.  The simulator learns from a file which one runs. */
static const struct mutant *search(struct search *s, struct mutants *all, const char *source)
{
    const struct mutant *found = NULL;
    struct mutant *list;
    const size_t count = mutants_list(all, &list);
    char path[260];

    build_program(source, IN_SIMULATOR, s->program, sizeof s->program);
    snprintf(path, sizeof path, "%s.mutant", s->program);
    for (size_t first = 0; first < count && found == NULL && !is_late(s); first += BATCH) {
        const size_t end = first + BATCH < count ? first + BATCH : count;
        for (size_t i = 0; i < count; i++)
            list[i].out = i < first || i >= end;
        if (!build(all, source, s->program))
            continue;
        s->numbers = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (s->numbers < 0)
            break;
        setenv("RUNGS_SIM_MUTANT", path, 1);
        found = find(s, list, first, end);
        unsetenv("RUNGS_SIM_MUTANT");
        close(s->numbers);
    }
    return found;
}

/* --- telling ---------------------------------------------------------------------------------------- */

/* Puts the place before the facts that were found. */
static void tell(const struct mutant *found, const char *text, struct mistake *m)
{
    const struct mistake old = *m;

    for (int line = 1; line < found->line && *text != '\0'; line++)
        text += strcspn(text, "\n") + 1;
    m->facts = 0;
    mistake_add(m, "with one change in line %d all sizes are right: %s", found->line, found->words);
    mistake_add(m, "   %2d | %.*s", found->line, (int)strcspn(text, "\n"), text);
    for (int i = 0; i < old.facts; i++)
        mistake_add(m, "%s", old.fact[i]);
}

/* Returns whether the order of threads, or of launches and copies, may be the mistake. */
static bool is_order(const struct mistake *m)
{
    return strcmp(m->kind, "race") == 0 || strcmp(m->kind, "not-repeatable") == 0 || strcmp(m->kind, "no-order") == 0 ||
           strcmp(m->kind, "shared-unwritten") == 0;
}

/* Returns whether the program does what no exercise asks for, so that its results are of no interest. */
static bool is_foreign(const struct mistake *m)
{
    static const char *const kinds[] = {"exits", "closes-files", "prints", "memory", "not-run"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(m->kind, kinds[i]) == 0)
            return true;
    return strncmp(m->kind, "breach", 6) == 0;
}

/* Returns the line that the mistake quotes; 0: there is none. */
static int line_of(const struct mistake *m)
{
    int line, end;

    for (int i = 0; i < m->facts; i++)
        if (m->fact[i][0] == ' ' && sscanf(m->fact[i], " %d |%n", &line, &end) == 1)
            return line;
    return 0;
}

bool repair_look(const struct exercise *e, const char *source, enum place place, struct lab_verdict *v)
{
    struct error error;
    char there[200];

    if (place != IN_SIMULATOR || !v->tried || !mistaken(&v->trial.mistake) || is_foreign(&v->trial.mistake) || interrupted())
        return false;
    char *text = text_read(source, &error), *starter = exercise_text(e, "STARTER");
    const struct mistake *m = &v->trial.mistake;
    struct mutants *all = text != NULL && starter != NULL ? mutants_find(text, starter, is_order(m), line_of(m)) : NULL;

    bool is_found = false;
    snprintf(there, sizeof there, "build-sim/dev/mutants/%.150s", source);
    if (all != NULL) {
        struct search s = {.e = e, .first = size_of(e, v->trial.failed_at), .races = v->trial.right == v->trial.sizes,
                           .begun = clock_now(), .spent = spent()};
        const struct mutant *found = stat(source, &s.saved) == 0 ? search(&s, all, there) : NULL;
        is_found = found != NULL;
        if (is_found)
            tell(found, text, &v->mistake);
    }
    mutants_free(all);
    free(starter);
    free(text);
    return is_found;
}
