#define _GNU_SOURCE
#include "harness/plots/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- words ------------------------------------------------------------------------------------ */

/* Gets the next word of a list separated by blanks.  False: there is none. */
static bool next_word(const char **at, char word[SCRIPT_VALUE])
{
    *at += strspn(*at, " ");
    const size_t bytes = strcspn(*at, " ");
    snprintf(word, SCRIPT_VALUE, "%.*s", (int)bytes, *at);
    *at += bytes;
    return bytes > 0;
}

static bool has_column(const struct script *script, const struct tidy *t, const char *column,
                       struct error *error)
{
    return tidy_column(t, column) >= 0 ||
           error_set(error, "%s.gp: there is no column %s", script->name, column);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* "column=text", "column!=text", "column>number" */
struct condition {
    char column[SCRIPT_VALUE], sign;
    char value[SCRIPT_VALUE];
};

static struct condition read_condition(const char *word)
{
    struct condition c = {.sign = '?'};
    const size_t bytes = strcspn(word, "!=>");

    snprintf(c.column, sizeof c.column, "%.*s", (int)bytes, word);
    if (word[bytes] != '\0') {
        c.sign = word[bytes];
        snprintf(c.value, sizeof c.value, "%s", word + bytes + (c.sign == '!' ? 2 : 1));
    }
    return c;
}

static bool holds(const struct condition *c, const struct tidy *t, size_t line)
{
    char text[TIDY_FIELD];

    tidy_get(t, line, c->column, text);
    if (c->sign == '>')
        return tidy_value(t, line, c->column) > strtod(c->value, NULL);
    return (strcmp(text, c->value) == 0) == (c->sign == '=');
}

/* Removes from `taken` the lines for which a condition does not hold. */
static bool keep(bool taken[], const char *conditions, const struct script *script,
                 const struct tidy *t, struct error *error)
{
    char word[SCRIPT_VALUE];

    while (next_word(&conditions, word)) {
        const struct condition c = read_condition(word);
        if (!has_column(script, t, c.column, error))
            return false;
        if (c.sign == '?')
            return error_set(error, "%s.gp: \"rows\" takes COLUMN=TEXT, != or >, not %s", script->name,
                             word);
        for (size_t i = 0; i < t->count; i++)
            taken[i] = taken[i] && holds(&c, t, i);
    }
    return true;
}

/* --- groups ----------------------------------------------------------------------------------- */

static void add_line(struct selection *s, size_t line)
{
    s->lines = realloc(s->lines, (s->count + 1) * sizeof *s->lines);
    if (s->lines == NULL)
        abort();
    s->lines[s->count++] = line;
}

/* Joins the values of a line in these columns; for free(). */
static char *fields_of(const struct tidy *t, size_t line, const char *columns)
{
    char word[SCRIPT_VALUE], field[TIDY_FIELD], *text = strdup("");

    while (text != NULL && next_word(&columns, word)) {
        char *longer = NULL;
        tidy_get(t, line, word, field);
        if (asprintf(&longer, "%s%s\t", text, field) < 0)
            abort();
        free(text);
        text = longer;
    }
    if (text == NULL)
        abort();
    return text;
}

/* Tries the picture of the line before first, because most lines belong to it. */
static struct selection *group_of(struct selections *s, const char *each, const struct tidy *t,
                                  size_t line)
{
    char *fields = fields_of(t, line, each);

    for (size_t i = s->count; i-- > 0;)
        if (strcmp(s->list[i].fields, fields) == 0) {
            free(fields);
            return &s->list[i];
        }
    s->list = realloc(s->list, (s->count + 1) * sizeof *s->list);
    if (s->list == NULL)
        abort();
    s->list[s->count] = (struct selection){.fields = fields};
    return &s->list[s->count++];
}

/* --- order ------------------------------------------------------------------------------------ */

/* Orders numbers by value and texts by letters. */
static int compare_fields(const struct tidy *t, const char *column, size_t a, size_t b)
{
    const double x = tidy_value(t, a, column), y = tidy_value(t, b, column);
    char text[TIDY_FIELD], other[TIDY_FIELD];

    if (isfinite(x) && isfinite(y))
        return (x > y) - (x < y);
    tidy_get(t, a, column, text);
    tidy_get(t, b, column, other);
    return strcmp(text, other);
}

/* Sorts by insertion: the lines are few and mostly in order, and equal ones must keep their order. */
static void sort_lines(struct selection *s, const char *column, const struct tidy *t)
{
    for (size_t i = 1; i < s->count; i++) {
        const size_t line = s->lines[i];
        size_t at = i;
        for (; at > 0 && compare_fields(t, column, s->lines[at - 1], line) > 0; at--)
            s->lines[at] = s->lines[at - 1];
        s->lines[at] = line;
    }
}

size_t select_distinct(const struct tidy *t, const struct selection *s, const char *column)
{
    char (*seen)[TIDY_FIELD] = malloc((s->count + 1) * sizeof *seen);
    size_t count = 0;

    if (seen == NULL)
        abort();
    for (size_t i = 0; i < s->count; i++) {
        size_t earlier = 0;
        tidy_get(t, s->lines[i], column, seen[count]);
        while (earlier < count && strcmp(seen[earlier], seen[count]) != 0)
            earlier++;
        count += earlier == count && strcmp(seen[count], "-") != 0 && strcmp(seen[count], "NaN") != 0;
    }
    free(seen);
    return count;
}

/* "2 given 1 e2e_s" */
static bool enough(const struct selection *s, const char *needs, const struct tidy *t)
{
    char number[SCRIPT_VALUE], column[SCRIPT_VALUE];

    while (next_word(&needs, number) && next_word(&needs, column))
        if (select_distinct(t, s, column) < strtoul(number, NULL, 10))
            return false;
    return true;
}

/* --- all -------------------------------------------------------------------------------------- */

/* `words` may contain numbers: "2 given". */
static bool check_columns(const struct script *script, const char *words, const struct tidy *t,
                          struct error *error)
{
    char name[SCRIPT_VALUE];

