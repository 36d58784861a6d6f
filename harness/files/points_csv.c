/* Points from a CSV file. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "harness/files/columns.h"
#include "harness/files/points_format.h"

enum { LATITUDE, LONGITUDE, NAME };

struct reader {
    struct infile *in;
    const struct points_asked *asked;
    struct points *points;
    char separator;
    struct column columns[3];
    size_t column_count; /* 2 if no names are asked for */
    size_t width;        /* the number of columns in every row */
    size_t rows;         /* read so far, header and blank lines apart */
    size_t sheet;        /* the present row, as a spreadsheet numbers it */
};

/* Where commas do not separate, they are decimal: no angle has thousands. */
static void take_decimal_comma(struct column *c)
{
    char *comma = strchr(c->field.text, ',');

    if (comma != NULL && strpbrk(comma + 1, ",.") == NULL)
        *comma = '.';
}

static bool add_name(struct reader *r, struct error *error)
{
    const struct csv_field *field = &r->columns[NAME].field;

    if (field->length > CSV_TEXT)
        return error_set(error, "%s:%zu:%zu: the name is longer than %d bytes", r->in->name, field->line,
                         field->column, CSV_TEXT);
    return points_name(r->points, field->text, r->in->name, error);
}

/* Adds the present row's point. */
static bool add(struct reader *r, struct error *error)
{
    struct column *lat = &r->columns[LATITUDE], *lon = &r->columns[LONGITUDE];
    const char *file = r->in->name;
    const size_t row = r->rows++;
    double angles[2];

    if (r->asked->skip_missing && (column_is_missing(lat) || column_is_missing(lon))) {
        r->points->skipped++;
        return true;
    }
    if (r->separator != ',') {
        take_decimal_comma(lat);
        take_decimal_comma(lon);
    }
    return column_angle(lat, file, r->asked->radians, &angles[0], error) &&
           column_angle(lon, file, r->asked->radians, &angles[1], error) &&
           points_add(r->points, angles[0], angles[1], row, r->sheet, file, error) &&
           (r->column_count <= NAME || add_name(r, error));
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

/* Returns whether the first row is data: both columns are given by number, and have numbers or nothing. */
static bool is_point(const struct column *lat, const struct column *lon)
{
    return lat->numbered && lon->numbered &&
           (column_has_number(lat) || column_has_number(lon) ||
            (column_is_missing(lat) && column_is_missing(lon)));
}

/* Gives the field to the columns that lie there. */
static void take_field(struct reader *r, size_t at, const struct csv_field *field)
{
    for (size_t i = 0; i < r->column_count; i++)
        if (r->columns[i].at == at)
            r->columns[i].field = *field;
}

/* Finds the columns in the first row, and takes the row as a point if it is one. */
static bool first_row(struct reader *r, struct infile *row, struct error *error)
{
    struct column *columns = r->columns;
    const size_t line = row->line;
    struct csv_field field;
    char seen[300] = "";
    enum csv_end end = CSV_FIELD;

    r->sheet = line; /* only blank lines come before it */
    while (end == CSV_FIELD) {
        end = csv_next(row, r->separator, r->width == 0, &field, error);
        if (end == CSV_WRONG)
            return false;
        r->width++;
        list(seen, sizeof seen, field.text);
        for (size_t i = 0; i < r->column_count; i++)
            column_consider(&columns[i], r->width, field.text);
        take_field(r, r->width, &field); /* of columns that are given by number */
    }
    for (size_t i = 0; i < r->column_count; i++)
        if (!column_choose(&columns[i], r->in->name, line, r->width, seen, error))
            return false;
    if (columns[LATITUDE].at == columns[LONGITUDE].at)
        return error_set(error, "%s:%zu: column %zu cannot be both latitude and longitude: %s",
                         r->in->name, line, columns[LATITUDE].at, seen);
    return !is_point(&columns[LATITUDE], &columns[LONGITUDE]) || add(r, error);
}

static bool is_blank(const struct csv_field *field)
{
    return field->text[strspn(field->text, " \t")] == '\0';
}

/* Reads a row and sets the columns' fields.  Returns what it found; a line of blanks is empty. */
static enum csv_end next_row(struct reader *r, struct error *error)
{
    struct csv_field field;
    size_t line = r->in->line, width = 0;
    enum csv_end end = CSV_FIELD;

    r->sheet++;
    while (end == CSV_FIELD) {
        end = csv_next(r->in, r->separator, width == 0, &field, error);
        if (end != CSV_FIELD && end != CSV_ROW)
            return end;
        if (end == CSV_ROW && width == 0 && is_blank(&field))
            return CSV_EMPTY;
        take_field(r, ++width, &field);
    }
    if (width == r->width)
        return end;
    error_set(error, "%s:%zu: the number of columns is %zu here and %zu in the first row",
              r->in->name, line, width, r->width);
    return CSV_WRONG;
}

static bool read_rows(struct reader *r, struct error *error)
{
    struct csv_head head;

    if (!csv_read_head(r->in, &head, error))
        return false;
    r->separator = head.separator;
    bool good = first_row(r, &head.row, error);
    csv_head_free(&head);
    while (good) {
        enum csv_end end = next_row(r, error);

        if (end == CSV_FILE)
            return r->rows > 0 || error_set(error, "%s: has a header and no rows", r->in->name);
        good = end == CSV_EMPTY || (end == CSV_ROW && add(r, error));
    }
    return false;
}

bool points_csv(struct infile *in, const struct points_asked *asked, struct points *points,
                struct error *error)
{
    struct reader r = {.in = in, .asked = asked, .points = points,
                       .columns = {column_latitude(asked->lat), column_longitude(asked->lon),
                                   column_name(asked->name)},
                       .column_count = asked->name.value != NULL ? 3 : 2};

    /* Some locales have a decimal comma. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    bool good = read_rows(&r, error);
    uselocale(before);
    freelocale(plain);
    return good;
}
