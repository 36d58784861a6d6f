#define _GNU_SOURCE
#include "workshop/lab/exercise_card.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/card.h"
#include "harness/model/registry.h"
#include "workshop/lab/text.h"
#include "workshop/lab/version.h"

/* One entry of a card, "key argument: value", with its lines joined, and the line where it stands. */
struct entry {
    char key[32], argument[32];
    char value[2048];
    int line;
    const char *file;
};

static bool bad(const struct entry *n, struct error *error, const char *why)
{
    return error_set(error, "%s:%d: %s%s%s: %s", n->file, n->line, n->key,
                     n->argument[0] != '\0' ? " " : "", n->argument, why);
}

/* Splits "a | b | c" into `parts`, without blanks around them.  Returns how many there are. */
static size_t split(char *text, char *parts[], size_t room)
{
    size_t n = 0;

    for (char *part = text; part != NULL && n < room;) {
        char *bar = n + 1 < room ? strstr(part, " |") : NULL;
        while (bar != NULL && bar[2] != ' ' && bar[2] != '\n') /* "||" is code */
            bar = strstr(bar + 2, " |");
        if (bar != NULL)
            *bar = '\0';
        parts[n++] = text_trim(part);
        part = bar != NULL ? bar + 3 : NULL;
    }
    return n;
}

static bool copy_text(const struct entry *n, char *to, size_t room, struct error *error)
{
    if ((size_t)snprintf(to, room, "%s", n->value) >= room)
        return bad(n, error, "is too long");
    return true;
}

/* "257", or "rows=3,cols=5". */
static bool read_size(const struct problem *p, const char *text, struct size *size)
{
    int used;

    *size = (struct size){.label = strdup(text)};
    if (isdigit((unsigned char)text[0]) && p->axes[1] == NULL)
        return sscanf(text, "%zu%n", &size->dims[0], &used) == 1 && text[used] == '\0';
    for (const char *at = text; *at != '\0'; at += strcspn(at, ",") + (strchr(at, ',') != NULL)) {
        size_t axis = 0, length = strcspn(at, "=");
        while (axis < MAX_AXES && p->axes[axis] != NULL &&
               (strlen(p->axes[axis]) != length || strncmp(p->axes[axis], at, length) != 0))
            axis++;
        if (axis == MAX_AXES || p->axes[axis] == NULL ||
            sscanf(at + length, "=%zu", &size->dims[axis]) != 1)
            return false;
    }
    return p->impossible == NULL || p->impossible(size->dims) == NULL;
}

static bool take_sizes(struct exercise *e, struct entry *n, struct error *error)
{
    for (char *word = strtok(n->value, " \n"); word != NULL; word = strtok(NULL, " \n")) {
        if (e->size_count == MAX_LAB_SIZES)
            return bad(n, error, "there are too many entries of this kind");
        if (!read_size(e->problem, word, &e->sizes[e->size_count++]))
            return error_set(error, "%s:%d: %s is not a size of %s", n->file, n->line, word,
                             problem_name(e->problem));
    }
    return true;
}

/* "load_sectors_per_request <= 4.5 | strided | what it means" */
static bool take_gate(struct exercise *e, struct entry *n, struct error *error)
{
    struct gate *g = &e->gate[e->gates];
    char relation[4], *parts[3];

    if (e->gates == sizeof e->gate / sizeof *e->gate)
        return bad(n, error, "there are too many entries of this kind");
    if (split(n->value, parts, 3) != 3 ||
        sscanf(parts[0], "%39s %3s %lf", g->metric, relation, &g->limit) != 3 ||
        (strcmp(relation, "<=") != 0 && strcmp(relation, ">=") != 0))
        return bad(n, error, "should be METRIC <= NUMBER | KIND | TEXT");
    g->at_most = relation[0] == '<';
    snprintf(g->kind, sizeof g->kind, "%s", parts[1]);
    snprintf(g->text, sizeof g->text, "%s", parts[2]);
    e->gates++;
    return true;
}

