#include "workshop/lab/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/registry.h"
#include "workshop/lab/colour.h"
#include "workshop/lab/explain.h"
#include "workshop/lab/stars.h"
#include "workshop/lab/text.h"

void show_stars(unsigned won, unsigned possible)
{
    char text[STARS + 1];

    stars_draw(won, possible, text);
    colour_on(YELLOW);
    fputs(text, stdout);
    colour_off();
}

void show_head(const struct exercise *e, const char *where)
{
    colour_on(BOLD);
    printf("%02d %s", e->number, e->title);
    colour_off();
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
    show_head(e, e->concept);
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
        show_stars(p->stars, possible);
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
    printf("stars, in this order: right result, structure, speed; * won, . not won yet\n");
    printf("%d of %zu passed; about %d of %d minutes left\n", done, count, left, minutes);
}

/* --- a kind of mistake ---------------------------------------------------------------------------- */

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
    colour_on(BOLD);
    printf("%s", words);
    colour_off();
    printf("   (%s)\n\n", kind);
    text_print(stdout, page, 2);
    return true;
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
    if (level == HINTS - 1) { /* its lines are steps, not prose */
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
