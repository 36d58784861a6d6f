#include "workshop/lab/branches.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/build.h"
#include "workshop/lab/case.h"
#include "workshop/lab/conditions.h"
#include "workshop/lab/own_lines.h"
#include "workshop/lab/pattern.h"
#include "workshop/lab/rerun.h"
#include "workshop/lab/text.h"

/* Which conditions a thread has found false [0] and true [1] before it stored an element, a bit each. */
struct way {
    uint64_t found[2];
};

struct branched {
    struct conditions conditions;
    uint64_t all[MOST_CONDITIONS][2]; /* how often each was false and true, in all launches */
    struct way *way;
    size_t ways;
    uint16_t *element; /* the number of its way; 0: it was not stored */
    size_t elements;
    const struct exercise *e;
    struct view view;
};

/* Reads how many ways or elements follow.  A learner's program may have written anything. */
static size_t read_count(FILE *f, const char *format)
{
    enum { MOST = 1 << 20 };
    size_t count = 0;

    return fscanf(f, format, &count) == 1 && count <= MOST ? count : 0;
}

static void read_branches(const char *path, void *data)
{
    struct branched *b = data;
    FILE *f = fopen(path, "r");
    size_t i = 0;

    if (f == NULL)
        return;
    while (i < MOST_CONDITIONS && fscanf(f, "%" SCNu64 " %" SCNu64, &b->all[i][0], &b->all[i][1]) == 2)
        i++;
    b->ways = read_count(f, "%zu ways");
    b->way = calloc(b->ways + 1, sizeof *b->way);
    for (i = 0; b->way != NULL && i < b->ways && fscanf(f, "%" SCNx64 " %" SCNx64, &b->way[i].found[0], &b->way[i].found[1]) == 2;)
        i++;
    b->elements = read_count(f, "%zu elements");
    b->element = calloc(b->elements + 1, sizeof *b->element);
    for (i = 0; b->element != NULL && i < b->elements && fscanf(f, "%" SCNu16, &b->element[i]) == 1; i++)
        b->element[i] = b->element[i] < b->ways ? b->element[i] : 0;
    fclose(f);
}

static bool is_stored(const struct branched *b, size_t i)
{
    return b->element[i] != 0;
}

static bool has_found(const struct branched *b, size_t i, size_t condition, bool value)
{
    return (b->way[b->element[i]].found[value] >> condition & 1) != 0;
}

/* --- conditions that tell elements apart ------------------------------------------------------------- */

/* How many elements of two classes there are, and how many have found a condition false [0] and true [1]. */
struct tally {
    size_t all[2], found[2][2];
};

/* Counts among elements of the classes 0 and 1; others have class 2. */
static struct tally tally(const struct branched *b, const unsigned char class[], size_t condition)
{
    struct tally t = {{0, 0}, {{0, 0}, {0, 0}}};

    for (size_t i = 0; i < b->view.count; i++) {
        if (class[i] > 1 || !is_stored(b, i))
            continue;
        t.all[class[i]]++;
        for (int value = 0; value < 2; value++)
            t.found[class[i]][value] += has_found(b, i, condition, value == 1);
    }
    return t;
}

/* Of so many wrong elements one may be right by chance. */
enum { BY_CHANCE = 50 };

/* Returns whether the condition has this value for all elements of class 0, and the other one for all of class 1, but for some that are
   right by chance; or the other way round.  Sets for which class it has the value, and how many of class 1 are such. */
static bool separates(const struct tally *t, bool value, int *of, size_t *by_chance)
{
    const size_t *wrong = t->found[0], *right = t->found[1];

    *of = wrong[value] > 0 ? 0 : 1;
    *by_chance = *of == 0 ? right[value] : t->all[1] - right[value];
    return t->all[0] > 0 && wrong[*of == 0 ? value : !value] == t->all[0] && *by_chance < t->all[1] && BY_CHANCE * *by_chance <= t->all[0] &&
           (*of == 1 || right[!value] + *by_chance >= t->all[1]);
}

/* A condition that tells two classes apart. */
struct separating {
    const struct condition *condition;
    size_t number, by_chance;
    bool value; /* that it has */
    int of;     /* for this class */
};

