/*
 * rungs lab dev check --gpu: the checks that need a GPU.  The simulator has no clock, so only here
 * can be seen whether a goal for speed can be reached, and whether the starter misses it.
 */
#include <stdio.h>
#include <string.h>

#include "workshop/lab/dev.h"
#include "workshop/lab/stars.h"
#include "workshop/lab/verdict.h"
#include "workshop/lab/version.h"

/* How far above the goal the solution must be: GPUs differ, and so do runs. */
static const double margin = 1.15;

static bool judge(const struct exercise *e, const char *symbol, struct lab_verdict *v,
                  struct error *error)
{
    char source[160], program[160];

    *v = (struct lab_verdict){0};
    version_source(e, symbol, source, sizeof source);
    build_program(source, ON_CARD, program, sizeof program);
    return verdict_judge(e, source, program, ON_CARD, v, error);
}

static void tell_times(const struct exercise *e, const char *name, const struct timed *t)
{
    printf("#   %02d %s: %.4g ms, %s %.4g ms, %s %.4g ms; %.3f times as fast, %.3f of ours\n",
           e->number, name, 1e3 * t->yours, e->base, 1e3 * t->base, e->ours, 1e3 * t->ours, t->ratio,
           t->ratio / t->ours_ratio);
}

static void check_solution(const struct exercise *e)
{
    struct lab_verdict v;
    struct error error;
    char why[400];

    if (!judge(e, "", &v, &error)) {
        dev_ok(false, e, "solution passes on the GPU", error.text);
        return;
    }
    snprintf(why, sizeof why, "%s%s%.280s, %zu of %zu sizes right", v.mistake.kind,
             v.mistake.facts > 0 ? ": " : "", v.mistake.facts > 0 ? v.mistake.fact[0] : "",
             v.trial.right, v.trial.sizes);
    if (!dev_ok(v.passed, e, "solution passes on the GPU", why) || e->timed.label == NULL)
        return;
    tell_times(e, "solution", &v.timed);
    if (!(e->share > 0.0))
        return;
    snprintf(why, sizeof why, "%.3g times as fast, and the goal is %.3g", v.timed.ratio,
             e->share * v.timed.ours_ratio);
    dev_ok(v.timed.ratio >= margin * e->share * v.timed.ours_ratio, e,
           "... wins the star for speed, with 15 % to spare", why);
}

/* A goal that the starter reaches already asks for nothing. */
static void check_starter(const struct exercise *e)
{
    struct lab_verdict v;
    struct error error;
    bool judged = judge(e, "STARTER", &v, &error);

    if (judged && v.timed.yours > 0.0)
        tell_times(e, "starter", &v.timed);
    dev_ok(judged && (v.stars & STAR_SPEED) == 0, e, "starter does not win the star for speed",
           judged ? "it is fast enough" : error.text);
}

/* Returns whether the kind of the version is that of a gate: right, but of the wrong structure. */
static bool is_ill_built(const struct exercise *e, const struct wrong *w)
{
    for (size_t i = 0; i < e->gates; i++)
        if (strcmp(e->gate[i].kind, w->kind) == 0)
            return true;
    return false;
}

static void tell_wrongs(const struct exercise *e, const char *const symbols[], size_t count)
{
    char source[160], program[160];
    struct timed t;
    struct error error;

    for (size_t i = 0; i < count && e->timed.label != NULL; i++) {
        version_source(e, symbols[i], source, sizeof source);
        build_program(source, ON_CARD, program, sizeof program);
        if (times_look(e, program, ON_CARD, &t, &error))
            tell_times(e, symbols[i], &t);
        else
            printf("#   %02d %s: %s\n", e->number, symbols[i], error.text);
    }
}

void dev_check_on_card(const struct exercise *e)
{
    static char names[MAX_NOTES][48];
    const char *symbols[MAX_NOTES + 2] = {"", "STARTER"};
    size_t count = 2;
    struct error error;

    for (size_t i = 0; i < e->wrongs && e->timed.label != NULL; i++)
        if (is_ill_built(e, &e->wrong[i])) {
            snprintf(names[i], sizeof names[i], "WRONG_%s", e->wrong[i].name);
            symbols[count++] = names[i];
        }
    if (!version_build(e, symbols, count, ON_CARD, &error)) {
        dev_ok(false, e, "is built for the GPU", error.text);
        return;
    }
    check_solution(e);
    if (e->share > 0.0)
        check_starter(e);
    tell_wrongs(e, symbols + 2, count - 2);
}
