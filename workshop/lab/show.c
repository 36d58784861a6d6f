#include "workshop/lab/show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/registry.h"
#include "workshop/lab/explain.h"
#include "workshop/lab/stars.h"
#include "workshop/lab/text.h"

static bool coloured;

void show_begin(void)
{
    const char *no = getenv("NO_COLOR");

    coloured = isatty(STDOUT_FILENO) && (no == NULL || no[0] == '\0');
}

enum colour { RED = 31, GREEN = 32, YELLOW = 33, BOLD = 1, FAINT = 2 };

static void on(enum colour c)
{
    if (coloured)
        printf("\033[%dm", (int)c);
}

static void off(void)
{
    if (coloured)
        fputs("\033[0m", stdout);
}

static void stars(unsigned won, unsigned possible)
{
    char text[STARS + 1];

    stars_draw(won, possible, text);
    on(YELLOW);
    fputs(text, stdout);
    off();
}

static void head(const struct exercise *e, const char *where)
{
    on(BOLD);
    printf("%02d %s", e->number, e->title);
    off();
    printf("   %s%s%s\n", problem_name(e->problem), where[0] != '\0' ? ", " : "", where);
}

/* --- the exercise ------------------------------------------------------------------------------- */

static void labelled(const char *label, const char *text)
{
    if (text[0] == '\0')
        return;
    printf("  %-9s", label);
    text_print_hanging(stdout, text, 11);
}

void show_story(const struct exercise *e)
{
    head(e, e->concept);
    printf("  %d minutes, in %s\n\n", e->minutes, e->source);
    text_print(stdout, e->story, 2);
    putchar('\n');
    text_print(stdout, e->task, 2);
    putchar('\n');
    labelled("now", e->now);
    labelled("goal", e->goal);
    labelled("why", e->why);
}

void show_list(void)
{
    const struct exercise *list;
    size_t count = exercises(&list);
    int done = 0, minutes = 0, left = 0;

    for (size_t i = 0; i < count; i++) {
        const struct learned *p = learned_of(&list[i]);
        const unsigned possible = stars_of(&list[i]);
        printf("%02d  ", list[i].number);
        stars(p->stars, possible);
        printf("%*s %-30s %-8s %3d min", STARS - __builtin_popcount(possible), "", list[i].title,
               problem_name(list[i].problem), list[i].minutes);
        if (p->passed > 0)
            printf("  passed%s", p->hints == HINTS ? ", with the solution" : "");
        else if (p->attempts > 0)
            printf("  %d tr%s, last: %s", p->attempts, p->attempts == 1 ? "y" : "ies", p->kind);
        putchar('\n');
        done += p->passed > 0;
        minutes += list[i].minutes;
        left += p->passed > 0 ? 0 : list[i].minutes;
    }
    printf("stars, in this order: right, its structure, its speed; * won, . to be won\n");
    printf("%d of %zu passed; about %d of %d minutes left\n", done, count, left, minutes);
}

/* --- the verdict ---------------------------------------------------------------------------------- */

const char *show_kind(const char *kind)
{
    static char words[128], page[8192];

    return explain_find(kind, words, sizeof words, page, sizeof page) ? words : kind;
}

bool show_explain(const char *kind)
{
    static char words[128], page[8192];

    if (!explain_find(kind, words, sizeof words, page, sizeof page))
        return false;
    on(BOLD);
    printf("%s", words);
    off();
    printf("   (%s)\n\n", kind);
    text_print(stdout, page, 2);
    return true;
}

static void cross(void)
{
    on(RED);
    fputs("  x ", stdout);
    off();
}

static void tick(void)
{
    on(GREEN);
    fputs("  + ", stdout);
    off();
}

static void show_gate(const struct gated *g)
{
    if (g->kept)
        tick();
    else
        cross();
    printf("%-32s ", gate_words(g->gate->metric));
    if (isnan(g->value))
        printf("there were none");
    else
        printf(g->value == floor(g->value) ? "%.0f" : "%.3g", g->value);
    printf("   (goal: %s %.6g)\n", g->gate->at_most ? "at most" : "at least", g->gate->limit);
}

/* A rung's name as it stands, or "the starter", "our solution". */
static const char *runner(const char *word)
{
    return strcmp(word, "starter") == 0    ? "the starter"
           : strcmp(word, "solution") == 0 ? "our solution"
                                           : word;
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
    printf("time: yours %.3g ms", 1e3 * t->yours);
    if (strcmp(e->ours, e->base) != 0)
        printf(", %s %.3g ms", runner(e->ours), 1e3 * t->ours);
    printf(", %s %.3g ms\n", runner(e->base), 1e3 * t->base);
    printf("      yours is %.2f times as fast as %s", t->ratio, runner(e->base));
    if (e->share > 0.0)
        printf("   (goal: at least %.2f, %.0f %% of %s)", e->share * t->ours_ratio, 100.0 * e->share,
               runner(e->ours));
    putchar('\n');
    if (!v->fast)
        text_print(stdout, e->slow, 6);
}

