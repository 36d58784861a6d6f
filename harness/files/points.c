#include "harness/files/points.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/allocate.h"
#include "harness/files/columns.h"

struct reader {
    struct infile in;
    struct column columns[2]; /* latitude, longitude */
    size_t width;             /* the number of columns in every row */
    bool radians;
    size_t room;              /* how many points the arrays can hold */
    struct points points;
};

/* Adds the present row's point. */
static bool add(struct reader *r, struct error *error)
{
    struct points *p = &r->points;

    if (p->count == r->room) {
        size_t room = r->room > 0 ? 2 * r->room : 1024;
        float *lat = allocate_more(p->lat, r->room, room, sizeof *lat, r->in.name, error);
        if (lat != NULL)
            p->lat = lat;
        float *lon = lat == NULL ? NULL
                   : allocate_more(p->lon, r->room, room, sizeof *lon, r->in.name, error);
        if (lon == NULL)
            return false;
        p->lon = lon;
        r->room = room;
    }
    if (!column_angle(&r->columns[0], r->in.name, r->radians, &p->lat[p->count], error) ||
        !column_angle(&r->columns[1], r->in.name, r->radians, &p->lon[p->count], error))
        return false;
    p->count++;
    return true;
}

/* Appends a quoted name to a list, or dots if the list is full. */
static void list(char *text, size_t bytes, const char *name)
{
    size_t length = strlen(text);

    if (length > 0 && text[length - 1] == '.')
        return;
    if (length + strlen(name) + sizeof ", \"\"..." <= bytes)
        (void)snprintf(text + length, bytes - length, "%s\"%s\"", length > 0 ? ", " : "", name);
    else
        (void)snprintf(text + length, bytes - length, "...");
}

/* Reads the first row: finds the columns, and takes the row as a point if it is one. */
static bool first_row(struct reader *r, struct error *error)
{
    struct column *columns = r->columns;
    struct csv_field field;
    char seen[300] = "";
    enum csv_end end = CSV_COMMA;

    while (end == CSV_COMMA) {
        end = csv_next(&r->in, r->width == 0, &field, error);
        if (end == CSV_WRONG)
            return false;
        if (end == CSV_FILE)
            return error_set(error, "%s: is empty", r->in.name);
        if (end == CSV_EMPTY)
            return error_set(error, "%s:1: an empty line instead of a header", r->in.name);
        r->width++;
        list(seen, sizeof seen, field.text);
        for (int i = 0; i < 2; i++) {
            column_consider(&columns[i], r->width, field.text);
            if (columns[i].numbered && columns[i].at == r->width)
                columns[i].field = field;
        }
    }
    for (int i = 0; i < 2; i++)
        if (!column_choose(&columns[i], r->in.name, r->width, seen, error))
            return false;
    if (columns[0].at == columns[1].at)
        return error_set(error, "%s:1: column %zu cannot be both latitude and longitude: %s",
                         r->in.name, columns[0].at, seen);

    bool point = columns[0].numbered && columns[1].numbered &&
                 (column_has_number(&columns[0]) || column_has_number(&columns[1]));
    return !point || add(r, error);
}

/* Reads a row and sets the columns' fields.  Returns what it found. */
static enum csv_end next_row(struct reader *r, struct error *error)
{
    struct csv_field other;
    size_t line = r->in.line, width = 0;
    enum csv_end end = CSV_COMMA;

    while (end == CSV_COMMA) {
        struct csv_field *field = &other;
        for (int i = 0; i < 2; i++)
            if (r->columns[i].at == width + 1)
                field = &r->columns[i].field;
        end = csv_next(&r->in, width == 0, field, error);
        if (end != CSV_COMMA && end != CSV_ROW)
            return end;
        width++;
    }
    if (width == r->width)
        return end;
    error_set(error, "%s:%zu: the number of columns is %zu here and %zu in the first row",
              r->in.name, line, width, r->width);
    return CSV_WRONG;
}

static bool read_rows(struct reader *r, struct error *error)
{
    size_t empty = 0; /* line of the first of the empty lines that came last */

    csv_skip_mark(&r->in);
    if (!first_row(r, error))
        return false;
    for (;;) {
        size_t line = r->in.line;
        enum csv_end end = next_row(r, error);

        if (end == CSV_WRONG)
            return false;
        if (end == CSV_FILE)
            break;
        if (end == CSV_EMPTY) {
            empty = empty > 0 ? empty : line;
            continue;
        }
        if (empty > 0)
            return error_set(error, "%s:%zu: an empty line between rows", r->in.name, empty);
        if (!add(r, error))
            return false;
    }
    return r->points.count > 0 ||
           error_set(error, "%s: has a header and no rows", r->in.name);
}

bool csv_read_points(const char *file, const char *lat_name, const char *lon_name, bool radians,
                     struct points *points, struct error *error)
{
    struct reader r = {.columns = {column_latitude(lat_name), column_longitude(lon_name)},
                       .radians = radians};

    *points = (struct points){.count = 0};
    if (!infile_open(&r.in, file, error))
        return false;

    /* Some locales have a decimal comma. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    bool good = read_rows(&r, error);
    uselocale(before);
    freelocale(plain);

    infile_close(&r.in);
    if (good)
        *points = r.points;
    else
        points_free(&r.points);
    return good;
}

void points_free(struct points *points)
{
    free(points->lat);
    free(points->lon);
    *points = (struct points){.count = 0};
}
