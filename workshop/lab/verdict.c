#define _GNU_SOURCE
#include "workshop/lab/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "workshop/lab/answers.h"
#include "workshop/lab/counted.h"
#include "workshop/lab/exchange.h"
#include "workshop/lab/in_place.h"
#include "workshop/lab/lanes.h"
#include "workshop/lab/one_place.h"
#include "workshop/lab/own_lines.h"
#include "workshop/lab/shares.h"
#include "workshop/lab/squared.h"
#include "workshop/lab/stars.h"
#include "workshop/lab/sums.h"
#include "workshop/lab/team.h"
#include "workshop/lab/tested.h"
#include "workshop/lab/text.h"
#include "workshop/lab/touched.h"
#include "workshop/lab/unread.h"
#include "workshop/lab/wording.h"

static void no_variant(struct lab_verdict *v)
{
    mistake_set(&v->mistake, "empty");
    mistake_add(&v->mistake, "the file has no VARIANT(...) outside of comments");
}

/* Returns whether the text has one of these words, which commas separate. */
static bool has_one_of(const char *text, const char *others)
{
    char word[64];

    for (size_t length; *others != '\0'; others += length + strspn(others + length, ", ")) {
        length = strcspn(others, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, others);
        if (strstr(text, word) != NULL)
            return true;
    }
    return false;
}

/* Returns whether a clue holds: "fewer than 2 __syncthreads", "without __shared__", "alone omp single", or words that the text has. */
static bool clue_holds(const char *words, const char *text)
{
    int least, used = 0, count = 0;

    if (strncmp(words, "without ", 8) == 0)
        return strstr(text, words + 8) == NULL;
    if (strncmp(words, "alone ", 6) == 0)
        return strstr(text, words + 6) != NULL;
    if (sscanf(words, "fewer than %d %n", &least, &used) < 1 || used == 0)
        return strstr(text, words) != NULL;
    for (const char *at = text; (at = strstr(at, words + used)) != NULL; at++)
        count++;
    return count < least;
}

/* Returns whether results are wrong, so that something that is missing in the text may be why. */
static bool is_wrong_result(const struct mistake *m)
{
    return m->explains > 0 || strcmp(m->kind, "wrong-values") == 0 || strcmp(m->kind, "not-a-number") == 0 ||
           strcmp(m->kind, "not-repeatable") == 0 || strcmp(m->kind, "all-zero") == 0 ||
           strcmp(m->kind, "none-kept") == 0 || strcmp(m->kind, "part-missing") == 0 ||
           strcmp(m->kind, "race") == 0 || strcmp(m->kind, "endless") == 0;
}

/* Puts the clue before the facts that were found. */
static void explain_by_clue(const struct clue *c, struct mistake *m)
{
    const struct mistake found = *m;

    mistake_set(m, c->kind);
    mistake_add(m, "%s", c->text);
    for (int i = 0; i < found.facts; i++)
        mistake_add(m, "%s", found.fact[i]);
}

/* Adds to a mistake what the text shows about it.  Only "alone WORDS" sets one where no other was found.  Returns whether it has set one of
   a program that is right. */
static bool follow_clues(const struct exercise *e, const char *text, struct mistake *m)
{
    for (size_t i = 0; i < e->clues; i++) {
        const struct clue *c = &e->clue[i];
        const bool without = strncmp(c->words, "without ", 8) == 0;
        const bool only_adds = strncmp(c->words, "alone ", 6) != 0;
        const bool other = mistaken(m) && strcmp(m->kind, c->kind) != 0;
        if (without ? !is_wrong_result(m) && strcmp(m->kind, c->kind) != 0 : other || (only_adds && !mistaken(m)))
            continue; /* alone, what is missing is no mistake */
        if (!clue_holds(c->words, text) || has_one_of(text, c->others))
            continue;
        const bool right = !mistaken(m);
        if (without)
            explain_by_clue(c, m);
        else if (right)
            mistake_set(m, c->kind);
        if (!without)
            mistake_add(m, "%s", c->text);
        return right;
    }
    return false;
}

/* The program is wrong, and the compiler warns of what is a mistake in any program: that is the mistake. */
static void look_for_warning(char *warning, struct mistake *m)
{
    static const struct {
        const char *words, *kind, *text; /* no kind: that which was found */
    } known[] = {
        {"is used uninitialized", "uninitialized", "a variable is used here before it has a value"},
        {"clause does not guard", NULL, "what stands below does not belong to this loop or condition: a semicolon ends it, or brackets { } are missing"},
        {"shift count >= width of type", "out-of-range", "the shift moves all bits out of a number of this type"},
        {"in ‘>= 0’ is always true", NULL, "a number without a sign is never below 0, so this condition is always true, and the loop does not end"},
    };
    const struct mistake found = *m;
    size_t i = 0;

    while (i < sizeof known / sizeof *known && strstr(warning, known[i].words) == NULL)
        i++;
    if (!mistaken(m) || i == sizeof known / sizeof *known || strchr(warning, ':') == NULL)
        return;
    mistake_set(m, known[i].kind != NULL ? known[i].kind : found.kind);
    mistake_add(m, "line %d: %s. The compiler says so:", atoi(strchr(warning, ':') + 1), known[i].text);
    mistake_add(m, "%s", warning);
    for (int k = 0; k < found.facts; k++)
        mistake_add(m, "%s", found.fact[k]);
    warning[0] = '\0';
}

