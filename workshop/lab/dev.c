/*
 * rungs lab dev: for authors of exercises.
 *
 * check tests each master: the starter fails for the reason that the card names, the solution passes
 * with some room to each gate, and each wrong version gets the kind of mistake that the card names.
 * It prints TAP, so it is a test as it is.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "harness/base/interrupt.h"
#include "harness/commands/command.h"
#include "workshop/lab/dev.h"
#include "workshop/lab/explain.h"
#include "workshop/lab/lab.h"
#include "workshop/lab/show.h"
#include "workshop/lab/text.h"
#include "workshop/lab/typed.h"
#include "workshop/lab/version.h"

enum { VERSIONS = MAX_NOTES + MAX_RIGHTS + 2, LEAST_WRONGS = 5, MOST_SECONDS = 3 };

static int tests, failures;

bool dev_ok(bool good, const struct exercise *e, const char *name, const char *otherwise)
{
    printf("%sok %d - %02d %s\n", good ? "" : "not ", ++tests, e->number, name);
    if (!good)
        printf("#   %s\n", otherwise);
    failures += !good;
    fflush(stdout);
    return good;
}

/* --- versions as files ---------------------------------------------------------------------------- */

struct version {
    char symbol[48]; /* "STARTER", "WRONG_no_guard", "RIGHT_in_pairs", "" for the solution */
    const char *kind; /* of mistake that must be found; NULL: none */
    char source[160];
};

static size_t versions(const struct exercise *e, struct version list[])
{
    size_t n = 0;

    list[n++] = (struct version){.symbol = "STARTER", .kind = e->starter};
    list[n++] = (struct version){.symbol = ""};
    for (size_t i = 0; i < e->wrongs; i++) {
        list[n].kind = e->wrong[i].kind;
        snprintf(list[n++].symbol, sizeof list->symbol, "WRONG_%s", e->wrong[i].name);
    }
    for (size_t i = 0; i < e->rights; i++) {
        list[n].kind = NULL;
        snprintf(list[n++].symbol, sizeof list->symbol, "RIGHT_%s", e->right[i].name);
    }
    for (size_t i = 0; i < n; i++)
        version_source(e, list[i].symbol, list[i].source, sizeof list[i].source);
    return n;
}

/* Writes and builds all versions with one call of make, which keeps all cores busy.  A version that does not
   compile is found when it is judged. */
static bool build_all(const struct exercise *e, const struct version list[], size_t count,
                      struct error *error)
{
    static char said[1 << 16];
    const char *sources[VERSIONS];

    for (size_t i = 0; i < count; i++) {
        if (!version_write(e, list[i].symbol, error))
            return false;
        sources[i] = list[i].source;
    }
    build_sources(sources, count, IN_SIMULATOR, said, sizeof said);
    return true;
}

/* --- judging a version ---------------------------------------------------------------------------- */

static bool judge(const struct exercise *e, const struct version *version, struct lab_verdict *v,
                  char *why, size_t room)
{
    struct exercise here = *e;
    struct error error;

    snprintf(here.source, sizeof here.source, "%.95s", version->source);
    here.timed.label = NULL; /* no clock is read: the machine may be busy */
    here.share = 0.0;
    if (verdict_reach(&here, version->source, IN_SIMULATOR, v, &error))
        return true;
    snprintf(why, room, "%s", error.text);
    return false;
}

static void describe(const struct lab_verdict *v, char *text, size_t room)
{
    snprintf(text, room, "%s%s%s, %zu of %zu sizes right",
             mistaken(&v->mistake) ? v->mistake.kind : "no mistake",
             v->mistake.facts > 0 ? ": " : "", v->mistake.facts > 0 ? v->mistake.fact[0] : "",
             v->trial.right, v->trial.sizes);
}

/* Returns whether a gate is kept with room to spare.  Ratios need 10 %, because counts differ a little from compiler
   to compiler; whole numbers need none. */
static bool has_room(const struct gated *g)
{
    if (strstr(g->gate->metric, "_per_") == NULL || g->value == floor(g->value))
        return g->kept;
    return g->gate->at_most ? g->value <= g->gate->limit * 0.9 : g->value >= g->gate->limit * 1.1;
}

