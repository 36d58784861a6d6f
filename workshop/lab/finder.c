#include "workshop/lab/finder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns how much less likely a mutant at this token is: of a value, where the mistake is a place. */
static int unlikely(const struct finder *f, size_t token)
{
    enum { LESS = 4 };

    for (size_t i = 0; f->hint->place && i < f->sites; i++)
        if (f->site[i].first == token) {
            const struct path *p = &f->path[f->site[i].path];
            return p->sort == REAL || (p->sort == UNKNOWN && strchr(p->text, '.') != NULL) ? LESS : 0;
        }
    return 0;
}

/* Returns by how much the lines make a mutant more likely. */
static int likely(const struct finder *f, int line)
{
    enum { NAMED = 2, RELATED = 1 };
    bool beside = false;

    for (size_t i = 0; i < HINT_LINES; i++) {
        if (line == f->hint->line[i])
            return NAMED;
        beside = beside || (f->hint->line[i] > 0 && (line == f->hint->line[i] - 1 || line == f->hint->line[i] + 1));
    }
    if (beside) /* such as its condition */
        return RELATED;
    for (size_t i = 0; i < f->related_count; i++)
        if (line == f->related[i])
            return RELATED;
    return 0;
}

size_t finder_begin(struct finder *f, size_t token, int priority, const char *words, ...)
{
    struct mutants *all = f->all;
    va_list arguments;

    if (all->count == all->room) {
        const size_t room = 2 * all->room + 64;
        struct mutant *more = realloc(all->list, room * sizeof *more);
        if (more == NULL)
            abort();
        all->list = more;
        all->room = room;
    }
    struct mutant *m = &all->list[all->count];
    *m = (struct mutant){.line = f->t.list[token].line, .priority = priority + unlikely(f, token)};
    m->priority -= likely(f, m->line);
    for (size_t i = 0; i < f->sites; i++)
        if (f->site[i].first == token)
            snprintf(m->about, sizeof m->about, "%s", f->path[f->site[i].path].text);
    va_start(arguments, words);
    vsnprintf(m->words, sizeof m->words, words, arguments);
    va_end(arguments);
    return all->count++;
}

void finder_change(struct finder *f, size_t mutant, enum change_kind kind, size_t first, size_t end, const char *text)
{
    struct mutants *all = f->all;

    if (all->change_count == all->change_room) {
        const size_t room = 2 * all->change_room + 64;
        struct change *more = realloc(all->changes, room * sizeof *more);
        if (more == NULL)
            abort();
        all->changes = more;
        all->change_room = room;
    }
    const size_t at = f->t.list[first].at;
    all->changes[all->change_count++] = (struct change){.kind = kind, .at = at, .end = kind == BEFORE || kind == DECLARE ? at : f->t.list[end - 1].end,
                                                        .mutant = mutant, .text = strdup(text)};
}

const char *finder_plain(const struct finder *f, size_t first, size_t end, char *text, size_t room)
{
    char *all = schema_plain(f->t.text, f->t.list[first].at, f->t.list[end - 1].end);

    snprintf(text, room, "%s", all != NULL ? all : "");
    free(all);
    return text;
}

bool finder_is_learners(const struct finder *f, size_t token)
{
    return f->learners[f->t.list[token].line];
}