/* "answer bytes: 12 | why it is not another number", "answer most: 20000 within 2 | ..." */
static bool take_answer(struct exercise *e, struct entry *n, struct error *error)
{
    struct answer *a = &e->answer[e->answers];
    char *parts[2];

    if (e->answers == sizeof e->answer / sizeof *e->answer || split(n->value, parts, 2) != 2)
        return bad(n, error, "should be WANTED | TEXT, at most 4 times");
    char *within = strstr(parts[0], " within ");
    a->factor = within != NULL ? strtod(within + 8, NULL) : 1.0;
    if (within != NULL)
        *within = '\0';
    snprintf(a->name, sizeof a->name, "%s", n->argument);
    snprintf(a->want, sizeof a->want, "%s", parts[0]);
    snprintf(a->text, sizeof a->text, "%s", parts[1]);
    e->answers++;
    return true;
}

/* "device_seconds: run within 1.5 | what the lab measures", "bytes_moved: 12 each | ..." */
static bool take_figure(struct exercise *e, struct entry *n, struct error *error)
{
    struct figure *f = &e->figure[e->figures];
    char *parts[2];

    if (e->figures == MAX_FIGURES || split(n->value, parts, 2) != 2 ||
        (sscanf(parts[0], "%lf each", &f->each) != 1 &&
         (sscanf(parts[0], "%47s within %lf", f->of, &f->factor) != 2 || f->factor <= 1.0)))
        return bad(n, error, "should be run within FACTOR | TEXT, VARIANT within FACTOR | TEXT, or NUMBER each | TEXT, at most 4 "
                             "times");
    snprintf(f->name, sizeof f->name, "%s", n->argument);
    snprintf(f->text, sizeof f->text, "%s", parts[1]);
    e->figures++;
    return true;
}

/* Returns whether the word is a variant's full name or a version of this exercise. */
static bool is_runner(const char *word)
{
    return strchr(word, '/') != NULL || version_symbol(word) != NULL;
}

/* "n=4194304 with copies | saxpy/cpu_naive | solution | 0.8 | what it means"; share "-": the
   times are only shown */
static bool take_clock(struct exercise *e, struct entry *n, struct error *error)
{
    char *parts[5];
    const bool five = split(n->value, parts, 5) == 5;
    char *copies = five ? strstr(parts[0], " with copies") : NULL;

    e->with_copies = copies != NULL;
    if (copies != NULL)
        *copies = '\0';
    if (!five || !read_size(e->problem, parts[0], &e->timed))
        return bad(n, error, "should be SIZE [with copies] | BASE | OURS | SHARE | TEXT");
    bool shown = strcmp(parts[3], "-") == 0;
    if (!shown && !((e->share = strtod(parts[3], NULL)) > 0.0 && e->share <= 1.0))
        return bad(n, error, "its share should be above 0 and at most 1, or - if times are only shown");
    if (!is_runner(parts[1]) || !is_runner(parts[2]))
        return bad(n, error, "BASE and OURS are variants (saxpy/cpu_naive), starter or solution");
    if (strlen(parts[4]) >= sizeof e->slow)
        return bad(n, error, "is too long");
    snprintf(e->base, sizeof e->base, "%s", parts[1]);
    snprintf(e->ours, sizeof e->ours, "%s", parts[2]);
    snprintf(e->slow, sizeof e->slow, "%s", parts[4]);
    return true;
}

static bool take_wrong(struct exercise *e, struct entry *n, struct error *error)
{
    struct wrong *w = &e->wrong[e->wrongs];
    char *parts[2];

    if (e->wrongs == MAX_NOTES || split(n->value, parts, 2) != 2)
        return bad(n, error, "should be KIND | TEXT");
    snprintf(w->name, sizeof w->name, "%s", n->argument);
    snprintf(w->kind, sizeof w->kind, "%s", parts[0]);
    snprintf(w->text, sizeof w->text, "%s", parts[1]);
    e->wrongs++;
    return true;
}

static bool take_right(struct exercise *e, struct entry *n, struct error *error)
{
    if (e->rights == MAX_RIGHTS)
        return bad(n, error, "is one too many");
    snprintf(e->right[e->rights].name, sizeof e->right[0].name, "%s", n->argument);
    return copy_text(n, e->right[e->rights++].text, sizeof e->right[0].text, error);
}

