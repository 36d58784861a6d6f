#include "harness/ladder_past.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cells_share_table(const struct past_cell *a, const struct past_cell *b)
{
    char one[200], other[200];

    past_size(a, one, sizeof one);
    past_size(b, other, sizeof other);
    return a->run == b->run && strcmp(a->problem, b->problem) == 0 && strcmp(one, other) == 0 &&
           strcmp(a->label, b->label) == 0;
}

/* The cell that each improves on, by index; `count`: it is not in the table. */
static size_t *find_bases(const struct past_cell cells[], size_t count)
{
    size_t *base = calloc(count + 1, sizeof *base);

    if (base == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        base[i] = count;
        for (size_t j = 0; j < count && cells[i].base[0] != '\0' && base[i] == count; j++)
            if (strcmp(cells[j].variant, cells[i].base) == 0)
                base[i] = j;
    }
    return base;
}

/* The only one without a base; "": there are several, or none. */
static const char *only_first(const struct past_cell cells[], size_t count)
{
    const char *first = "";

    for (size_t i = 0; i < count; i++) {
        if (cells[i].base[0] != '\0')
            continue;
        if (first[0] != '\0' && strcmp(first, cells[i].variant) != 0)
            return "";
        first = cells[i].variant;
    }
    return first;
}

/* Up the ladder as far as the table shows it, `count` steps at most, since a file may hold a
   circle; where a rung is missing, the only one without a base must be the first. */
static const char *first_of(const struct past_cell cells[], size_t count, const size_t base[],
                            size_t at, const char *otherwise)
{
    for (size_t step = 0; step < count && at < count; step++) {
        if (cells[at].base[0] == '\0')
            return cells[at].variant;
        at = base[at];
    }
    return otherwise;
}

static struct rival rival_of(const struct past_cell *c, const char *first)
{
    struct rival r = {.cpu = c->device[0] == '\0' || strcmp(c->device, "cpu") == 0,
                      .several = strcmp(c->scale.name, "threads") == 0
                                     ? c->scale.value > 1
                                     : ladder_several(c->threads, c->cores)};

    past_name(c, r.name, sizeof r.name);
    snprintf(r.base, sizeof r.base, "%s", c->base);
    snprintf(r.first, sizeof r.first, "%s", first);
    if (!past_timed(c))
        return r;
    r.e2e = past_rounds(&c->e2e);
    if (r.cpu)
        r.resident = r.e2e;
    else if (c->resident.device)
        r.resident = past_rounds(&c->resident);
    return r;
}

struct ladder ladder_of_cells(const struct past_cell cells[], size_t count)
{
    struct ladder l = ladder_start(count);
    size_t *base = find_bases(cells, count);
    const char *only = only_first(cells, count);
    bool together = true;

    for (size_t i = 0; i < count; i++) {
        l.rivals[i] = rival_of(&cells[i], first_of(cells, count, base, i, only));
        together &= !cells[i].alone;
    }
    free(base);
    ladder_compare(&l, together);
    return l;
}