    while (next_word(&words, name))
        if (name[strspn(name, "0123456789")] != '\0' && !has_column(script, t, name, error))
            return false;
    return true;
}

static void free_selection(struct selection *s)
{
    free(s->lines);
    free(s->fields);
}

/* Removes selections with too few values, and sorts the lines of the others. */
static void finish(struct selections *s, const char *needs, const char *order, const struct tidy *t)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++) {
        if (!enough(&s->list[i], needs, t)) {
            free_selection(&s->list[i]);
            continue;
        }
        s->list[kept] = s->list[i];
        if (order[0] != '\0')
            sort_lines(&s->list[kept], order, t);
        kept++;
    }
    s->count = kept;
}

bool select_lines(struct selections *s, const struct script *script, bool brief,
                  const struct tidy *t, struct error *error)
{
    char rows[SCRIPT_VALUE], all[SCRIPT_VALUE], each[SCRIPT_VALUE], needs[SCRIPT_VALUE],
        order[SCRIPT_VALUE];
    bool *taken = malloc(t->count + 1);

    if (taken == NULL)
        abort();
    *s = (struct selections){.count = 0};
    for (size_t i = 0; i < t->count; i++)
        taken[i] = true;
    scripts_say(script, "rows", rows);
    scripts_say(script, "all", all);
    scripts_say(script, "each", each);
    scripts_say(script, "needs", needs);
    scripts_say(script, "order", order);
    bool fine = t->count == 0 || (keep(taken, rows, script, t, error) &&
                                  (!brief || keep(taken, all, script, t, error)) &&
                                  check_columns(script, each, t, error) &&
                                  check_columns(script, needs, t, error) &&
                                  check_columns(script, order, t, error));
    for (size_t i = 0; fine && i < t->count; i++)
        if (taken[i])
            add_line(group_of(s, each, t, i), i);
    if (fine)
        finish(s, needs, order, t);
    free(taken);
    return fine;
}

void select_free(struct selections *s)
{
    for (size_t i = 0; i < s->count; i++)
        free_selection(&s->list[i]);
    free(s->list);
    *s = (struct selections){.count = 0};
}
