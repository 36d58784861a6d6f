/* A table with labels from a CSV file: a header, then rows of numbers, one column of which is the label. */
#define _GNU_SOURCE
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/csv.h"
#include "harness/problems/data/labelled.h"

struct reader {
    struct infile *in;
    const struct labels_asked *asked;
    struct labelled *t;
    char separator;
    size_t width, label; /* columns, and which of them is the label, from 0 */
    size_t room;         /* rows that fit */
};

/* --- the header ------------------------------------------------------------------------------- */

static bool add_name(struct reader *r, const char *name, struct error *error)
{
    char **longer = realloc(r->t->names, (r->width + 1) * sizeof *longer);

    if (longer == NULL)
        return error_set(error, "%s: no memory", r->in->name);
    r->t->names = longer;
    longer[r->width] = strdup(name);
    r->t->n = ++r->width;
    return longer[r->width - 1] != NULL || error_set(error, "%s: no memory", r->in->name);
}

/* Finds the column that the user named, by name or by number from 1. */
static bool find_label(struct reader *r, struct error *error)
{
    const char *asked = r->asked->column;
    char *end = NULL;

    size_t matches = 0;

    r->label = r->width - 1;
    if (asked == NULL)
        return true;
    for (size_t j = r->width; j-- > 0;)
        if (strcmp(r->t->names[j], asked) == 0) {
            r->label = j;
            matches++;
        }
    if (matches > 0)
        return matches == 1 || error_set(error, "%s: %zu columns are called \"%s\": give --label a number; the first is %zu",
                                         r->in->name, matches, asked, r->label + 1);
    const unsigned long number = strtoul(asked, &end, 10);
    r->label = number - 1;
    return (end != asked && *end == '\0' && number >= 1 && number <= r->width) ||
           error_set(error, "%s: there is no column \"%s\"; the first of %zu is \"%s\"", r->in->name, asked, r->width,
                     r->t->names[0]);
}

/* Reads the names, and takes the label's out. */
static bool read_header(struct reader *r, struct infile *row, struct error *error)
{
    struct csv_field field;
    enum csv_end end = CSV_FIELD;
    char *number_end = NULL;

    while (end == CSV_FIELD) {
        end = csv_next(row, r->separator, r->width == 0, &field, error);
        if (end == CSV_WRONG || !add_name(r, field.text, error))
            return false;
    }
    strtod(r->t->names[0], &number_end);
    if (number_end != r->t->names[0] && *number_end == '\0')
        return error_set(error, "%s: the first row has numbers, not the names of the columns: add a header", r->in->name);
    if (!find_label(r, error))
        return false;
    free(r->t->names[r->label]);
    memmove(r->t->names + r->label, r->t->names + r->label + 1, (r->width - r->label - 1) * sizeof *r->t->names);
    r->t->n = r->width - 1;
    return true;
}

/* --- rows ------------------------------------------------------------------------------------- */

static bool grow(struct reader *r, struct error *error)
{
    struct labelled *t = r->t;

    if (t->m < r->room)
        return true;
    r->room = r->room == 0 ? 1024 : 2 * r->room;
    float *x = realloc(t->x, r->room * (t->n > 0 ? t->n : 1) * sizeof *x);
    if (x == NULL)
        return error_set(error, "%s: no memory for %zu rows", r->in->name, r->room);
    t->x = x;
    uint8_t *y = realloc(t->y, r->room);
    if (y == NULL)
        return error_set(error, "%s: no memory for %zu rows", r->in->name, r->room);
    t->y = y;
    return true;
}

