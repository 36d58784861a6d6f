#include "harness/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void grid_start(struct grid *g)
{
    *g = (struct grid){.rows = 1}; /* the heading */
    g->text = calloc(GRID_ROWS, sizeof *g->text);
    if (g->text == NULL)
        abort();
}

void grid_free(struct grid *g)
{
    free(g->text);
    g->text = NULL;
}

void grid_column(struct grid *g, const char *heading, bool left)
{
    g->left[g->columns] = left;
    snprintf(g->text[0][g->columns++], GRID_TEXT, "%s", heading);
}

void grid_row(struct grid *g)
{
    if (g->rows == GRID_ROWS)
        abort();
    for (size_t i = 0; i < g->columns; i++)
        strcpy(g->text[g->rows][i], "-");
    g->rows++;
}

void grid_set(struct grid *g, size_t column, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(g->text[g->rows - 1][column], GRID_TEXT, format, arguments);
    va_end(arguments);
}

/* The last part of a row: its own cells, or one text in their place. */
static bool is_replaced(const struct grid *g, size_t row, size_t column)
{
    return g->rest[row] != NULL && column >= g->rest_from;
}

static size_t width_of(const struct grid *g, size_t column)
{
    size_t width = 0;
    bool used = false;

    for (size_t r = 0; r < g->rows; r++) {
        if (is_replaced(g, r, column)) {
            used |= column == g->rest_from;
            continue;
        }
        size_t length = strlen(g->text[r][column]);
        width = length > width ? length : width;
        used |= r > 0 && strcmp(g->text[r][column], "-") != 0;
    }
    return used || g->rows == 1 ? width : 0;
}

static void print_cell(const char *text, size_t width, bool left, FILE *out)
{
    fprintf(out, left ? "%-*s" : "%*s", (int)width, text);
}

void grid_print(const struct grid *g, FILE *out, bool markdown)
{
    size_t width[GRID_COLUMNS] = {0}, last = 0;

    for (size_t c = 0; c < g->columns; c++) {
        width[c] = width_of(g, c);
        last = width[c] > 0 ? c : last;
    }
    for (size_t r = 0; r < g->rows; r++) {
        if (markdown)
            fputs("| ", out);
        for (size_t c = 0; c <= last; c++) {
            if (width[c] == 0 || (is_replaced(g, r, c) && c > g->rest_from))
                continue;
            if (is_replaced(g, r, c)) {
                fputs(g->rest[r], out);
                fputs(markdown ? " | " : "", out);
                continue;
            }
            if (g->left[c] && c == last && !markdown)
                fputs(g->text[r][c], out);
            else
                print_cell(g->text[r][c], width[c], g->left[c], out);
            fputs(markdown ? " | " : c == last ? "" : "  ", out);
        }
        if (markdown && g->rest[r] != NULL) /* as many cells as every other row */
            for (size_t c = g->rest_from + 1; c <= last; c++)
                fputs(width[c] > 0 ? "| " : "", out);
        fputs("\n", out);
        if (markdown && r == 0) {
            fputs("|", out);
            for (size_t c = 0; c <= last; c++)
                if (width[c] > 0)
                    fputs(g->left[c] ? " :-- |" : " --: |", out);
            fputs("\n", out);
        }
    }
}