/* Sets the mistake if the compiler warns that a CUDA call's error code is ignored. */
static void look_for_unchecked(char *warning, struct mistake *m)
{
    if (strstr(warning, "-Wunused-result") == NULL)
        return;
    mistake_set(m, "unchecked");
    mistake_add(m, "line %d: the error code of this call is not checked; put CUDA(...) around the call",
                atoi(strchr(warning, ':') + 1));
    warning[0] = '\0'; /* it need not be shown twice */
}

/* Adds what the host does that spoils this gate, once.  Returns false if that is not known. */
static bool add_host_reason(const struct exercise *e, const struct gated *g, struct mistake *m)
{
    const char *times = g->there == 1.0 ? "once" : "again and again";
    char text[240];

    switch (g->reason) {
    case HOST_WAITS:
        snprintf(text, sizeof text, "line %d: the host waits there %s (%.0f), and queues more only then; without that wait it could overlap",
                 g->line, times, g->there);
        break;
    case HOST_TOUCHES:
        snprintf(text, sizeof text, "line %d: the host touches pages there that are on the GPU (%.0f times), so they move", g->line, g->there);
        break;
    case DEFAULT_STREAM:
        snprintf(text, sizeof text, "line %d: what is queued there (%.0f times) is in the default stream, because the line names no other one. "
                 "That stream waits for all others, and they for it", g->line, g->there);
        break;
    case ONE_STREAM:
        snprintf(text, sizeof text, "all copies and kernels of a GPU are in one stream; within a stream, one thing comes after the other");
        break;
    default: return false;
    }
    for (int i = 0; i < m->facts; i++)
        if (strcmp(m->fact[i], text) == 0)
            return true;
    mistake_add(m, "%s", text);
    if (g->line > 0)
        own_lines_quote(e, g->line, m);
    if (g->elsewhere > 0.0)
        mistake_add(m, "that line copies for memory of another GPU than the one that is set (%.0f times), and waits for the one that is set", g->elsewhere);
    return true;
}

static bool judge_gates(const struct exercise *e, const char *program, struct lab_verdict *v,
                        struct error *error)
{
    struct mistake m = {.kind = ""};
    const char *worst = NULL; /* of the gate that is not kept, and not by the host */

    v->gates_kept = true;
    if (e->counted.label == NULL)
        return true;
    if (!gates_look(e, program, v->gated, &m, error))
        return false;
    if (mistaken(&m)) { /* one that shows only with counters */
        v->mistake = m;
        v->gates_kept = false;
        return true;
    }
    v->gates = e->gates;
    for (size_t i = 0; i < e->gates; i++) {
        const struct gated *g = &v->gated[i];
        if (g->kept || (!v->gates_kept && strcmp(v->mistake.kind, g->gate->kind) != 0))
            continue;
        if (v->gates_kept)
            mistake_set(&v->mistake, g->gate->kind);
        v->gates_kept = false;
        if (add_host_reason(e, g, &v->mistake))
            continue;
        mistake_add(&v->mistake, "%s", g->gate->text);
        if (g->line > 0) {
            mistake_add(&v->mistake, "of the %.10g %s, line %d has most: %.10g", g->value, gate_words(g->gate->metric), g->line,
                        g->there);
            own_lines_quote(e, g->line, &v->mistake);
        }
        counted_gate(e, g, &v->mistake);
        if (worst == NULL)
            worst = g->gate->metric;
    }
    return worst == NULL || (lanes_look(e, program, worst, &v->mistake, error) && unread_words(e, program, &v->mistake, error) &&
                             shares_given(e, program, &v->mistake, error));
}

static bool judge_time(const struct exercise *e, const char *program, enum place place,
                       struct lab_verdict *v, struct error *error)
{
    if (!times_look(e, program, place, &v->timed, error))
        return false;
    v->fast = e->share > 0.0 && v->timed.ratio >= e->share * v->timed.ours_ratio;
    return true;
}

/* Printing is useful to find a mistake, so it is the last one that is told. */
static void look_for_prints(const struct exercise *e, const struct trial *t, struct mistake *m)
{
    if (t->printed[0] == '\0' || e->figures > 0)
        return;
    mistake_set(m, "prints");
    mistake_add(m, "the result is right, but the program prints");
    memcpy(m->printed, t->printed, sizeof m->printed);
}

/* Notes how the questions are answered, for a learner who answers them before the program is right. */
static void look_at_answers(const struct exercise *e, const char *text, struct lab_verdict *v)
{
    for (size_t i = 0; i < e->answers; i++)
        v->answered[i] = answers_look(&e->answer[i], text, v->given[i], sizeof v->given[i]);
}