static bool take_number(struct reader *r, const struct csv_field *field, size_t at, struct error *error)
{
    struct labelled *t = r->t;
    char *end = NULL;
    const double value = strtod(field->text, &end);
    const float stored = (float)value;

    if (end == field->text || end[strspn(end, " \t")] != '\0' || field->length > CSV_TEXT)
        return error_set(error, "%s:%zu:%zu: \"%s\" is no number", r->in->name, field->line, field->column, field->text);
    if (!isfinite(stored))
        return error_set(error, "%s:%zu:%zu: %s is beyond float32, or not finite", r->in->name, field->line, field->column,
                         field->text);
    t->rounded += (double)stored != value;
    t->x[t->m * t->n + (at > r->label ? at - 1 : at)] = stored;
    return true;
}

static bool take_label(struct reader *r, const struct csv_field *field, struct error *error)
{
    char *end = NULL;
    const double value = strtod(field->text, &end);
    const bool number = end != field->text && end[strspn(end, " \t")] == '\0';

    if (r->asked->one != NULL && field->text[strspn(field->text, " \t")] == '\0')
        return error_set(error, "%s:%zu:%zu: the row has no label", r->in->name, field->line, field->column);
    r->t->y[r->t->m] = r->asked->one != NULL ? strcmp(field->text, r->asked->one) == 0 : value == 1.0;
    return r->asked->one != NULL || (number && (value == 0.0 || value == 1.0)) ||
           error_set(error, "%s:%zu:%zu: the label is \"%s\", not 0 or 1; --one says which word is 1, --label which column",
                     r->in->name, field->line, field->column, field->text);
}

static enum csv_end wrong_width(struct reader *r, size_t line, size_t width, struct error *error)
{
    error_set(error, "%s:%zu: the number of columns is %zu here and %zu in the first row", r->in->name, line, width,
              r->width);
    return CSV_WRONG;
}

static enum csv_end read_row(struct reader *r, struct error *error)
{
    struct csv_field field;
    const size_t line = r->in->line;
    enum csv_end end = CSV_FIELD;
    size_t at = 0;

    if (!grow(r, error))
        return CSV_WRONG;
    for (; end == CSV_FIELD; at++) {
        end = csv_next(r->in, r->separator, at == 0, &field, error);
        if (end != CSV_FIELD && end != CSV_ROW)
            return end;
        if (end == CSV_ROW && at == 0 && field.text[strspn(field.text, " \t")] == '\0')
            return CSV_EMPTY;
        if (at >= r->width)
            return wrong_width(r, line, at + 1, error);
        if (r->separator != ',' && at != r->label)
            csv_decimal_comma(&field);
        if (!(at == r->label ? take_label(r, &field, error) : take_number(r, &field, at, error)))
            return CSV_WRONG;
    }
    r->t->m += at == r->width;
    return at == r->width ? end : wrong_width(r, line, at, error);
}

/* A word that no row has is a mistake; the answer would be that of a table without a 1. */
static bool has_the_word(const struct reader *r, struct error *error)
{
    return r->asked->one == NULL || memchr(r->t->y, 1, r->t->m) != NULL ||
           error_set(error, "%s: no row has the label \"%s\", which --one names", r->in->name, r->asked->one);
}

static bool read_table(struct reader *r, struct error *error)
{
    struct csv_head head;
    enum csv_end end = CSV_ROW;

    if (!csv_read_head(r->in, &head, error))
        return false;
    r->separator = head.separator;
    const bool good = read_header(r, &head.row, error);
    csv_head_free(&head);
    while (good && (end == CSV_ROW || end == CSV_EMPTY))
        end = read_row(r, error);
    return good && end == CSV_FILE &&
           (r->t->m > 0 || error_set(error, "%s: has a header and no rows", r->in->name)) && has_the_word(r, error);
}

bool labelled_csv(const char *file, const struct labels_asked *asked, struct labelled *t, struct error *error)
{
    struct infile in;
    struct reader r = {.in = &in, .asked = asked, .t = t};

    if (!infile_open(&in, file, error))
        return false;
    /* Some locales have a decimal comma. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    const bool good = read_table(&r, error);
    uselocale(before);
    freelocale(plain);
    infile_close(&in);
    return good;
}
