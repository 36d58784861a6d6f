/* Prints a verdict. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "workshop/lab/colour.h"
#include "workshop/lab/show.h"
#include "workshop/lab/stars.h"
#include "workshop/lab/text.h"
#include "workshop/lab/typed.h"

static void cross(void)
{
    colour_on(RED);
    fputs("  x ", stdout);
    colour_off();
}

static void tick(void)
{
    colour_on(GREEN);
    fputs("  + ", stdout);
    colour_off();
}

static void show_gate(const struct gated *g)
{
    if (g->kept)
        tick();
    else
        cross();
    printf("%-32s ", gate_words(g->gate->metric));
    if (isnan(g->value))
        printf("none");
    else
        printf(g->value == floor(g->value) ? "%.0f" : "%.3g", g->value);
    printf("   (goal: %s %.6g)\n", g->gate->at_most ? "at most" : "at least", g->gate->limit);
}

static void show_figure(const struct figure *f, const struct figured *d)
{
    if (d->kept)
        tick();
    else
        cross();
    printf("%-32s ", f->name);
    if (isnan(d->value))
        printf("none");
    else
        printf(f->each > 0.0 ? "%.10g" : "%.3g", d->value);
    printf(f->each > 0.0 ? "   (goal: %.10g)\n" : "   (the lab: %.3g", d->ours);
    if (f->each == 0.0)
        printf("; goal: within a factor of %.3g)\n", f->factor);
}

/* Returns "the starter", "our solution", or a variant's name as it is. */
static const char *runner(const char *word)
{
    return strcmp(word, "starter") == 0    ? "the starter"
           : strcmp(word, "solution") == 0 ? "our solution"
                                           : word;
}

/* Where even our version is slower than the one without the idea, a learner who has done all right must be told why. */
static void show_no_gain(const struct exercise *e, const struct timed *t)
{
    const struct mistake none = {.kind = "no-gain"};
    const char *saying = exercise_saying(e, &none);

    if (t->ours_ratio < 0.95 && saying != NULL && t->ratio >= e->share * t->ours_ratio)
        text_print(stdout, saying, 6);
}

static void show_times(const struct exercise *e, const struct lab_verdict *v)
{
    const struct timed *t = &v->timed;

    if (!(t->yours > 0.0))
        return;
    if (v->fast)
        tick();
    else if (e->share > 0.0)
        cross();
    else
        fputs("    ", stdout);
    char line[400];
    size_t used = (size_t)snprintf(line, sizeof line, "time%s: yours %.3g ms", !e->cuda ? "" : t->resident ? " without copies" : " with copies",
                                   1e3 * t->yours);
    if (strcmp(e->ours, e->base) != 0)
        used += (size_t)snprintf(line + used, sizeof line - used, ", %s %.3g ms", runner(e->ours), 1e3 * t->ours);
    snprintf(line + used, sizeof line - used, ", %s %.3g ms", runner(e->base), 1e3 * t->base);
    text_print_hanging(stdout, line, 4);
    used = (size_t)snprintf(line, sizeof line, "yours is %.2f times as fast as %s", t->ratio, runner(e->base));
    if (e->share > 0.0)
        snprintf(line + used, sizeof line - used, "   (goal: at least %.2f, %.0f %% of %s)", e->share * t->ours_ratio,
                 100.0 * e->share, runner(e->ours));
    text_print(stdout, line, 6);
    if (!v->fast)
        text_print(stdout, e->slow, 6);
    show_no_gain(e, t);
}

/* Shows the first lines of what the program has printed. */
static void show_printed(const struct mistake *m)
{
    enum { MOST_LINES = 6 };
    const char *line = m->printed;

    if (*line == '\0')
        return;
    printf("      it printed, in that call:\n");
    for (int i = 0; i < MOST_LINES && *line != '\0'; i++) {
        size_t length = strcspn(line, "\n");
        printf("      | ");
        for (size_t c = 0; c < length && c < 80; c++) /* what it printed may be anything */
            putchar((unsigned char)line[c] < ' ' || line[c] == 0x7f ? '?' : line[c]);
        putchar('\n');
        line += length + (line[length] == '\n');
    }
    if (*line != '\0')
        printf("      | ...\n");
}

void show_facts(const struct mistake *m, int count)
{
    for (int i = 0; i < m->facts && i < count; i++)
        text_print(stdout, m->fact[i], 6);
}

static void show_mistake(const struct exercise *e, const struct lab_verdict *v)
{
    const struct mistake *m = &v->mistake;
    const char *saying = exercise_saying(e, m);

    show_facts(m, m->facts);
    show_printed(m);
    printf("  kind  ");
    colour_on(RED);
    printf("%s", show_kind(m->kind));
    colour_off();
    const int taken = (int)(strlen("  kind    ( explain )") + strlen(show_kind(m->kind)) + strlen(typed()) + strlen(m->kind));
    printf("%s(%s explain %s)\n", taken > text_width(stdout) ? "\n        " : "  ", typed(), m->kind);
    if (saying != NULL)
        text_print(stdout, saying, 8);
}

