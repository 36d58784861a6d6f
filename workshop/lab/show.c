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

static void show_row(const struct exercise *e)
{
    const struct learned *p = learned_of(e);
    const unsigned possible = stars_of(e);

    printf("%02d  ", e->number);
    show_stars(p->stars, possible);
    printf("%*s %-30s %-8s %3d min", STARS - __builtin_popcount(possible), "", e->title, problem_name(e->problem),
           e->minutes);
    if (p->passed > 0)
        printf("  passed%s", p->hints == HINTS ? ", with the solution" : "");
    else if (p->attempts > 0)
        printf("  %d tr%s, last: %s", p->attempts, p->attempts == 1 ? "y" : "ies", p->kind);
    putchar('\n');
}

/* Shows a track, and returns whether all of it has passed. */
static bool show_track(const struct exercise *list, size_t count)
{
    size_t done = 0;
    int minutes = 0, left = 0;

    for (size_t i = 0; i < count; i++) {
        const bool passed = learned_of(&list[i])->passed > 0;
        show_row(&list[i]);
        done += passed;
        minutes += list[i].minutes;
        left += passed ? 0 : list[i].minutes;
    }
    if (list->track[0] == '\0')
        printf("stars, in this order: right result, structure, speed; * won, . not won yet\n");
    printf("%zu of %zu passed; about %d of %d minutes left\n", done, count, left, minutes);
    return done == count;
}

static bool begun(const struct exercise *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (learned_of(&list[i])->touched > 0)
            return true;
    return false;
}

/* A further track is one line until the ones before it have passed, or the learner has opened one of its exercises. */
void show_list(void)
{
    const struct exercise *list;
    const size_t count = exercises(&list);
    bool finished = true; /* all tracks before */

    for (size_t i = 0, of_track; i < count; i += of_track) {
        const struct exercise *first = &list[i];
        of_track = exercises_of_track(i);
        if (i > 0)
            printf("%s: exercises %02d to %02d, to be opened at any time: rungs lab watch %02d\n", first->track,
                   first->number, first[of_track - 1].number, first->number);
        if (finished || begun(first, of_track))
            finished = show_track(first, of_track) && finished;
    }
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