/* Finds the first one, a part of a condition if there is one. */
static bool find_separating(const struct branched *b, const unsigned char class[], struct separating *s)
{
    bool found = false;

    for (size_t n = 0; n < b->conditions.count; n++) {
        const struct condition *c = &b->conditions.list[n];
        if (c->kind == LOOP || (found && c->kind != PART))
            continue;
        const struct tally t = tally(b, class, n);
        for (int side = 1; side >= 0; side--) {
            struct separating one = {.condition = c, .number = n, .value = side == 1};
            if (!separates(&t, one.value, &one.of, &one.by_chance))
                continue;
            *s = one;
            found = true;
            if (c->kind == PART)
                return true;
            break;
        }
    }
    return found;
}

static const char *word(bool value)
{
    return value ? "true" : "false";
}

/* Tells the condition that separates wrong elements from right ones. */
static bool tell_wrong(const struct branched *b, struct mistake *m)
{
    enum { FEWEST = 2 };
    const struct view *v = &b->view;
    const size_t right = v->count - v->wrong_count;
    unsigned char *class = malloc(v->count + 1);
    struct separating s;
    char others[48] = "no";

    for (size_t i = 0; class != NULL && i < v->count; i++)
        class[i] = v->wrong[i] ? 0 : 1;
    const bool found = class != NULL && v->wrong_count >= FEWEST && right >= FEWEST && find_separating(b, class, &s);
    free(class);
    if (!found)
        return false;
    if (s.by_chance > 0)
        snprintf(others, sizeof others, "%zu of %zu", s.by_chance, right);
    mistake_add(m, "line %d: %s is %s for each of the %zu wrong elements, and for %s right ones", s.condition->line, s.condition->text,
                word(s.value == (s.of == 0)), v->wrong_count, others);
    own_lines_quote(b->e, s.condition->line, m);
    return true;
}

/* Returns on which edge of the image an element is, from 0 on; 4: on none; 5: in a corner. */
static size_t edge_of(const struct view *v, size_t i)
{
    const size_t r = i / v->cols, c = i % v->cols;
    const bool on[] = {r == 0, r + 1 == v->rows, c == 0, c + 1 == v->cols};
    size_t edge = 4, edges = 0;

    for (size_t k = 0; k < 4; k++) {
        edge = on[k] ? k : edge;
        edges += on[k];
    }
    return edges > 1 ? 5 : edge;
}

/* Only elements on some edges are wrong: tells the condition that tells the other edges from what is inside, and how it is for these. */
static bool tell_border(const struct branched *b, struct mistake *m)
{
    const struct view *v = &b->view;
    const size_t first = result_first_wrong(v);
    unsigned char *class = malloc(v->count + 1);
    bool wrong[6] = {false}, found = class != NULL && v->image && first < v->count && is_stored(b, first);
    struct separating s;
    char name[64];

    for (size_t i = 0; found && i < v->count; i++)
        wrong[edge_of(v, i)] |= v->wrong[i];
    for (size_t i = 0; found && i < v->count; i++) {
        const size_t edge = edge_of(v, i);
        class[i] = edge == 4 ? 1 : wrong[edge] || edge == 5 ? 2 : 0;
    }
    found = found && !wrong[4] && find_separating(b, class, &s) && has_found(b, first, s.number, s.value) == (s.of == 1);
    free(class);
    if (!found)
        return false;
    mistake_add(m, "line %d: %s is %s for the edges that are right, and %s for %s, as for what is inside", s.condition->line, s.condition->text,
                word(s.value == (s.of == 0)), word(s.value != (s.of == 0)), result_place(v, first, name, sizeof name));
    own_lines_quote(b->e, s.condition->line, m);
    return true;
}

/* --- loops -------------------------------------------------------------------------------------------- */

