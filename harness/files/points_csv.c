/* Points from a CSV file. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "harness/files/columns.h"
#include "harness/files/points_format.h"

struct reader {
    struct infile *in;
    const struct points_asked *asked;
    struct points *points;
    char separator;
    struct columns columns;
    size_t rows;  /* read so far, header and blank lines apart */
    size_t sheet; /* the present row, as a spreadsheet numbers it */
};

static bool add_name(struct reader *r, struct error *error)
{
    const struct csv_field *field = &r->columns.column[NAME].field;

    if (field->length > CSV_TEXT)
        return error_set(error, "%s:%zu:%zu: the name is longer than %d bytes", r->in->name, field->line,
                         field->column, CSV_TEXT);
    return points_name(r->points, field->text, r->in->name, error);
}

static bool read_angle(struct reader *r, const struct column *c, double *angle, struct error *error)
{
    return column_angle(c, r->asked->radians, angle, error) ||
           error_set(error, "%s:%zu:%zu: %s", r->in->name, c->field.line, c->field.column, error->text);
}

/* Adds the present row's point. */
static bool add(struct reader *r, struct error *error)
{
    struct column *lat = &r->columns.column[LATITUDE], *lon = &r->columns.column[LONGITUDE];
    const char *file = r->in->name;
    const size_t row = r->rows++;
    double angles[2];

    if (r->asked->skip_missing && (column_is_missing(lat) || column_is_missing(lon))) {
        r->points->skipped++;
        return true;
    }
    if (r->separator != ',') {
        csv_decimal_comma(&lat->field); /* no angle has thousands */
        csv_decimal_comma(&lon->field);
    }
    return read_angle(r, lat, &angles[0], error) && read_angle(r, lon, &angles[1], error) &&
           points_add(r->points, angles[0], angles[1], row, r->sheet, file, error) &&
           (r->columns.count <= NAME || add_name(r, error));
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
    for (size_t i = 0; i < r->columns.count; i++)
        if (r->columns.column[i].at == at)
            r->columns.column[i].field = *field;
}

/* Finds the columns in the first row, and takes the row as a point if it is one. */
static bool first_row(struct reader *r, struct csv_head *head, struct error *error)
{
    struct infile *row = &head->row;
    struct columns *c = &r->columns;
    struct csv_field field;
    enum csv_end end = CSV_FIELD;
    char where[300];

    r->sheet = row->line - head->hidden; /* only blank lines come before it */
    (void)snprintf(where, sizeof where, "%s:%zu", r->in->name, row->line);
    while (end == CSV_FIELD) {
        end = csv_next(row, r->separator, c->width == 0, &field, error);
        if (end == CSV_WRONG)
            return false;
        columns_consider(c, field.text);
        take_field(r, c->width, &field); /* of columns that are given by number */
    }
    return columns_choose(c, where, error) &&
           (!is_point(&c->column[LATITUDE], &c->column[LONGITUDE]) || add(r, error));
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
    if (width == r->columns.width)
        return end;
    error_set(error, "%s:%zu: the number of columns is %zu here and %zu in the first row",
              r->in->name, line, width, r->columns.width);
    return CSV_WRONG;
}

static bool read_rows(struct reader *r, struct error *error)
{
    struct csv_head head;

    if (!csv_read_head(r->in, &head, error))
        return false;
    r->separator = head.separator;
    bool good = first_row(r, &head, error);
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
    struct reader r = {.in = in, .asked = asked, .points = points, .columns = columns_asked(asked)};

    /* Some locales have a decimal comma. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    bool good = read_rows(&r, error);
    uselocale(before);
    freelocale(plain);
    return good;
}
