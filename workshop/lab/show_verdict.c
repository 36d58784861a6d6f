/* Prints a verdict. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "workshop/lab/colour.h"
#include "workshop/lab/show.h"
#include "workshop/lab/stars.h"
#include "workshop/lab/text.h"

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

/* Returns "the starter", "our solution", or a variant's name as it is. */
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
    printf("time%s: yours %.3g ms", !e->cuda ? "" : t->resident ? " without copies" : " with copies",
           1e3 * t->yours);
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

/* Returns "n=" for a size that is a bare number, else "". */
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
        text_print(stdout, m->fact[i], 6);
    printf("  kind  ");
    colour_on(RED);
    printf("%s", show_kind(m->kind));
    colour_off();
    printf("  (rungs lab explain %s)\n", m->kind);
    if (saying != NULL)
        text_print(stdout, saying, 8);
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
    if (v->warning[0] != '\0')
        printf("  compiler: %s\n", v->warning);
    if (!v->tried) {
        cross();
        printf("%s\n", v->compiled ? "not run" : "not judged: it is not a program yet");
    } else if (v->trial.right == v->trial.sizes && mistaken(&v->trial.mistake)) {
        cross();
        printf("right at all %zu sizes, but not always; at %s%s:\n", v->trial.sizes,
               axis_before(e, v->trial.failed_at), v->trial.failed_at);
    } else if (v->trial.right < v->trial.sizes) {
        cross();
        printf("%zu of %zu sizes right; at %s%s:\n", v->trial.right, v->trial.sizes,
               axis_before(e, v->trial.failed_at), v->trial.failed_at);
    } else {
        show_right(v);
    }
    for (size_t i = 0; i < v->gates; i++)
        show_gate(&v->gated[i]);
    show_times(e, v);
    if (!mistaken(&v->mistake)) {
        show_won(e, v, place, won);
        return;
    }
    show_mistake(e, v);
    if (v->tried && v->gates == 0 && e->gates > 0)
        printf("  the structure is judged once the result is right\n");
    if (won == 0)
        return;
    printf("  your stars so far: ");
    show_stars(won, stars_of(e));
    putchar('\n');
}