/* Tells whether the questions are answered right, of those that are, and why if the exercise is passed: who has guessed
   learns it then.  A text that asks is for an answer that is wrong. */
static void show_answers(const struct exercise *e, const struct lab_verdict *v)
{
    const bool passed = !mistaken(&v->mistake);

    if (strcmp(v->mistake.kind, "not-answered") == 0 || strcmp(v->mistake.kind, "wrong-answer") == 0)
        return; /* that is told already */
    for (size_t i = 0; v->tried && i < e->answers; i++) {
        const enum answered how = v->answered[i];
        char line[600];
        const bool why = passed && strchr(e->answer[i].text, '?') == NULL;
        if (how == NOT_ANSWERED)
            continue;
        if (how == ANSWERED_RIGHT)
            snprintf(line, sizeof line, "answer %s: %s is right%s%s", e->answer[i].name, v->given[i], why ? ". " : "", why ? e->answer[i].text : "");
        else if (how == ANSWERED_NEAR)
            snprintf(line, sizeof line, "answer %s: %s is near enough to %s. %s", e->answer[i].name, v->given[i],
                     e->answer[i].want, e->answer[i].text);
        else
            snprintf(line, sizeof line, "answer %s: %s is not right yet. %s", e->answer[i].name, v->given[i],
                     e->answer[i].text);
        printf("  ");
        text_print_hanging(stdout, line, 4);
    }
}

/* Prints all stars so far, those of this run if they are fewer, and how to win those that are missing. */
static void show_won(const struct exercise *e, const struct lab_verdict *v, enum place place,
                     unsigned won)
{
    char words[STARS_WORDS], missing[300];

    printf("  ");
    show_stars(won, stars_of(e));
    colour_on(GREEN);
    printf(" passed");
    colour_off();
    stars_write(v->stars, words);
    if (v->stars != (won & stars_of(e)))
        printf("; this run alone: %s", words);
    else
        printf(": %s", words);
    putchar('\n');
    stars_missing(e, place, won, missing, sizeof missing);
    text_print_lines(stdout, missing, 6);
}

static void show_right(const struct lab_verdict *v)
{
    char orders[48] = "", text[160];

    if (v->trial.orders > 1)
        snprintf(orders, sizeof orders, " and in %d orders of threads", v->trial.orders);
    snprintf(text, sizeof text,
             "right at all %zu sizes%s; no access outside of the arrays, nothing left behind",
             v->trial.sizes, orders);
    tick();
    text_print_hanging(stdout, text, 4);
}

void show_verdict(const struct exercise *e, const struct lab_verdict *v, enum place place,
                  unsigned won)
{
    show_head(e, !e->cuda           ? "on the processor"
                 : place == ON_CARD ? "on the GPU"
                                    : "in the simulator");
    if (v->warning[0] != '\0') {
        printf("  compiler: ");
        text_print_hanging(stdout, v->warning, 12);
    }
    if (!v->tried) {
        cross();
        printf("%s\n", v->compiled ? "not run" : "not judged: it is not a program yet");
    } else if (v->trial.right == v->trial.sizes && mistaken(&v->trial.mistake)) {
        cross();
        printf("right at all %zu sizes, but not always; at %s%s:\n", v->trial.sizes,
               exercise_axis(e, v->trial.failed_at), v->trial.failed_at);
    } else if (v->trial.right < v->trial.sizes) {
        cross();
        printf("%zu of %zu sizes right; at %s%s:\n", v->trial.right, v->trial.sizes,
               exercise_axis(e, v->trial.failed_at), v->trial.failed_at);
    } else {
        show_right(v);
    }
    for (size_t i = 0; i < v->gates; i++)
        show_gate(&v->gated[i]);
    for (size_t i = 0; v->compared && i < e->figures; i++)
        show_figure(&e->figure[i], &v->figured[i]);
    show_times(e, v);
    if (!mistaken(&v->mistake)) {
        show_answers(e, v);
        show_won(e, v, place, won);
        return;
    }
    show_mistake(e, v);
    show_answers(e, v);
    if (v->tried && v->gates == 0 && e->gates > 0)
        printf("  the structure is judged once %s\n",
               e->answers_first && v->trial.right == v->trial.sizes ? "the questions are answered" : "the result is right");
    if (won == 0)
        return;
    char words[STARS_WORDS];
    stars_write(won & stars_of(e), words);
    printf("  your stars so far: ");
    show_stars(won, stars_of(e));
    printf(" (%s; stars are never lost)\n", words);
}
