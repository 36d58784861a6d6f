#include "workshop/lab/uses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/own_lines.h"
#include "workshop/lab/rerun.h"

enum { MOST_ARRAYS = 8, MOST_WORK = 64 };

/* What a launch or copy does to each array. */
struct work {
    bool kernel, set, reads[MOST_ARRAYS], writes[MOST_ARRAYS], empty[MOST_ARRAYS];
};

/* What is done for one call, until the next upload: harness/sim/uses.c. */
struct uses {
    const struct exercise *e;
    char array[MOST_ARRAYS][48]; /* their names */
    int made[MOST_ARRAYS];       /* in which lines */
    size_t number[MOST_ARRAYS];  /* in the file */
    size_t arrays, works;
    bool steps; /* launches build on each other */
    struct work work[MOST_WORK];
};

/* --- reading ---------------------------------------------------------------------------------- */

/* Names an array.  Others from the same line, as in a loop, are told apart by which of them was used first. */
static bool name(struct uses *u, size_t a)
{
    static const char *const which[] = {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"};
    char word[24];
    size_t before = 0;

    for (size_t i = 0; i < a; i++)
        before += u->made[i] == u->made[a];
    if (!own_lines_array(u->e, u->made[a], u->array[a], sizeof u->array[a]))
        return false;
    for (size_t i = 0; before > 0 && i <= a; i++) {
        if (u->made[i] != u->made[a] || (before > 1 && i < a))
            continue;
        snprintf(word, sizeof word, " (the %s)", which[i < a ? 0 : before]);
        strncat(u->array[i], word, sizeof u->array[i] - strlen(u->array[i]) - 1);
    }
    return true;
}

/* Returns the place in the list of the array with this number, which was made in this line; MOST_ARRAYS: its name is not known. */
static size_t array_at(struct uses *u, size_t number, int line)
{
    size_t i = 0;

    while (i < u->arrays && u->number[i] != number)
        i++;
    if (i < u->arrays || i == MOST_ARRAYS)
        return i;
    u->made[i] = line;
    u->number[i] = number;
    if (!name(u, i))
        return MOST_ARRAYS;
    u->arrays++;
    return i;
}

/* Leaves no works if there are more than are looked at, or an array without a name. */
static void read_uses(const char *path, void *uses)
{
    struct uses *u = uses;
    char line[400], what[16], does[16], place[200];
    FILE *f = fopen(path, "r");
    size_t number, last = 0, uploads = 0, array = 0;
    bool good = f != NULL;

    while (good && fgets(line, sizeof line, f) != NULL) {
        uploads += strcmp(line, "phase upload\n") == 0;
        if (uploads > 1)
            break;
        if (sscanf(line, "%zu %15s %15s %199s %zu", &number, what, does, place, &array) != 5)
            continue;
        u->works += number != last;
        last = number;
        good = u->works >= 1 && u->works <= MOST_WORK; /* a learner's program may have written anything */
        if (!good)
            break;
        struct work *w = &u->work[u->works - 1];
        w->kernel = strcmp(what, "kernel") == 0;
        if (strcmp(does, "nothing") == 0)
            continue;
        const char *colon = strrchr(place, ':');
        const size_t a = array_at(u, array, colon != NULL ? atoi(colon + 1) : 0);
        good = a < MOST_ARRAYS;
        if (!good)
            break;
        w->set = strcmp(what, "set") == 0;
        w->reads[a] = w->reads[a] || strncmp(does, "reads", 5) == 0;
        w->empty[a] = w->empty[a] || strcmp(does, "reads-empty") == 0;
        w->writes[a] = w->writes[a] || strcmp(does, "writes") == 0;
    }
    if (f != NULL)
        fclose(f);
    u->works = good ? u->works : 0;
}

/* --- telling ---------------------------------------------------------------------------------- */

/* Returns the number of the launch among all, from 1 on. */
static size_t launch_of(const struct uses *u, size_t work)
{
    size_t n = 0;

    for (size_t i = 0; i <= work; i++)
        n += u->work[i].kernel;
    return n;
}

/* Returns the last work before this one that has written the array, a cudaMemset apart; MOST_WORK: there is none. */
static size_t writer_before(const struct uses *u, size_t work, size_t array)
{
    for (size_t i = work; i-- > 0;)
        if (u->work[i].writes[array] && !u->work[i].set)
            return i;
    return MOST_WORK;
}

/* Returns the only array that the work writes (or reads); MOST_ARRAYS: there is none, or several. */
static size_t only(const struct uses *u, const bool is[])
{
    size_t found = MOST_ARRAYS;

    for (size_t a = 0; a < u->arrays; a++)
        if (is[a]) {
            if (found < MOST_ARRAYS)
                return MOST_ARRAYS;
            found = a;
        }
    return found;
}

/* Writes which launch or copy has written the array last, before this work. */
static const char *last_writer(const struct uses *u, size_t work, size_t array, char *text, size_t room)
{
    const size_t w = writer_before(u, work, array);

    if (u->work[work].empty[array] && w != MOST_WORK)
        snprintf(text, room, "into which %s has written, but not everywhere: it reads places where nothing was written",
                 u->work[w].kernel ? "a launch" : "a copy");
    else if (u->work[work].empty[array])
        snprintf(text, room, "into which nothing was written before");
    else if (w == MOST_WORK)
        snprintf(text, room, "which no launch has written");
    else if (u->work[w].kernel)
        snprintf(text, room, "which launch %zu has written", launch_of(u, w));
    else if (only(u, u->work[w].reads) < MOST_ARRAYS)
        snprintf(text, room, "into which a copy has put %s", u->array[only(u, u->work[w].reads)]);
    else
        snprintf(text, room, "into which a copy has put the input");
    return text;
}

/* The first launch that does not read what the launch before it has written, or reads what it writes. */
static bool tell_break(const struct uses *u, struct mistake *m)
{
    size_t before = MOST_WORK;
    char text[160];

    for (size_t i = 0; i < u->works; i++) {
        const struct work *w = &u->work[i];
        const size_t reads = only(u, w->reads), writes = only(u, w->writes);
        if (!w->kernel)
            continue;
        const size_t made = before < MOST_WORK ? only(u, u->work[before].writes) : MOST_ARRAYS;
        const bool breaks = reads < MOST_ARRAYS && made < MOST_ARRAYS && reads != made, empty = reads < MOST_ARRAYS && w->empty[reads];
        const bool both = writes < MOST_ARRAYS && w->reads[writes];
        before = i;
        for (size_t a = 0; a < u->arrays && reads == MOST_ARRAYS; a++)
            if (w->empty[a]) {
                mistake_add(m, "launch %zu reads %s, %s%s", launch_of(u, i), u->array[a], last_writer(u, i, a, text, sizeof text),
                            w->writes[a] ? ", and writes there" : "");
                return true;
            }
        if (!breaks && !empty && !both)
            continue;
        if (both)
            mistake_add(m, "launch %zu reads and writes the same image, %s", launch_of(u, i), u->array[writes]);
        if (reads < MOST_ARRAYS && (breaks || empty))
            mistake_add(m, "launch %zu reads %s, %s", launch_of(u, i), u->array[reads], last_writer(u, i, reads, text, sizeof text));
        if (breaks)
            mistake_add(m, "launch %zu, the one before, has written %s", launch_of(u, i) - 1, u->array[made]);
        return true;
    }
    return false;
}

/* A launch that writes where a copy has put the input. */
static bool tell_input(const struct uses *u, struct mistake *m)
{
    for (size_t i = 0; i < u->works; i++)
        for (size_t a = 0; a < u->arrays; a++) {
            const size_t by = writer_before(u, i, a);
            if (!u->work[i].kernel || !u->work[i].writes[a] || by == MOST_WORK || u->work[by].kernel || only(u, u->work[by].reads) < MOST_ARRAYS)
                continue;
            mistake_add(m, "launch %zu writes %s, into which a copy has put the input", launch_of(u, i), u->array[a]);
            return true;
        }
    return false;
}

/* Returns the last launch; MOST_WORK: there is none. */
static size_t last_launch(const struct uses *u)
{
    for (size_t i = u->works; i-- > 0;)
        if (u->work[i].kernel)
            return i;
    return MOST_WORK;
}

static bool writes_nothing(const struct uses *u)
{
    for (size_t i = 0; i < u->works; i++)
        for (size_t a = 0; a < u->arrays; a++)
            if (u->work[i].kernel && u->work[i].writes[a])
                return false;
    return true;
}

/* The copy back does not bring what the last launch has written. */
static bool tell_result(const struct uses *u, struct mistake *m)
{
    const size_t last = last_launch(u), wrote = last < MOST_WORK ? only(u, u->work[last].writes) : MOST_ARRAYS;
    char text[160];

    for (size_t i = 0; i < u->works; i++) {
        const size_t a = only(u, u->work[i].reads);
        if (u->work[i].kernel || only(u, u->work[i].writes) < MOST_ARRAYS || a == MOST_ARRAYS || (last < MOST_WORK && u->work[last].writes[a]))
            continue;
        if (last == MOST_WORK) {
            mistake_add(m, "the copy back reads %s, and no kernel was launched", u->array[a]);
        } else {
            mistake_add(m, "the copy back reads %s, %s", u->array[a], last_writer(u, i, a, text, sizeof text));
            if (wrote < MOST_ARRAYS)
                mistake_add(m, "launch %zu, the last one, has written %s", launch_of(u, last), u->array[wrote]);
            else if (writes_nothing(u))
                mistake_add(m, "the launches have written nothing");
        }
        return true;
    }
    return false;
}

/* The result is that of an earlier launch than the last one, but no copy shows which image it was taken from. */
static bool tell_earlier(const struct uses *u, size_t made, struct mistake *m)
{
    const size_t last = last_launch(u), wrote = last < MOST_WORK ? only(u, u->work[last].writes) : MOST_ARRAYS;

    for (size_t i = 0; wrote < MOST_ARRAYS && i < last; i++) {
        const size_t a = only(u, u->work[i].writes);
        if (!u->work[i].kernel || launch_of(u, i) != made || a == MOST_ARRAYS || a == wrote)
            continue;
        mistake_add(m, "the result is what launch %zu has written, into %s; launch %zu, the last one, has written %s", made, u->array[a],
                    launch_of(u, last), u->array[wrote]);
        return true;
    }
    return false;
}

/* `again`: the first run is right, and a second one is not. */
static void tell(const struct uses *u, size_t wanted, size_t made, bool again, struct mistake *m)
{
    const size_t last = last_launch(u), launches = last < MOST_WORK ? launch_of(u, last) : 0;

    if (wanted > 0 && launches != wanted)
        mistake_add(m, "%zu launch%s made, and there %s %zu step%s%s", launches, launches == 1 ? " was" : "es were", wanted == 1 ? "is" : "are",
                    wanted, wanted == 1 ? "" : "s",
                    made != launches ? "" : launches < wanted ? ": the loop leaves steps out" : ": the loop makes more");
    if (again && (tell_input(u, m) || !u->steps))
        return;
    if (!tell_break(u, m) && !tell_result(u, m) && (launches != wanted || !tell_earlier(u, made, m)))
        tell_input(u, m);
}

/* Puts the facts behind the first one.  What was never written is the cause if the result is as if nothing was. */
static void explain_by_uses(const struct mistake *found, struct mistake *m)
{
    const struct mistake old = *m;

    m->facts = m->facts > 0 ? 1 : 0;
    for (int i = 0; i < found->facts; i++) {
        mistake_add(m, "%s", found->fact[i]);
        if ((strcmp(old.kind, "nothing-written") == 0 || strcmp(old.kind, "halo") == 0 || strcmp(old.kind, "border") == 0) &&
            strstr(found->fact[i], "nothing was written") != NULL)
            snprintf(m->kind, sizeof m->kind, "unwritten-read");
    }
    for (int i = 1; i < old.facts; i++)
        mistake_add(m, "%s", old.fact[i]);
}

/* Returns whether two threads use the same element of an image, and nothing says which of them comes first. */
static bool is_race_of_images(const struct exercise *e, const struct mistake *m)
{
    return strcmp(e->problem->axes[0], "rows") == 0 && strcmp(m->kind, "race") == 0 && m->facts > 0 && strstr(m->fact[0], "shared array") == NULL;
}

static bool may_come_from_images(const struct exercise *e, const struct mistake *m)
{
    static const char *const kinds[] = {"nothing-written", "not-a-number", "step-missing", "step-too-many", "one-step", "not-computed", "in-place",
                                        "second-run", "wrong-values", "unwritten-read", "halo", "border", "race"};
    const bool steps = strcmp(e->problem->axes[0], "rows") == 0;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && e->cuda && e->devices <= 1; i++)
        if (strcmp(m->kind, kinds[i]) == 0)
            return strcmp(m->kind, "race") == 0 ? is_race_of_images(e, m)
                                                : steps || i < 2 || strcmp(m->kind, "not-computed") == 0 || strcmp(m->kind, "second-run") == 0;
    return false;
}

bool uses_look(const struct exercise *e, const char *program, const struct size *size, size_t wanted, struct mistake *m, struct error *error)
{
    static struct uses u;
    struct mistake found = {.kind = ""};

    if (!may_come_from_images(e, m))
        return true;
    u = (struct uses){.e = e, .steps = strcmp(e->problem->axes[0], "rows") == 0};
    const bool good = rerun_with(e, program, size, "RUNGS_SIM_USES", read_uses, &u, error);
    if (good && u.works > 0 && strcmp(m->kind, "race") == 0) {
        if (tell_break(&u, &found))
            for (int i = 0; i < found.facts; i++)
                mistake_add(m, "%s", found.fact[i]);
    } else if (good && u.works > 0) {
        tell(&u, wanted, m->turns > 0 ? m->turns - 1 : 0, strcmp(m->kind, "second-run") == 0, &found);
        explain_by_uses(&found, m);
    }
    return good;
}
