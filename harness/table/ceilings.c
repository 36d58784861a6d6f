#include "harness/table/ceilings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/records/write.h"

enum {
    C_BY, C_DEVICE, C_RESOURCE, C_MATH, C_CEILING, C_SET, C_CORES, C_STATUS, C_BEST, C_MEDIAN,
    C_LOW, C_HIGH, C_WIDTH, C_HOW
};

static const struct grid_column columns[] = {
    [C_BY] = {"by", "name", .left = true},
    [C_DEVICE] = {.name = "device"},
    [C_RESOURCE] = {.name = "resource"},
    [C_MATH] = {.name = "math"},
    [C_CEILING] = {"ceiling", .left = true},
    [C_SET] = {.heading = "set", .name = "bytes"},
    [C_CORES] = {.heading = "cores", .name = "cores"},
    [C_STATUS] = {.name = "status"},
    [C_BEST] = {.heading = "best", .name = "best"},
    [C_MEDIAN] = {.name = "median"},
    [C_LOW] = {.name = "low"},
    [C_HIGH] = {.name = "high"},
    [C_WIDTH] = {.heading = "+-"},
    [C_HOW] = {"how", .left = true},
};

static void set_names(struct grid *g, const struct ceiling_value *v)
{
    const bool plain = v->math == MATH_F32;

    grid_word(g, C_BY, v->name);
    grid_set(g, C_DEVICE, "%s", v->device);
    grid_set(g, C_RESOURCE, "%s", resource_names[v->resource]);
    grid_set(g, C_MATH, "%s", math_names[v->math]);
    grid_set(g, C_STATUS, "%s", outcome_names[v->fate.outcome]);
    if (v->fate.outcome == OUTCOME_NO_DEVICE)
        grid_set(g, C_CEILING, "%s", v->device);
    else
        grid_set(g, C_CEILING, "%s %s%s%s", v->device, resource_names[v->resource],
                 plain ? "" : ", ", plain ? "" : math_names[v->math]);
}

static void set_numbers(struct grid *g, const struct ceiling_value *v)
{
    grid_number(g, C_SET, (double)v->bytes);
    grid_number(g, C_CORES, v->cores);
    grid_number(g, C_BEST, v->best);
    grid_number(g, C_MEDIAN, v->median);
    grid_number(g, C_LOW, v->low);
    grid_number(g, C_HIGH, v->high);
}

static void set_texts(struct grid *g, const struct ceiling_value *v)
{
    char best[40];

    if (v->bytes >= 1 << 20)
        grid_set(g, C_SET, "%zu MiB", v->bytes >> 20);
    else if (v->bytes >= 1 << 10)
        grid_set(g, C_SET, "%zu KiB", v->bytes >> 10);
    else if (v->bytes > 0)
        grid_set(g, C_SET, "%zu B", v->bytes);
    if (v->cores > 0)
        grid_set(g, C_CORES, "%d", v->cores);
    grid_set(g, C_BY, "%s", v->name);
    if (v->fate.outcome != OUTCOME_OK)
        return;
    resource_describe(v->resource, v->best, best, sizeof best);
    grid_set(g, C_BEST, "%s", best);
    if (isfinite(v->low))
        grid_set(g, C_WIDTH, "%.1f%%", 50.0 * (v->high - v->low) / v->median);
}

static void add_value(struct grid *g, const struct ceiling_value *v, bool people)
{
    const char *rest = v->fate.outcome == OUTCOME_OK ? v->idea : v->fate.reason;
    struct grid_row *row = grid_row(g);

    if (!people)
        row->seen = SEEN_PROGRAMS;
    set_names(g, v);
    set_numbers(g, v);
    if (v->fate.outcome != OUTCOME_NO_DEVICE)
        set_texts(g, v);
    if (v->fate.outcome != OUTCOME_OK)
        grid_set(g, C_BEST, "%s", outcome_names[v->fate.outcome]);
    if (rest[0] != '\0') /* values read from records have no text */
        grid_rest(g, rest);
}

/* Hides repetitions: memory is measured in several ways, and only the best is shown; a missing device is
   named once.  Other failures are always shown. */
static bool said_already(const struct ceiling_value *const values[], size_t count, size_t at)
{
    const struct ceiling_value *v = values[at];

    for (size_t i = 0; i < count; i++) {
        const struct ceiling_value *w = values[i];
        if (strcmp(w->device, v->device) != 0)
            continue;
        if (v->fate.outcome == OUTCOME_NO_DEVICE && w->fate.outcome == OUTCOME_NO_DEVICE && i < at)
            return true;
        if (v->resource == RESOURCE_MEMORY && w->resource == RESOURCE_MEMORY &&
            w->bytes == v->bytes && w->cores == v->cores && w->best > v->best)
            return true;
    }
    return false;
}

/* Orders by device (CPU first), resource, arithmetic, cores and working set. */
static int in_order(const void *a, const void *b)
{
    const struct ceiling_value *v = *(const struct ceiling_value *const *)a;
    const struct ceiling_value *w = *(const struct ceiling_value *const *)b;
    const double numbers[][2] = {{v->resource, w->resource},
                                 {v->math, w->math},
                                 {v->cores, w->cores},
                                 {(double)v->bytes, (double)w->bytes}};
    int order = strcmp(v->device, w->device);

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && order == 0; i++)
        order = (numbers[i][0] > numbers[i][1]) - (numbers[i][0] < numbers[i][1]);
    return order != 0 ? order : strcmp(v->name, w->name);
}

void table_ceilings(FILE *out, enum format format, const struct ceiling_value values[],
                    size_t count, const char *caption)
{
    const struct ceiling_value **sorted = calloc(count + 1, sizeof *sorted);
    struct grid g;

    if (sorted == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        sorted[i] = &values[i];
    if (format != FORMAT_CSV && format != FORMAT_JSON)
        qsort(sorted, count, sizeof *sorted, in_order);
    grid_start(&g);
    grid_columns(&g, columns, sizeof columns / sizeof *columns);
    if (caption != NULL)
        grid_caption(&g, "%s", caption);
    g.rest_from = C_HOW;
    grid_order(&g, C_CEILING, C_SET, C_CORES, C_BEST, C_WIDTH, C_BY, C_HOW);
    grid_spare(&g, C_BY, C_WIDTH);
    for (size_t i = 0; i < count; i++) {
        add_value(&g, sorted[i], format == FORMAT_HTML || !said_already(sorted, count, i));
        if (format == FORMAT_JSON)
            g.rows[i].record = ceiling_write(sorted[i]);
    }
    grid_print(&g, format, out);
    grid_free(&g);
    free(sorted);
}