/* Returns the processor time of child processes: wall-clock time depends on what else runs. */
static double children_seconds(void)
{
    struct rusage r;

    getrusage(RUSAGE_CHILDREN, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* What learners are told about each wrong version, without digits: two versions that are told the same but for
   numbers count as the same. */
static struct diagnosis {
    char symbol[48];
    char text[1600];
} diagnoses[VERSIONS];
static size_t diagnosed;

static void tell(struct diagnosis *d, const char *text)
{
    size_t used = strlen(d->text);

    for (; *text != '\0' && used + 1 < sizeof d->text; text++)
        if (!isdigit((unsigned char)*text))
            d->text[used++] = *text;
    d->text[used] = '\0';
}

/* Notes what is told about a version, and prints it for the author. */
static void told(const struct exercise *e, const struct version *version,
                 const struct lab_verdict *v)
{
    const struct mistake *m = &v->mistake;
    struct diagnosis *d = &diagnoses[diagnosed++];
    const char *saying = exercise_saying(e, m);

    *d = (struct diagnosis){.text = ""};
    snprintf(d->symbol, sizeof d->symbol, "%.47s", version->symbol);
    tell(d, m->kind);
    tell(d, v->warning);
    for (int i = 0; i < m->facts; i++) {
        printf("#   %s\n", m->fact[i]);
        tell(d, m->fact[i]);
    }
    if (saying != NULL) {
        printf("#   %.*s ...\n", (int)strcspn(saying, "\n"), saying);
        tell(d, saying);
    }
}

static void check_diagnoses(const struct exercise *e)
{
    char why[160] = "";

    for (size_t i = 0; i < diagnosed; i++)
        for (size_t j = 0; j < i; j++)
            if (strncmp(diagnoses[i].symbol, "WRONG", 5) == 0 &&
                strncmp(diagnoses[j].symbol, "WRONG", 5) == 0 &&
                strcmp(diagnoses[i].text, diagnoses[j].text) == 0)
                snprintf(why, sizeof why, "%.47s and %.47s are told the same", diagnoses[j].symbol,
                         diagnoses[i].symbol);
    dev_ok(why[0] == '\0', e, "each wrong version has a diagnosis of its own", why);
    diagnosed = 0;
}

static void check_version(const struct exercise *e, const struct version *version)
{
    struct lab_verdict v;
    char name[160], why[512], got[512];

    snprintf(name, sizeof name, "%.47s%s%s", version->symbol[0] != '\0' ? version->symbol : "solution",
             version->kind != NULL ? ": " : " passes", version->kind != NULL ? version->kind : "");
    const double before = children_seconds();
    if (!judge(e, version, &v, why, sizeof why)) {
        dev_ok(false, e, name, why);
        return;
    }
    const double took = children_seconds() - before;
    describe(&v, got, sizeof got);
    snprintf(why, sizeof why, "got %.480s", got);
    if (version->kind != NULL) {
        dev_ok(!v.passed && strcmp(v.mistake.kind, version->kind) == 0, e, name, why);
        told(e, version, &v);
        return;
    }
    dev_ok(v.passed, e, name, why);
    for (size_t i = 0; version->symbol[0] == '\0' && i < v.gates; i++) {
        snprintf(name, sizeof name, "... with room to %s", gate_words(v.gated[i].gate->metric));
        snprintf(why, sizeof why, "%.4g, and the gate is %.4g", v.gated[i].value,
                 v.gated[i].gate->limit);
        dev_ok(has_room(&v.gated[i]), e, name, why);
    }
    snprintf(why, sizeof why, "%.1f s of processor time", took);
    dev_ok(took < MOST_SECONDS, e, "... within the time allowed", why);
}

static void check_blank(const struct exercise *e, const struct version *solution, const char *name,
                        const char *text)
{
    struct version blank = *solution;
    struct lab_verdict v = {.passed = true};
    struct error error;
    char why[256] = "it passed";

    snprintf(blank.source, sizeof blank.source, "build-sim/dev/BLANK/%s%s", e->full,
             e->cuda ? ".cu" : ".c");
    bool good = text_write(blank.source, text, &error) && judge(e, &blank, &v, why, sizeof why) &&
                !v.passed;
    dev_ok(good, e, name, why);
}

/* Judges the solution with // before every line. */
static void check_commented_out(const struct exercise *e, const struct version *solution)
{
    char *text = exercise_text(e, ""), *out = malloc(4 * strlen(e->code) + 16), *to = out;

    for (const char *line = text; text != NULL && out != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        to += sprintf(to, "// %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    check_blank(e, solution, "all of it commented out does not pass", out != NULL ? out : "");
    free(text);
    free(out);
}

/* --- what is in the card -------------------------------------------------------------------------- */

static bool has_page(const char *kind)
{
    static char words[128], page[8192];

    return explain_find(kind, words, sizeof words, page, sizeof page);
}

static void check_pages(const struct exercise *e)
{
    char why[160] = "";

    if (!has_page(e->starter))
        snprintf(why, sizeof why, "none on %s", e->starter);
    for (size_t i = 0; i < e->wrongs; i++)
        if (!has_page(e->wrong[i].kind))
            snprintf(why, sizeof why, "none on %s", e->wrong[i].kind);
    for (size_t i = 0; i < e->gates; i++)
        if (!has_page(e->gate[i].kind))
            snprintf(why, sizeof why, "none on %s", e->gate[i].kind);
    for (size_t i = 0; i < e->sayings; i++)
        if (!has_page(e->saying[i].kind))
            snprintf(why, sizeof why, "none on %s", e->saying[i].kind);
    dev_ok(why[0] == '\0', e, "workshop/explain.md has its pages", why);
}

/* Checks that no hint below the last contains a statement of the solution. */
static void check_hints(const struct exercise *e)
{
    char lines[4096], why[256] = "";

    exercise_gaps(e, lines, sizeof lines);
    for (char *line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const char *bare = text_trim(line);
        for (int level = 0; level < HINTS - 1; level++)
            if (strlen(bare) >= 12 && strchr(bare, ';') != NULL &&
                strstr(e->hint[level], bare) != NULL)
                snprintf(why, sizeof why, "hint %d has \"%.200s\"", level + 1, bare);
    }
    dev_ok(why[0] == '\0', e, "no hint below the last has a line of the solution", why);
}

static void check(const struct exercise *e)
{
    struct version list[VERSIONS];
    struct error error;
    char why[64];
    size_t count = versions(e, list);

    snprintf(why, sizeof why, "there are %zu", e->wrongs);
    dev_ok(e->wrongs >= LEAST_WRONGS, e, "has five wrong versions or more", why);
    check_pages(e);
    check_hints(e);
    if (!dev_ok(build_all(e, list, count, &error), e, "all versions are written", error.text))
        return;
    for (size_t i = 0; i < count && !interrupted(); i++)
        check_version(e, &list[i]);
    check_diagnoses(e);
    check_blank(e, &list[1], "an empty file does not pass", "");
    check_commented_out(e, &list[1]);
}

/* --- commands ------------------------------------------------------------------------------------- */

/* Is this exercise among the words after "check"?  No word: all are. */
static bool is_meant(const struct lab_call *c, const struct exercise *e)
{
    struct error error;

    for (size_t i = 1; i < c->count; i++)
        if (exercise_find(c->words[i], &error) == e)
            return true;
    return c->count <= 1;
}

static int check_all(const struct lab_call *c, struct error *error)
{
    const struct exercise *list;
    size_t count = exercises(&list);

    for (size_t i = 1; i < c->count; i++)
        if (exercise_find(c->words[i], error) == NULL)
            return usage_error(error);
    if (c->place == ON_CARD && !lab_has_card()) {
        printf("1..0 # skip there is no GPU here\n");
        return STATUS_OK;
    }
    if (!build_ready(c->place, error))
        return usage_error(error);
    for (size_t i = 0; i < count && !interrupted(); i++)
        if (is_meant(c, &list[i]))
            (c->place == ON_CARD ? dev_check_on_card : check)(&list[i]);
    printf("1..%d\n", tests);
    return failures > 0 ? STATUS_FAILED : STATUS_OK;
}

/* dev show 03 starter|solution|NAME */
static int show(const struct lab_call *c, struct error *error)
{
    const struct exercise *e = c->count > 1 ? exercise_find(c->words[1], error) : NULL;
    const char *version = c->count > 2 ? c->words[2] : "starter";
    char symbol[64];

    if (e == NULL && c->count > 1)
        return usage_error(error);
    if (e == NULL) {
        error_set(error, "dev show needs an exercise: %s dev show 03 starter", typed());
        return usage_error(error);
    }
    snprintf(symbol, sizeof symbol, "WRONG_%s", version);
    bool known = strcmp(version, "starter") == 0 || strcmp(version, "solution") == 0;
    for (size_t i = 0; i < e->wrongs; i++)
        known = known || strcmp(version, e->wrong[i].name) == 0;
    for (size_t i = 0; i < e->rights; i++)
        if (strcmp(version, e->right[i].name) == 0) {
            known = true;
            snprintf(symbol, sizeof symbol, "RIGHT_%s", version);
        }
    if (!known) {
        error_set(error, "%02d has no version %s", e->number, version);
        return usage_error(error);
    }
    char *text = exercise_text(e, strcmp(version, "starter") == 0    ? "STARTER"
                                  : strcmp(version, "solution") == 0 ? ""
                                                                      : symbol);
    if (text != NULL)
        fputs(text, stdout);
    free(text);
    return STATUS_OK;
}

/* Prints the instructor's key: solution, mistakes to expect, what to say. */
static int key(const struct lab_call *c, struct error *error)
{
    const struct exercise *list, *one = NULL;
    size_t count = exercises(&list);

    if (c->count > 1 && (one = exercise_find(c->words[1], error)) == NULL)
        return usage_error(error);
    for (size_t i = 0; i < count; i++) {
        const struct exercise *e = &list[i];
        if (one != NULL && one != e)
            continue;
        printf("# %02d %s (%d minutes): %s\n\n%s\n\n```c\n", e->number, e->title, e->minutes,
               e->concept, e->task);
        show_solution(e);
        printf("```\n\nMistakes to expect, and what to say:\n\n");
        for (size_t w = 0; w < e->wrongs; w++)
            printf("- %s: %s\n", show_kind(e->wrong[w].kind), e->wrong[w].text);
        if (e->discuss[0] != '\0')
            printf("\nTo discuss: %s\n", e->discuss);
        printf("\nExtra: %s\n\n", e->extra);
    }
    return STATUS_OK;
}

int lab_dev(const struct lab_call *c)
{
    struct error error = {.text = ""};

    if (c->count > 0 && strcmp(c->words[0], "check") == 0)
        return check_all(c, &error);
    if (c->count > 0 && strcmp(c->words[0], "show") == 0)
        return show(c, &error);
    if (c->count > 0 && strcmp(c->words[0], "key") == 0)
        return key(c, &error);
    error_set(&error, "%s dev takes check [NN ...] [--gpu], show NN VERSION, or key [NN]", typed());
    return usage_error(&error);
}