/* Tells a loop whose condition was never true. */
static bool tell_no_turn(const struct branched *b, struct mistake *m)
{
    for (size_t n = 0; n < b->conditions.count; n++) {
        const struct condition *c = &b->conditions.list[n];
        if (c->kind != LOOP || b->all[n][0] == 0 || b->all[n][1] > 0)
            continue;
        mistake_add(m, "line %d: %s is false at once, for each thread: this loop makes no turn", c->line, c->text);
        own_lines_quote(b->e, c->line, m);
        return true;
    }
    return false;
}

/* Tells of each loop how many turns it makes. */
static void tell_turns(const struct branched *b, struct mistake *m)
{
    char text[200] = "";
    size_t used = 0;

    for (size_t n = 0; n < b->conditions.count && used < sizeof text - 40; n++) {
        const uint64_t *all = b->all[n];
        if (b->conditions.list[n].kind == LOOP && all[0] > 0 && all[1] % all[0] == 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%llu in line %d", used > 0 ? ", " : "", (unsigned long long)(all[1] / all[0]),
                                     b->conditions.list[n].line);
    }
    if (used > 0)
        mistake_add(m, "turns of the kernel's loops, each time: %s", text);
}

/* --- when ----------------------------------------------------------------------------------------------- */

/* Returns whether the mistake is a symptom of a result, and no line is named. */
static bool is_wanted(const struct mistake *m)
{
    static const char *const kinds[] = {"wrong-values", "border", "all-zero", "nothing-written", "not-a-number", "wrong-part", "tail-missing", "first-only",
                                        "last-missed", "seams", "none-kept"};
    bool wanted = false;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        wanted = wanted || strcmp(m->kind, kinds[i]) == 0;
    for (int i = 0; i < m->facts; i++)
        wanted = wanted && m->fact[i][0] != ' ' && strncmp(m->fact[i], "line ", 5) != 0;
    return wanted;
}

/* Returns whether nothing was computed.  Where something was, a loop without a turn may be one for a rest that is not there. */
static bool is_nothing(const struct mistake *m)
{
    return strcmp(m->kind, "all-zero") == 0 || strcmp(m->kind, "nothing-written") == 0 || strcmp(m->kind, "none-kept") == 0;
}

static void tell(struct branched *b, struct mistake *m)
{
    const struct mistake old = *m;

    m->facts = 0;
    const bool compared = b->element != NULL && b->way != NULL && b->elements == b->view.count && b->view.untouched == 0;
    if (!(is_nothing(&old) && tell_no_turn(b, m)) && compared && !tell_wrong(b, m))
        tell_border(b, m);
    const bool told = m->facts > 0;
    for (int i = 0; i < old.facts; i++)
        mistake_add(m, "%s", old.fact[i]);
    if (!told && strcmp(m->kind, "wrong-values") == 0)
        tell_turns(b, m);
}

/* Builds the program with its conditions counted.  Make is asked once how: that takes as long as the compiler does. */
static bool build(const char *program, const char *source, char *built, size_t room)
{
    static char said[1 << 14], of[200], *commands;
    struct error ignored;

    build_program(source, IN_SIMULATOR, built, room);
    if (!text_write(source, program, &ignored))
        return false;
    if (commands == NULL || strcmp(of, source) != 0) {
        free(commands);
        commands = build_commands(source);
        snprintf(of, sizeof of, "%s", source);
    }
    return commands != NULL && build_again(source, commands, said, sizeof said);
}

bool branches_look(const struct exercise *e, const struct size *size, struct mistake *m, struct error *error)
{
    struct branched b = {.e = e};
    char source[200], built[200];

    if (!is_wanted(m) || !e->cuda || e->devices > 1)
        return true;
    char *text = text_read(e->source, error), *marked = text != NULL ? conditions_mark(text, &b.conditions) : NULL;
    snprintf(source, sizeof source, "build-sim/dev/branches/%.150s", e->source);
    bool good = true;
    if (marked != NULL && build(marked, source, built, sizeof built)) {
        good = rerun_with(e, built, size, "RUNGS_SIM_BRANCHES", read_branches, &b, error);
        if (good && pattern_view(e, arena_layout(case_arena()), &b.view)) {
            tell(&b, m);
            view_free(&b.view);
        }
    }
    free(b.element);
    free(b.way);
    free(marked);
    free(text);
    return good;
}
