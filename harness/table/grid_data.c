/* Writes a grid for programs: CSV (RFC 4180) and JSON Lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/records/write.h"
#include "harness/table/grid.h"

static bool is_seen(const struct grid_row *row)
{
    return row->seen & SEEN_PROGRAMS;
}

/* NULL: none. */
static const char *word_of(const struct grid_cell *cell)
{
    return cell->value == VALUE_TEXT ? cell->text : cell->word;
}

/* Whole numbers are written with all digits, others with nine. */
static bool is_whole(double x)
{
    return x == rint(x) && fabs(x) < 1e15;
}

/* --- CSV -------------------------------------------------------------------------------------- */

static void print_field(const char *text, bool quoted, FILE *out)
{
    if (!quoted && text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void print_number(double x, FILE *out)
{
    if (isfinite(x))
        fprintf(out, is_whole(x) ? "%.0f" : "%.9g", x);
}

static void print_csv_cell(const struct grid_column *column, const struct grid_cell *cell,
                           FILE *out)
{
    const char *word = word_of(cell);

    if (cell->value == VALUE_NUMBER || cell->value == VALUE_TRUTH)
        print_number(cell->number, out);
    else
        print_field(word != NULL ? word : "", column->quoted, out);
}

/* `row` NULL: the line of names. */
static void print_csv_row(const struct grid *g, const struct grid_row *row, FILE *out)
{
    bool any = false;

    for (size_t c = 0; c < g->column_count; c++) {
        if (g->columns[c].name == NULL)
            continue;
        fputs(any ? "," : "", out);
        any = true;
        if (row != NULL)
            print_csv_cell(&g->columns[c], &row->cells[c], out);
        else
            fputs(g->columns[c].name, out);
    }
    fputs("\n", out);
}

void grid_data_csv(const struct grid *g, FILE *out)
{
    if (!g->continued)
        print_csv_row(g, NULL, out);
    for (size_t r = 0; r < g->count; r++)
        if (is_seen(&g->rows[r]))
            print_csv_row(g, &g->rows[r], out);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *value_json(const struct grid_cell *cell)
{
    switch (cell->value) {
    case VALUE_NUMBER:
        return is_whole(cell->number) ? json_integer((json_int_t)cell->number)
                                      : json_number(cell->number);
    case VALUE_TRUTH: return json_boolean(cell->number != 0.0);
    case VALUE_TEXT:
    case VALUE_WORD: break;
    }
    return json_text(word_of(cell));
}

static json_t *row_json(const struct grid *g, const struct grid_row *row)
{
    json_t *object = json_object();

    for (size_t c = 0; c < g->column_count; c++)
        if (g->columns[c].name != NULL)
            json_object_set_new(object, g->columns[c].name, value_json(&row->cells[c]));
    return object;
}

void grid_data_record(json_t *object, FILE *out)
{
    char *text = record_text(object);

    fprintf(out, "%s\n", text != NULL ? text : "null");
    free(text);
}

void grid_data_json(const struct grid *g, FILE *out)
{
    for (size_t r = 0; r < g->count; r++) {
        const struct grid_row *row = &g->rows[r];
        if (is_seen(row) && row->record != NULL)
            grid_data_record(json_incref(row->record), out);
        else if (is_seen(row))
            grid_data_record(row_json(g, row), out);
    }
}
