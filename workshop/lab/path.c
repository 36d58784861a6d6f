#include "workshop/lab/path.h"

#include <string.h>

#include "workshop/lab/learned.h"

struct path path_all(void)
{
    struct path p = {.count = 0};
    const struct exercise *list;
    const size_t count = exercises(&list);

    while (p.count < count) {
        p.at[p.count] = &list[p.count];
        p.count++;
    }
    return p;
}

/* Returns the place of an exercise, or the number of exercises if it is not of the path. */
static size_t place(const struct path *p, const struct exercise *e)
{
    size_t i = 0;

    while (i < p->count && p->at[i] != e)
        i++;
    return i;
}

bool path_read(struct path *p, const char *const *words, size_t count, struct error *error)
{
    if (count == 0) {
        *p = path_all();
        return true;
    }
    *p = (struct path){.named = true};
    for (size_t i = 0; i < count; i++) {
        const struct exercise *e = exercise_find(words[i], error);
        if (e == NULL)
            return false;
        if (place(p, e) == p->count)
            p->at[p->count++] = e;
    }
    return true;
}

const struct exercise *path_next(const struct path *p, const struct exercise *e)
{
    const size_t at = place(p, e), from = at < p->count ? at + 1 : 0;

    for (int other = p->named ? 1 : 0; other < 2; other++)
        for (size_t i = 0; i < p->count; i++) {
            const struct exercise *next = p->at[(from + i) % p->count];
            if (learned_of(next)->passed == 0 && (other || strcmp(next->track, e->track) == 0))
                return next;
        }
    return p->at[from % p->count];
}

const struct exercise *path_current(const struct path *p)
{
    const struct exercise *last = p->at[0];

    for (size_t i = 1; i < p->count; i++)
        if (learned_of(p->at[i])->touched > learned_of(last)->touched)
            last = p->at[i];
    const struct exercise *next = path_next(p, last);
    return learned_of(last)->passed == 0 || learned_of(next)->passed > 0 ? last : next;
}
