#include "harness/records/listing.h"

#include <stdlib.h>
#include <string.h>

/* --- one table -------------------------------------------------------------------------------- */

static bool is_known(const struct records *p, const struct result *r, struct error *error)
{
    const struct problem *problem = result_problem(r);

    if (problem == NULL)
        return error_set(error, "%s:%zu: this program has no problem %s", p->file, r->line,
                         r->problem);
    return result_has_size(r, problem, NULL) ||
           error_set(error, "%s:%zu: no size of %s", p->file, r->line, r->problem);
}

bool listing_make(struct listing *l, const struct records *p, size_t at, size_t count,
                  struct error *error)
{
    *l = (struct listing){.count = 0};
    for (size_t i = 0; i < count; i++)
        if (!is_known(p, &p->results[at + i], error))
            return false;
    l->count = count;
    l->results = records_table(p, at, count);
    l->ladder = ladder_make(l->results, count);
    return true;
}

void listing_free(struct listing *l)
{
    free(l->results);
    ladder_free(&l->ladder);
    *l = (struct listing){.count = 0};
}

/* --- merging ---------------------------------------------------------------------------------- */

static size_t find_name(const struct listing *l, const char *name, size_t behind)
{
    size_t at = behind;

    for (size_t i = 0; i < l->count; i++)
        if (strcmp(result_name(l->results[i]).text, name) == 0)
            at = i + 1;
    return at;
}

static void insert(struct listing *l, size_t at, struct result *result,
                   const struct comparisons *comparisons)
{
    const size_t behind = l->count - at;

    memmove(l->results + at + 1, l->results + at, behind * sizeof *l->results);
    memmove(l->ladder.comparisons + at + 1, l->ladder.comparisons + at,
            behind * sizeof *l->ladder.comparisons);
    l->results[at] = result;
    l->ladder.comparisons[at] = *comparisons;
    l->count++;
}

struct listing listing_merge(const struct listing tables[], size_t count)
{
    size_t all = 0;

    for (size_t t = 0; t < count; t++)
        all += tables[t].count;
    struct listing l = {.results = calloc(all + 1, sizeof *l.results), .ladder = ladder_start(all)};
    if (l.results == NULL)
        abort();
    for (size_t t = 0; t < count; t++) {
        size_t behind = 0; /* insert after results of the same name, else after its predecessor in its own table */
        for (size_t i = 0; i < tables[t].count; i++) {
            struct result *result = tables[t].results[i];
            behind = find_name(&l, result_name(result).text, behind);
            insert(&l, behind++, result, &tables[t].ladder.comparisons[i]);
        }
    }
    return l;
}
