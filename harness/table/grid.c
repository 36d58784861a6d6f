#include "harness/table/grid.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/html.h"
#include "harness/base/terminal.h"
#include "harness/base/text.h"

static void *checked(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

static char *copy(const char *text)
{
    return text != NULL ? checked(strdup(text)) : NULL;
}

static void replace(char **old, char *text)
{
    free(*old);
    *old = text;
}

/* --- begin and end ---------------------------------------------------------------------------- */

void grid_start(struct grid *g)
{
    *g = (struct grid){.count = 0};
}

static void free_cell(struct grid_cell *cell)
{
    free(cell->text);
    free(cell->word);
    free(cell->hint);
    free(cell->link);
}

void grid_free(struct grid *g)
{
    for (size_t r = 0; r < g->count; r++) {
        for (size_t c = 0; c < g->column_count; c++)
            free_cell(&g->rows[r].cells[c]);
        free(g->rows[r].cells);
        free(g->rows[r].rest);
        json_decref(g->rows[r].record);
    }
    for (size_t c = 0; c < g->column_count; c++) {
        free((char *)g->columns[c].heading);
        free((char *)g->columns[c].name);
    }
    free(g->rows);
    free(g->columns);
    free(g->caption);
    grid_start(g);
}

void grid_columns(struct grid *g, const struct grid_column columns[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (g->column_count == g->column_room) {
            g->column_room = 2 * g->column_room + 16;
            g->columns = checked(realloc(g->columns, g->column_room * sizeof *g->columns));
        }
        struct grid_column *column = &g->columns[g->column_count++];
        *column = columns[i];
        column->heading = copy(columns[i].heading);
        column->name = copy(columns[i].name);
    }
}

void grid_column(struct grid *g, const char *heading, bool left)
{
    grid_columns(g, &(struct grid_column){.heading = heading, .left = left}, 1);
}

void grid_say(char **place, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    replace(place, copy(text));
}

/* --- a row ------------------------------------------------------------------------------------ */

struct grid_row *grid_row(struct grid *g)
{
    if (g->count == g->room) {
        g->room = 2 * g->room + 16;
        g->rows = checked(realloc(g->rows, g->room * sizeof *g->rows));
    }
    struct grid_row *row = &g->rows[g->count++];
    *row = (struct grid_row){.cells = checked(calloc(g->column_count + 1, sizeof *row->cells)),
                             .seen = SEEN_PEOPLE | SEEN_PROGRAMS};
    return row;
}

struct grid_cell *grid_cell(struct grid *g, size_t column)
{
    return &g->rows[g->count - 1].cells[column];
}

void grid_number(struct grid *g, size_t column, double number)
{
    grid_cell(g, column)->value = VALUE_NUMBER;
    grid_cell(g, column)->number = number;
}

void grid_count(struct grid *g, size_t column, size_t count)
{
    grid_number(g, column, (double)count);
    grid_set(g, column, "%zu", count);
}

void grid_truth(struct grid *g, size_t column, bool truth)
{
    grid_cell(g, column)->value = VALUE_TRUTH;
    grid_cell(g, column)->number = truth;
}

void grid_word(struct grid *g, size_t column, const char *word)
{
    grid_cell(g, column)->value = VALUE_WORD;
    replace(&grid_cell(g, column)->word, copy(word));
}

void grid_duration(struct grid *g, size_t column, double seconds)
{
    char text[32];

    grid_number(g, column, seconds);
    if (!isfinite(seconds))
        return;
    describe_duration(seconds, text, sizeof text);
    grid_set(g, column, "%s", text);
}

void grid_link(struct grid *g, size_t column, const char *part, const char *name)
{
    if (html_is_id(part) && html_is_id(name))
        grid_say(&grid_cell(g, column)->link, "%s.%s", part, name);
}

void grid_rest(struct grid *g, const char *text)
{
    replace(&g->rows[g->count - 1].rest, copy(text));
}

void grid_bar(double share, char *text)
{
    enum { CELLS = 8, PARTS = 8 };
    const bool fine = terminal_unicode();
    const int parts = fine ? PARTS : 1;
    int filled = (int)lround(fmin(fmax(share, 0.0), 1.0) * CELLS * parts);

    *text = '\0';
    for (filled = filled > 0 ? filled : 1; filled > 0; filled -= parts)
        if (fine) /* U+2588 is a full block, U+258F an eighth of a block */
            sprintf(text + strlen(text), "\xe2\x96%c", 0x8f - (filled < PARTS ? filled - 1 : 7));
        else
            strcat(text, "#");
}

/* --- the view --------------------------------------------------------------------------------- */

bool grid_is_seen(const struct grid *g, const struct grid_row *row)
{
    return row->seen & (g->view.rows != 0 ? g->view.rows : SEEN_PEOPLE);
}

const char *grid_heading(const struct grid *g, size_t column)
{
    const size_t first = g->view.columns != NULL ? g->view.columns[0] : 0;

    return column == first && g->view.first != NULL ? g->view.first : g->columns[column].heading;
}

/* Has the column, or the `rest` that replaces it, more than dashes? */
static bool is_used(const struct grid *g, size_t column, bool in_rest)
{
    for (size_t r = 0; r < g->count; r++) {
        const struct grid_row *row = &g->rows[r];
        if (!grid_is_seen(g, row))
            continue;
        if (in_rest && row->rest != NULL) {
            if (column == g->rest_from)
                return true;
            continue;
        }
        const char *text = row->cells[column].text;
        if (text != NULL && text[0] != '\0' && strcmp(text, "-") != 0)
            return true;
    }
    return false;
}

struct grid_shape grid_shape(const struct grid *g)
{
    const size_t count = g->view.columns != NULL ? g->view.count : g->column_count;
    struct grid_shape shape = {.count = 0};
    bool rest = false;

    for (size_t i = 0; i < count; i++) {
        const size_t column = g->view.columns != NULL ? g->view.columns[i] : i;
        if (g->columns[column].heading == NULL)
            continue;
        if (g->rest_from > 0 && column == g->rest_from && !rest) {
            rest = true;
            shape.rest = shape.count;
        }
        if (is_used(g, column, rest))
            shape.column[shape.count++] = (unsigned char)column;
    }
    if (!rest)
        shape.rest = shape.count;
    return shape;
}

void grid_print(const struct grid *g, enum format format, FILE *out)
{
    bool seen = false;

    for (size_t r = 0; r < g->count && !seen; r++)
        seen = grid_is_seen(g, &g->rows[r]);
    if (!seen && format != FORMAT_CSV && format != FORMAT_JSON)
        return;
    switch (format) {
    case FORMAT_TABLE: grid_text(g, out); break;
    case FORMAT_MARKDOWN: grid_text_markdown(g, out); break;
    case FORMAT_CSV: grid_data_csv(g, out); break;
    case FORMAT_JSON: grid_data_json(g, out); break;
    case FORMAT_HTML: grid_html(g, out); break;
    }
}
