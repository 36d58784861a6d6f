#include "workshop/lab/unread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/compact.h"
#include "harness/model/registry.h"
#include "workshop/lab/case.h"
#include "workshop/lab/own_lines.h"
#include "workshop/lab/rerun.h"

struct context {
    const struct exercise *e;
    struct mistake *m;
    bool words; /* of tiles are looked at, and not elements that are not read */
};

/* Reads the name of the array that was made in the line of this place. */
static bool name_of(const struct exercise *e, const char *place, char *name, size_t room)
{
    const char *colon = strrchr(place, ':');

    return colon != NULL && own_lines_array(e, atoi(colon + 1), name, room);
}

/* Tells "unread PLACE words unread first last ...". */
static void tell_unread(const struct context *c, const char *line)
{
    enum { SHOWN = 3, MANY = 8 };
    char place[160], name[48], text[160] = "";
    size_t words, unread, first, last, shown = 0, used = 0;
    int at = 0, step;

    if (sscanf(line, "unread %159s %zu %zu%n", place, &words, &unread, &at) != 3 || unread == 0 || !name_of(c->e, place, name, sizeof name))
        return;
    if (words >= MANY && unread + 1 == words && sscanf(line + at, " %zu %zu", &first, &last) == 2 && first == 1 && last + 1 == words) {
        const struct mistake found = *c->m;
        c->m->facts = 0;
        mistake_add(c->m, "of the %zu elements of %s only number 0 is read: by each thread, whatever its number is", words, name);
        c->m->named = true;
        for (int i = 0; i < found.facts; i++)
            mistake_add(c->m, "%s", found.fact[i]);
        return;
    }
    if (2 * unread > words)
        return;
    for (const char *run = line + at; used < sizeof text && shown < SHOWN && sscanf(run, " %zu %zu%n", &first, &last, &step) == 2; run += step, shown++)
        used += (size_t)(first == last ? snprintf(text + used, sizeof text - used, "%s%zu", shown > 0 ? ", " : "", first)
                                       : snprintf(text + used, sizeof text - used, "%s%zu to %zu", shown > 0 ? ", " : "", first, last));
    mistake_add(c->m, "of the %zu elements of %s, %zu %s read by no thread: number %s%s", words, name, unread, unread == 1 ? "is" : "are", text,
                last + 1 < words && shown == SHOWN && unread > SHOWN ? " ..." : "");
}

/* Tells of "holds PLACE low high low high ...", the words of tiles, the first that says OWN and another number than that which its tile
   keeps. */
static void tell_words(const struct context *c, const char *line)
{
    enum { TILE = 256, OWN = 1, MOST_TILES = 4 };
    const struct compact *p = (const struct compact *)(const void *)arena_layout(case_arena())->data;
    char place[160], name[48];
    unsigned low, high;
    int at = 0, step;

    if (sscanf(line, "holds %159s%n", place, &at) != 1 || !name_of(c->e, place, name, sizeof name) || strcmp(name, "d_words") != 0)
        return;
    line += at;
    for (size_t t = 0; t < MOST_TILES && sscanf(line, " %u %u%n", &low, &high, &step) == 2; t++, line += step) {
        size_t keeps = 0;
        for (size_t i = t * TILE; i < (t + 1) * TILE && i < p->n; i++)
            keeps += p->x[i] == p->x[i]; /* else it is NaN */
        if ((low & 3) != OWN || (low >> 2) == keeps)
            continue;
        mistake_add(c->m, "the word of tile %zu says OWN and the number %u, and tile %zu keeps %zu elements", t, low >> 2, t, keeps);
        return;
    }
}

/* Tells of "holds PLACE low high ..." if the word of tile 0, which knows at once what ALL is, still says OWN. */
static void tell_left(const char *path, void *context)
{
    enum { OWN = 1 };
    const struct context *c = context;
    char line[600], place[160], name[48];
    unsigned low;
    FILE *f = fopen(path, "r");

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "holds %159s %u", place, &low) == 2 && name_of(c->e, place, name, sizeof name) && strcmp(name, "d_words") == 0 && (low & 3) == OWN)
            mistake_add(c->m, "the word of tile 0 says OWN in the end, and not ALL");
    if (f != NULL)
        fclose(f);
}

/* Tells "order PLACE block word word ...", of the words of tiles, which have 8 bytes. */
static void tell_order(const struct context *c, const char *line)
{
    char place[160], name[48], text[120] = "";
    size_t block, word, first = 0, count = 0, used = 0;
    int at = 0, step;

    if (sscanf(line, "order %159s %zu%n", place, &block, &at) != 2 || block == 0 || !name_of(c->e, place, name, sizeof name) || strcmp(name, "d_words") != 0)
        return;
    for (const char *next = line + at; used < sizeof text && sscanf(next, " %zu%n", &word, &step) == 1; next += step, count++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu", count > 0 ? ", " : "", word / 2);
        first = count == 0 ? word / 2 : first;
    }
    if (first + 1 != block)
        mistake_add(c->m, "tile %zu has read the words of tiles %s: first that of tile %zu, and not that of tile %zu, which is just before it", block, text, first,
                    block - 1);
    else if (block == 2)
        mistake_add(c->m, "tile %zu has read the words of tiles %s, in this order", block, text);
}

static void read_file(const char *path, void *context)
{
    const struct context *c = context;
    FILE *f = fopen(path, "r");
    char line[600];
    const int before = c->m->facts;

    while (f != NULL && c->m->facts < before + 2 && fgets(line, sizeof line, f) != NULL) {
        if (c->words) {
            tell_words(c, line);
            tell_order(c, line);
        } else {
            tell_unread(c, line);
        }
    }
    if (f != NULL)
        fclose(f);
}

bool unread_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error)
{
    const char *problem = problem_name(e->problem);
    const bool words = strcmp(problem, "compact") == 0 && m->facts > 0 && strstr(m->fact[0], "numbers of OWN are not in the sum") != NULL;
    struct context c = {e, m, words};

    if (!words && (strcmp(m->kind, "wrong-values") != 0 || (strcmp(problem, "knn") != 0 && strcmp(problem, "reduce") != 0 && strcmp(problem, "matmul") != 0)))
        return true;
    return rerun_with(e, program, size, "RUNGS_SIM_READS", read_file, &c, error);
}

bool unread_words(const struct exercise *e, const char *program, struct mistake *m, struct error *error)
{
    struct context c = {e, m, true};

    return strcmp(m->kind, "looks-too-far") != 0 || rerun_with(e, program, &e->counted, "RUNGS_SIM_READS", tell_left, &c, error);
}
