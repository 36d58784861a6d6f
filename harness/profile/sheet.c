#include "harness/profile/sheet.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/csv.h"

enum { LEAST_COLUMNS = 4 }; /* a line of fewer is something that the profiler says */

/* Reads one row into `fields`; returns how many there are, 0 for an empty line, SIZE_MAX at the end
   of the file or an error. */
static size_t read_row(struct infile *in, char (*fields)[SHEET_TEXT], struct error *error)
{
    struct csv_field field;
    size_t count = 0;

    for (;;) {
        enum csv_end end = csv_next(in, count == 0, &field, error);
        if (end == CSV_EMPTY)
            return 0;
        if (end == CSV_FILE || end == CSV_WRONG)
            return SIZE_MAX;
        if (count < SHEET_COLUMNS)
            snprintf(fields[count++], SHEET_TEXT, "%s", field.text);
        if (end == CSV_ROW)
            return count;
    }
}

static void *grown(void *old, size_t bytes)
{
    void *grown = realloc(old, bytes);

    if (grown == NULL)
        abort();
    return grown;
}

bool sheet_read(struct sheet *s, const char *file, struct error *error)
{
    char(*fields)[SHEET_TEXT] = grown(NULL, SHEET_COLUMNS * sizeof *fields);
    struct infile in;
    size_t count;

    *s = (struct sheet){0};
    error->text[0] = '\0';
    if (!infile_open(&in, file, error)) {
        free(fields);
        return false;
    }
    csv_skip_mark(&in);
    while ((count = read_row(&in, fields, error)) != SIZE_MAX) {
        if (s->columns == 0 && count >= LEAST_COLUMNS) {
            s->columns = count;
            s->names = grown(NULL, count * sizeof *s->names);
            memcpy(s->names, fields, count * sizeof *fields);
        } else if (s->columns > 0 && count >= LEAST_COLUMNS) {
            for (size_t c = count; c < s->columns; c++)
                fields[c][0] = '\0';
            s->cells = grown(s->cells, (s->rows + 1) * s->columns * sizeof *s->cells);
            memcpy(s->cells + s->rows++ * s->columns, fields, s->columns * sizeof *fields);
        }
    }
    infile_close(&in);
    free(fields);
    if (error->text[0] == '\0' && s->columns == 0)
        error_set(error, "%s: no table", file);
    if (error->text[0] != '\0')
        sheet_free(s);
    return error->text[0] == '\0';
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