static bool take_saying(struct exercise *e, struct entry *n, struct error *error)
{
    struct saying *s = &e->saying[e->sayings];
    char *parts[2];

    if (e->sayings == MAX_NOTES)
        return bad(n, error, "there are too many entries of this kind");
    size_t found = split(n->value, parts, 2);
    if (strlen(parts[found - 1]) >= sizeof s->text || (found == 2 && strlen(parts[0]) >= sizeof s->words))
        return bad(n, error, "is too long");
    snprintf(s->kind, sizeof s->kind, "%s", n->argument);
    snprintf(s->words, sizeof s->words, "%s", found == 2 ? parts[0] : "");
    snprintf(s->text, sizeof s->text, "%s", parts[found - 1]);
    e->sayings++;
    return true;
}

/* "omp parallel | parallel for, omp for | repeated-work | what it means" */
static bool take_clue(struct exercise *e, struct entry *n, struct error *error)
{
    struct clue *c = &e->clue[e->clues];
    char *parts[4];

    if (e->clues == sizeof e->clue / sizeof *e->clue || split(n->value, parts, 4) != 4)
        return bad(n, error, "should be WORDS | OTHERS | KIND | TEXT, at most 16 times");
    snprintf(c->words, sizeof c->words, "%s", parts[0]);
    snprintf(c->others, sizeof c->others, "%s", strcmp(parts[1], "-") == 0 ? "" : parts[1]);
    snprintf(c->kind, sizeof c->kind, "%s", parts[2]);
    snprintf(c->text, sizeof c->text, "%s", parts[3]);
    e->clues++;
    return true;
}

static bool take_problem(struct exercise *e, const struct entry *n, struct error *error)
{
    e->problem = registry_problem(n->value);
    return e->problem != NULL || bad(n, error, "there is no such problem");
}

/* "questions: first" */
static bool take_questions(struct exercise *e, const struct entry *n, struct error *error)
{
    e->answers_first = strcmp(n->value, "first") == 0;
    return e->answers_first || bad(n, error, "can only be first");
}

static bool take_number(const struct entry *n, int *number, struct error *error)
{
    char *end;

    *number = (int)strtol(n->value, &end, 10);
    return (*end == '\0' && *number > 0) || bad(n, error, "should be a whole number above 0");
}

static bool take_math(struct exercise *e, const struct entry *n, struct error *error)
{
    for (size_t i = 0; math_names[i] != NULL; i++)
        if (strcmp(math_names[i], n->value) == 0) {
            e->math = (enum math)i;
            return true;
        }
    return bad(n, error, "there is no such class of precision");
}

static bool take_entry(struct exercise *e, struct entry *n, struct error *error)
{
    const struct {
        const char *key;
        char *to;
        size_t room;
    } texts[] = {
        {"title", e->title, sizeof e->title},       {"concept", e->concept, sizeof e->concept},
        {"now", e->now, sizeof e->now},             {"goal", e->goal, sizeof e->goal},
        {"why", e->why, sizeof e->why},             {"story", e->story, sizeof e->story},
        {"task", e->task, sizeof e->task},          {"extra", e->extra, sizeof e->extra},
        {"discuss", e->discuss, sizeof e->discuss}, {"starter", e->starter, sizeof e->starter},
        {"track", e->track, sizeof e->track},
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(n->key, texts[i].key) == 0)
            return copy_text(n, texts[i].to, texts[i].room, error);
    if (strcmp(n->key, "problem") == 0)
        return take_problem(e, n, error);
    if (e->problem == NULL)
        return bad(n, error, "must stand behind the entry problem");
    if (strcmp(n->key, "minutes") == 0)
        return take_number(n, &e->minutes, error);
    if (strcmp(n->key, "devices") == 0)
        return take_number(n, &e->devices, error);
    if (strcmp(n->key, "sizes") == 0)
        return take_sizes(e, n, error);
    if (strcmp(n->key, "count") == 0)
        return read_size(e->problem, n->value, &e->counted) || bad(n, error, "is not a size of the problem");
    if (strcmp(n->key, "data") == 0)
        return (e->awkward = strcmp(n->value, "awkward") == 0) || bad(n, error, "should be awkward");
    if (strcmp(n->key, "math") == 0)
        return take_math(e, n, error);
    if (strcmp(n->key, "clock") == 0)
        return take_clock(e, n, error);
    if (strcmp(n->key, "hint") == 0 && n->argument[0] >= '1' && n->argument[0] < '0' + HINTS)
        return copy_text(n, e->hint[n->argument[0] - '1'], sizeof e->hint[0], error);
    if (strcmp(n->key, "gate") == 0)
        return take_gate(e, n, error);
    if (strcmp(n->key, "answer") == 0)
        return take_answer(e, n, error);
    if (strcmp(n->key, "figure") == 0)
        return take_figure(e, n, error);
    if (strcmp(n->key, "questions") == 0)
        return take_questions(e, n, error);
    if (strcmp(n->key, "wrong") == 0)
        return take_wrong(e, n, error);
    if (strcmp(n->key, "right") == 0)
        return take_right(e, n, error);
    if (strcmp(n->key, "say") == 0)
        return take_saying(e, n, error);
    if (strcmp(n->key, "clue") == 0)
        return take_clue(e, n, error);
    return bad(n, error, "there is no such entry");
}