/* "n=" before a size that is a bare number. */
static const char *axis_before(const struct exercise *e, const char *label)
{
    static char text[32];

    snprintf(text, sizeof text, "%s=", e->problem->axes[0]);
    return label[strspn(label, "0123456789")] == '\0' ? text : "";
}

static void show_mistake(const struct exercise *e, const struct lab_verdict *v)
{
    const struct mistake *m = &v->mistake;
    const char *saying = exercise_saying(e, m);

    for (int i = 0; i < m->facts; i++)
        printf("      %s\n", m->fact[i]);
    printf("  kind  ");
    on(RED);
    printf("%s", show_kind(m->kind));
    off();
    printf("  (rungs lab explain %s)\n", m->kind);
    if (saying != NULL)
        text_print(stdout, saying, 8);
}

/* All that was ever won; what this run alone was worth, if that is less; what is missing, and how to
   get it. */
static void show_stars(const struct exercise *e, const struct lab_verdict *v, enum place place,
                       unsigned won)
{
    char words[STARS_WORDS], missing[300];

    printf("  ");
    stars(won, stars_of(e));
    on(GREEN);
    printf(" passed");
    off();
    stars_write(v->stars, words);
    if (v->stars != (won & stars_of(e)))
        printf("; this run alone: %s", words);
    putchar('\n');
    stars_missing(e, place, won, missing, sizeof missing);
    text_print_lines(stdout, missing, 6);
}

void show_verdict(const struct exercise *e, const struct lab_verdict *v, enum place place,
                  unsigned won)
{
    head(e, !e->cuda ? "on the processor"
            : place == ON_CARD ? "on the card"
                               : "in the simulator");
    if (v->warning[0] != '\0')
        printf("  mind: %s\n", v->warning);
    if (!v->tried) {
        cross();
        printf("%s\n", v->compiled ? "not tried" : "not judged: it is not a program yet");
    } else if (v->trial.right == v->trial.sizes && mistaken(&v->trial.mistake)) {
        cross();
        printf("right at all %zu sizes, but not always; at %s%s:\n", v->trial.sizes,
               axis_before(e, v->trial.failed_at), v->trial.failed_at);
    } else if (v->trial.right < v->trial.sizes) {
        cross();
        printf("%zu of %zu sizes right; at %s%s:\n", v->trial.right, v->trial.sizes,
               axis_before(e, v->trial.failed_at), v->trial.failed_at);
    } else {
        tick();
        printf("right at all %zu sizes", v->trial.sizes);
        if (v->trial.orders > 1)
            printf(" and in %d orders of threads", v->trial.orders);
        printf(", nothing beside the arrays, nothing left behind\n");
    }
    for (size_t i = 0; i < v->gates; i++)
        show_gate(&v->gated[i]);
    show_times(e, v);
    if (!mistaken(&v->mistake)) {
        show_stars(e, v, place, won);
        return;
    }
    show_mistake(e, v);
    if (v->tried && v->gates == 0 && e->gates > 0)
        printf("  the structure is judged once the answer is right\n");
    if (won == 0)
        return;
    printf("  what you have won before stays: ");
    stars(won, stars_of(e));
    putchar('\n');
}

/* --- hints ---------------------------------------------------------------------------------------- */

static const char *const level_names[HINTS] = {"a question", "the place", "the shape",
                                               "the solution's lines"};

void show_hint(const struct exercise *e, int level, const struct mistake *last)
{
    char lines[1600];

    printf("hint %d of %d: %s\n", level, HINTS, level_names[level - 1]);
    for (int i = 0; level == 2 && i < last->facts; i++)
        printf("      %s\n", last->fact[i]);
    if (level < HINTS - 1) {
        text_print(stdout, e->hint[level - 1], 2);
        return;
    }
    if (level == HINTS - 1) { /* its lines are steps */
        text_print_lines(stdout, e->hint[level - 1], 2);
        return;
    }
    exercise_gaps(e, lines, sizeof lines);
    fputs(lines, stdout);
}

void show_solution(const struct exercise *e)
{
    char *text = exercise_text(e, "");

    if (text != NULL)
        fputs(text, stdout);
    free(text);
}
