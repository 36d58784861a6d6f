#include "harness/profile/sheet.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/csv.h"

enum { LEAST_COLUMNS = 4 }; /* a line with fewer is a message of the profiler */

/* Reads one row into `fields`, and their number.  Returns how it ended: CSV_ROW, CSV_EMPTY (an empty
   line), CSV_FILE (no row), or CSV_WRONG with the error set. */
static enum csv_end read_row(struct infile *in, char (*fields)[SHEET_TEXT], size_t *count,
                             struct error *error)
{
    struct csv_field field;

    *count = 0;
    for (;;) {
        const enum csv_end end = csv_next(in, ',', *count == 0, &field, error);
        if (end == CSV_EMPTY || end == CSV_FILE || end == CSV_WRONG)
            return end;
        if (*count < SHEET_COLUMNS)
            snprintf(fields[(*count)++], SHEET_TEXT, "%s", field.text);
        if (end == CSV_ROW)
            return end;
    }
}

static void *grown(void *old, size_t bytes)
{
    void *grown = realloc(old, bytes);

    if (grown == NULL)
        abort();
    return grown;
}

/* Takes the first row with several fields as the names of the columns. */
static void take_row(struct sheet *s, char (*fields)[SHEET_TEXT], size_t count)
{
    if (count < LEAST_COLUMNS)
        return;
    if (s->columns == 0) {
        s->columns = count;
        s->names = grown(NULL, count * sizeof *s->names);
        memcpy(s->names, fields, count * sizeof *fields);
        return;
    }
    for (size_t c = count; c < s->columns; c++)
        fields[c][0] = '\0';
    s->cells = grown(s->cells, (s->rows + 1) * s->columns * sizeof *s->cells);
    memcpy(s->cells + s->rows++ * s->columns, fields, s->columns * sizeof *fields);
}

bool sheet_read(struct sheet *s, const char *file, struct error *error)
{
    char(*fields)[SHEET_TEXT];
    enum csv_end end = CSV_ROW;
    struct infile in;
    size_t count;

    *s = (struct sheet){0};
    if (!infile_open(&in, file, error))
        return false;
    fields = grown(NULL, SHEET_COLUMNS * sizeof *fields);
    csv_skip_mark(&in);
    while (end != CSV_FILE && end != CSV_WRONG) {
        end = read_row(&in, fields, &count, error);
        if (end == CSV_ROW)
            take_row(s, fields, count);
    }
    infile_close(&in);
    free(fields);
    const bool read = end != CSV_WRONG && (s->columns > 0 || error_set(error, "%s: no table", file));
    if (!read)
        sheet_free(s);
    return read;
}

void sheet_free(struct sheet *s)
{
    free(s->names);
    free(s->cells);
    *s = (struct sheet){0};
}

size_t sheet_column(const struct sheet *s, const char *name)
{
    size_t c = 0;

    while (c < s->columns && strcmp(s->names[c], name) != 0)
        c++;
    return c;
}

const char *sheet_text(const struct sheet *s, size_t row, size_t column)
{
    return row < s->rows && column < s->columns ? s->cells[row * s->columns + column] : "";
}

double sheet_number(const struct sheet *s, size_t row, size_t column)
{
    char digits[SHEET_TEXT], *end;
    size_t count = 0;

    for (const char *t = sheet_text(s, row, column); *t != '\0'; t++)
        if (*t != ',')
            digits[count++] = *t;
    digits[count] = '\0';
    double value = strtod(digits, &end);
    return count > 0 && *end == '\0' ? value : NAN;
}