/* Gives those stars that this run has won, of those that can be won at this place. */
static void give_stars(const struct exercise *e, struct lab_verdict *v, enum place place)
{
    const unsigned here = stars_at(e, place);
    bool right = v->tried && v->trial.right == v->trial.sizes && v->trial.sizes > 0 &&
                 !mistaken(&v->trial.mistake);

    if (!right || (mistaken(&v->mistake) && v->gates == 0))
        return;
    v->stars = (STAR_RIGHT | (v->gates_kept ? STAR_STRUCTURE : 0) | (v->fast ? STAR_SPEED : 0)) & here;
    v->passed = !mistaken(&v->mistake);
}

bool verdict_judge(const struct exercise *e, const char *source, const char *program,
                   enum place place, struct lab_verdict *v, struct error *error)
{
    char *text = text_read(source, error), *code = text != NULL ? text_without_comments(text) : NULL;
    bool good = code != NULL;

    v->compiled = true;
    good = good && trial_run(e, program, place, &v->trial, error);
    v->tried = good;
    if (good && mistaken(&v->trial.mistake))
        v->mistake = v->trial.mistake;
    if (good && !e->cuda && (!mistaken(&v->mistake) || is_wrong_result(&v->mistake) || strcmp(v->mistake.kind, "out-of-bounds") == 0))
        team_look(code, &v->mistake);
    if (good && v->mistake.facts > 0 && strstr(v->mistake.fact[0], "numbers of OWN are not in the sum") != NULL)
        sums_set(e, "number_of(", &v->mistake);
    if (good && v->mistake.facts > 0 && strstr(v->mistake.fact[0], "it was made of another column") != NULL)
        good = lanes_look_apart(e, program, &v->mistake, error);
    if (good && e->cuda && place == IN_SIMULATOR)
        good = counted_readings(e, program, &v->mistake, error);
    if (good && !mistaken(&v->mistake) && e->answers_first)
        answers_check(e, text, &v->mistake);
    if (good && !mistaken(&v->mistake) && (place == IN_SIMULATOR || !e->cuda))
        good = judge_gates(e, program, v, error);
    if (good && !mistaken(&v->mistake) && !e->cuda && v->gates > 0) {
        touched_repeated(e, &v->mistake);
        v->gates_kept = !mistaken(&v->mistake);
    }
    if (good && !mistaken(&v->mistake) && e->figures > 0) {
        good = figures_look(e, program, v->figured, &v->mistake, error);
        v->compared = good;
    }
    if (good && !e->cuda && strcmp(v->mistake.kind, "one-thread") == 0)
        team_look_idle(code, &v->mistake);
    if (good && follow_clues(e, code, &v->mistake))
        v->gates_kept = false;
    if (good && mistaken(&v->trial.mistake)) {
        exchange_look(code, &v->mistake);
        wording_look(code, &v->mistake);
    }
    if (good && mistaken(&v->trial.mistake))
        one_place_look(e, code, &v->mistake);
    if (good && mistaken(&v->trial.mistake))
        in_place_look(code, &v->mistake);
    if (good && mistaken(&v->trial.mistake))
        tested_look(code, &v->mistake);
    if (good && mistaken(&v->trial.mistake))
        squared_look(code, &v->mistake);
    if (good && mistaken(&v->trial.mistake))
        look_for_warning(v->warning, &v->mistake);
    if (good && !mistaken(&v->mistake))
        look_for_unchecked(v->warning, &v->mistake);
    if (good && !mistaken(&v->mistake))
        look_for_prints(e, &v->trial, &v->mistake);
    if (good)
        look_at_answers(e, text, v);
    if (good && !mistaken(&v->mistake)) /* questions can wait until the program is right */
        answers_check(e, text, &v->mistake);
    free(code);
    free(text);
    if (good && !mistaken(&v->mistake) && e->timed.label != NULL && (place == ON_CARD || !e->cuda))
        good = judge_time(e, program, place, v, error);
    if (good)
        give_stars(e, v, place);
    return good;
}

bool verdict_reach(const struct exercise *e, const char *source, enum place place,
                   struct lab_verdict *v, struct error *error)
{
    static char said[16384];
    char program[160];
    const double start = clock_now();

    *v = (struct lab_verdict){0};
    char *text = text_read(source, error);
    if (text == NULL)
        return false;
    char *code = text_without_comments(text);
    const bool blank = code == NULL || strstr(code, "VARIANT") == NULL;
    free(code);
    free(text);
    if (blank) {
        no_variant(v);
        return true;
    }
    if (!build_ready(place, error))
        return false;
    bool built = build_sources(&source, 1, place, said, sizeof said);
    v->build_seconds = clock_now() - start;
    build_program(source, place, program, sizeof program);
    if (interrupted())
        return error_set(error, "interrupted");
    if (!built || access(program, X_OK) != 0) {
        build_mistake(said, source, &v->mistake);
        return true;
    }
    build_warning(said, source, v->warning, sizeof v->warning);
    bool good = verdict_judge(e, source, program, place, v, error);
    v->seconds = clock_now() - start;
    if (interrupted()) /* some sizes have not been tried */
        return error_set(error, "interrupted");
    return good;
}
