/* How many steps of a loop the results show at each size.  One size may have several causes; the rule that holds at all sizes is one. */
#include "workshop/lab/turns.h"

#include <string.h>

enum { STEPS = 2, MOST = 8 }; /* which length of a size counts the steps; the most that a launch may make */

static size_t launches(size_t steps, size_t of)
{
    return (steps + of - 1) / of;
}

static size_t whole_groups(size_t steps, size_t of)
{
    return steps / of * of;
}

static size_t full_last(size_t steps, size_t of)
{
    return launches(steps, of) * of;
}

/* All steps, if they are no more than a group; else whole groups. */
static size_t whole_or_few(size_t steps, size_t of)
{
    return steps < of ? steps : whole_groups(steps, of);
}

static size_t full_or_few(size_t steps, size_t of)
{
    return steps < of ? steps : full_last(steps, of);
}

static size_t one_lost_each(size_t steps, size_t of)
{
    return steps - launches(steps, of);
}

static const struct rule {
    size_t (*made)(size_t steps, size_t of);
    const char *kind, *text;
} rules[] = {
    {whole_groups, "step-missing", "as if the steps were made in groups of %zu, and those left of the division by %zu were not"},
    {full_last, "step-too-many", "as if the steps were made in groups of %zu, and the last group had %zu, too"},
    {whole_or_few, "step-missing", "as if the steps were made in groups of %zu, those left of the division by %zu were not, and fewer steps than a group were "
                                   "all made"},
    {full_or_few, "step-too-many", "as if the steps were made in groups of %zu, and behind a first whole group the last one had %zu, too"},
    {one_lost_each, "step-missing", "as if the steps were made in groups of %zu, at most, and each group lost one of its %zu"},
};

/* Returns whether a size has a pixel that steps change. */
static bool has_inside(const struct size *size)
{
    return size->dims[0] > 2 && size->dims[1] > 2;
}

/* Returns after how many steps the result of a size is that of a right program; SIZE_MAX: after none. */
static size_t made_at(const struct witness list[], size_t count, const struct size *size)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].size == size)
            return list[i].mistake.turns > 0 ? list[i].mistake.turns - 1 : SIZE_MAX;
    return size->dims[STEPS];
}

static bool holds(const struct rule *r, size_t of, const struct exercise *e, size_t tried, const struct witness list[], size_t count)
{
    bool several = false; /* groups: else any number would do */

    for (size_t i = 0; i < tried; i++) {
        const size_t steps = e->sizes[i].dims[STEPS];
        if (has_inside(&e->sizes[i]) && made_at(list, count, &e->sizes[i]) != r->made(steps, of))
            return false;
        several = several || (has_inside(&e->sizes[i]) && steps > of);
    }
    return several;
}

/* The result of one size with one step is the input; of all sizes, it is the image one step too early. */
static bool one_less(const struct exercise *e, size_t tried, const struct witness list[], size_t count, struct mistake *m)
{
    bool several = false;

    for (size_t i = 0; i < tried; i++) {
        const size_t steps = e->sizes[i].dims[STEPS];
        if (has_inside(&e->sizes[i]) && steps > 0 && made_at(list, count, &e->sizes[i]) != steps - 1)
            return false;
        several = several || (has_inside(&e->sizes[i]) && steps > 2);
    }
    if (!several || strcmp(m->kind, "step-missing") == 0)
        return false;
    const struct mistake found = *m;
    mistake_set(m, "step-missing");
    mistake_add(m, "at every size the result is the image one step too early");
    for (int i = 0; i < found.facts; i++)
        mistake_add(m, "%s", found.fact[i]);
    m->explains = found.explains;
    m->turns = found.turns;
    return true;
}

void turns_look(const struct exercise *e, size_t tried, const struct witness list[], size_t count, struct mistake *m)
{
    const struct size *shown[2] = {NULL, NULL}; /* with different numbers of steps */

    for (size_t i = 0; i < count; i++)
        if (list[i].mistake.turns > 0 && list[i].size->dims[STEPS] > 1 &&
            (shown[1] == NULL || list[i].size->dims[STEPS] != shown[1]->dims[STEPS])) {
            shown[0] = shown[1];
            shown[1] = list[i].size;
        }
    if (m->turns == 0 || shown[0] == NULL || one_less(e, tried, list, count, m))
        return;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        for (size_t of = 2; of <= MOST; of++) {
            if (!holds(&rules[r], of, e, tried, list, count))
                continue;
            const struct mistake found = *m;
            mistake_set(m, rules[r].kind);
            mistake_add(m, "of %zu steps %zu were made, and of %zu steps %zu", shown[0]->dims[STEPS], made_at(list, count, shown[0]),
                        shown[1]->dims[STEPS], made_at(list, count, shown[1]));
            mistake_add(m, rules[r].text, of, of);
            for (int i = 0; i < found.facts; i++)
                mistake_add(m, "%s", found.fact[i]);
            m->explains = found.explains;
            m->turns = found.turns;
            return;
        }
}
