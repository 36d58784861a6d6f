#include "workshop/lab/path.h"

#include <string.h>

#include "workshop/lab/learned.h"

struct path path_all(void)
{
    struct path p = {.tracks = true};
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
    *p = (struct path){.count = 0};
    for (size_t i = 0; i < count; i++) {
        const struct exercise *e = exercise_find(words[i], error);
        if (e == NULL)
            return false;
        if (place(p, e) == p->count)
            p->at[p->count++] = e;
    }
    return true;
}

/* Returns the first exercise from this place on that has not passed, after the last the first; if all have, the one at this
   place.  The track comes first, if the path has tracks. */
static const struct exercise *first_left(const struct path *p, size_t from, const char *track)
{
    for (int other = 0; other <= p->tracks; other++)
        for (size_t i = 0; i < p->count; i++) {
            const struct exercise *e = p->at[(from + i) % p->count];
            if (learned_of(e)->passed == 0 && (!p->tracks || (strcmp(e->track, track) != 0) == other))
                return e;
        }
    return p->at[from % p->count];
}

const struct exercise *path_current(const struct path *p)
{
    size_t last = 0;

    for (size_t i = 1; i < p->count; i++)
        if (learned_of(p->at[i])->touched > learned_of(p->at[last])->touched)
            last = i;
    return first_left(p, last, p->at[last]->track);
}

const struct exercise *path_next(const struct path *p, const struct exercise *e)
{
    const size_t at = place(p, e);

    return first_left(p, at < p->count ? at + 1 : 0, e->track);
}