/* Begins an entry with its first line.  Returns false if that is not "key: value". */
static bool begin_entry(struct entry *n, const char *line)
{
    char head[96];
    const char *colon = strchr(line, ':');

    if (colon == NULL || (size_t)(colon - line) >= sizeof head)
        return false;
    snprintf(head, sizeof head, "%.*s", (int)(colon - line), line);
    n->argument[0] = '\0';
    n->value[0] = '\0';
    if (sscanf(head, "%31s %31s", n->key, n->argument) < 1)
        return false;
    snprintf(n->value, sizeof n->value, "%s", colon + 1 + strspn(colon + 1, " "));
    return true;
}

static void add_line(struct entry *n, const char *line)
{
    size_t used = strlen(n->value), indent = strspn(line, " ");

    snprintf(n->value + used, sizeof n->value - used, "%s%s", used > 0 ? "\n" : "",
             line + (indent < 2 ? indent : 2));
}

static bool is_complete(const struct exercise *e, struct error *error)
{
    const char *missing = e->title[0] == '\0'     ? "title"
                          : e->problem == NULL    ? "problem"
                          : e->minutes == 0       ? "minutes"
                          : e->story[0] == '\0'   ? "story"
                          : e->task[0] == '\0'    ? "task"
                          : e->now[0] == '\0'     ? "now"
                          : e->goal[0] == '\0'    ? "goal"
                          : e->why[0] == '\0'     ? "why"
                          : e->extra[0] == '\0'   ? "extra"
                          : e->starter[0] == '\0' ? "starter"
                          : e->size_count == 0    ? "sizes"
                          : e->hint[0][0] == '\0' ? "hint 1"
                          : e->hint[1][0] == '\0' ? "hint 2"
                          : e->hint[2][0] == '\0' ? "hint 3"
                                                  : NULL;

    return missing == NULL || error_set(error, "%s: its card has no %s", e->master, missing);
}

bool exercise_card_read(struct exercise *e, char *text, struct error *error)
{
    struct entry entry = {.file = e->master};
    bool open = false, good = true;
    int number = 1;
    char *line = text, *next;

    if (strncmp(text, "/* EXERCISE\n", 12) != 0)
        return error_set(error, "%s:1: a master begins with /* EXERCISE", e->master);
    for (line += 12; good && line != NULL && strncmp(line, "*/", 2) != 0; line = next) {
        number++;
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (line[0] != ' ' && line[0] != '\0') {
            good = !open || take_entry(e, &entry, error);
            entry.line = number;
            if (good && !begin_entry(&entry, line))
                return error_set(error, "%s:%d: an entry of a card is \"key: value\"", e->master, number);
            open = true;
        } else if (open) {
            add_line(&entry, line);
        }
    }
    if (good && open)
        good = take_entry(e, &entry, error);
    if (good && line == NULL)
        return error_set(error, "%s: the card has no end (*/ in the first column)", e->master);
    if (!good)
        return false;
    line += strcspn(line, "\n");
    line += strspn(line, "\n");
    e->code = strdup(line);
    return e->code != NULL && is_complete(e, error);
}
