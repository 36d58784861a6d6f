#include "harness/past_merge.h"

#include <stdlib.h>
#include <string.h>

static size_t find_name(const struct merged *m, const char *name, size_t behind)
{
    size_t at = behind;

    for (size_t i = 0; i < m->count; i++)
        if (strcmp(row_name(m->rows[i]).variant, name) == 0)
            at = i + 1;
    return at;
}

/* Each row goes behind those of the same name, or else behind the one before it in its own table.
   `place` gets where each one is in the end. */
static void merge_rows(struct merged *m, const struct past_rows tables[], size_t count)
{
    for (size_t t = 0; t < count; t++) {
        size_t behind = 0;
        for (size_t i = 0; i < tables[t].count; i++) {
            struct row *row = tables[t].rows[i];
            behind = find_name(m, row_name(row).variant, behind);
            memmove(m->rows + behind + 1, m->rows + behind, (m->count - behind) * sizeof *m->rows);
            m->rows[behind++] = row;
            m->count++;
        }
    }
}

static size_t place_of(const struct merged *m, const struct row *row)
{
    size_t at = 0;

    while (m->rows[at] != row)
        at++;
    return at;
}

/* The standings stay as they are: each row is compared within its own table. */
static void merge_ladders(struct merged *m, const struct past_rows *table)
{
    const struct ladder *l = &table->ladder;

    for (size_t i = 0; i < table->count; i++) {
        const size_t at = place_of(m, table->rows[i]);
        m->ladder.rivals[at] = l->rivals[i];
        m->ladder.standings[at] = l->standings[i];
        for (size_t role = 0; role < ROLES; role++) {
            const struct rival *than = l->standings[i].than[role];
            m->ladder.standings[at].than[role] =
                than == NULL ? NULL
                             : &m->ladder.rivals[place_of(m, table->rows[than - l->rivals])];
        }
    }
}

struct merged merge_tables(const struct past_rows tables[], size_t count)
{
    size_t rows = 0;

    for (size_t t = 0; t < count; t++)
        rows += tables[t].count;
    struct merged m = {.rows = calloc(rows + 1, sizeof *m.rows), .ladder = ladder_start(rows)};
    if (m.rows == NULL)
        abort();
    merge_rows(&m, tables, count);
    for (size_t t = 0; t < count; t++)
        merge_ladders(&m, &tables[t]);
    return m;
}

void merge_free(struct merged *m)
{
    free(m->rows);
    ladder_free(&m->ladder);
}
