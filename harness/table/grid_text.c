/* Writes a grid as aligned text and as Markdown. */
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/table/grid.h"

/* --- widths ----------------------------------------------------------------------------------- */

/* The widths of the columns, by their places in the shape. */
struct layout {
    struct grid_shape shape;
    size_t width[256]; /* 0: left out */
    size_t last, all;  /* all: characters that the whole table would take */
    size_t room;       /* characters that there are; 0: no limit */
};

static const char *text_of(const struct grid_cell *cell)
{
    return cell->text != NULL ? cell->text : "-";
}

static bool is_replaced(const struct layout *l, const struct grid_row *row, size_t place)
{
    return row->rest != NULL && place >= l->shape.rest;
}

static size_t width_of(const struct grid *g, const struct layout *l, size_t place)
{
    const size_t column = l->shape.column[place];
    size_t width = terminal_length(grid_heading(g, column));

    for (size_t r = 0; r < g->count; r++) {
        const struct grid_row *row = &g->rows[r];
        if (!grid_is_seen(g, row) || is_replaced(l, row, place))
            continue;
        const size_t length = terminal_length(text_of(&row->cells[column]));
        width = length > width ? length : width;
    }
    return width;
}

static size_t total(const struct layout *l)
{
    size_t sum = 0;

    for (size_t i = 0; i < l->shape.count; i++)
        sum += l->width[i] > 0 ? l->width[i] + 2 : 0;
    return sum > 0 ? sum - 2 : 0;
}

static void drop(struct layout *l, size_t column)
{
    for (size_t i = 0; i < l->shape.count; i++)
        if (l->shape.column[i] == column)
            l->width[i] = 0;
}

/* A row's rest wraps at the right margin, and needs some width to be read. */
static bool rest_is_narrow(const struct grid *g, const struct layout *l)
{
    enum { LEAST_REST = 30 };
    size_t before = 0;
    bool rest = false;

    for (size_t r = 0; r < g->count; r++)
        rest |= g->rows[r].rest != NULL;
    for (size_t i = 0; i < l->shape.rest; i++)
        before += l->width[i] > 0 ? l->width[i] + 2 : 0;
    return rest && before + LEAST_REST > l->room;
}

static bool is_before_rest(const struct layout *l, size_t column)
{
    for (size_t i = 0; i < l->shape.rest; i++)
        if (l->shape.column[i] == column)
            return true;
    return false;
}

static struct layout lay_out(const struct grid *g, size_t room)
{
    struct layout l = {.shape = grid_shape(g), .room = room};

    for (size_t i = 0; i < l.shape.count; i++)
        l.width[i] = width_of(g, &l, i);
    l.all = total(&l);
    for (size_t i = 0; i < g->view.spare_count && room > 0; i++)
        if (total(&l) > room || (is_before_rest(&l, g->view.spare[i]) && rest_is_narrow(g, &l)))
            drop(&l, g->view.spare[i]);
    for (size_t i = 0; i < l.shape.count; i++)
        l.last = l.width[i] > 0 ? i : l.last;
    return l;
}

/* --- text ------------------------------------------------------------------------------------- */

static void print_padded(const char *text, size_t width, bool left, FILE *out)
{
    const int fill = (int)(width - terminal_length(text));

    fprintf(out, "%*s%s%*s", left ? 0 : fill, "", text, left ? fill : 0, "");
}

/* `row` NULL: the headings. */
static void print_line(const struct grid *g, const struct layout *l, const struct grid_row *row,
                       FILE *out)
{
    size_t at = 0;

    for (size_t i = 0; i <= l->last || (row != NULL && is_replaced(l, row, i)); i++) {
        if (row != NULL && is_replaced(l, row, i)) {
            terminal_wrap(out, row->rest, at, at, l->room);
            break;
        }
        if (l->width[i] == 0)
            continue;
        const size_t column = l->shape.column[i];
        const char *text = row != NULL ? text_of(&row->cells[column]) : grid_heading(g, column);
        if (g->columns[column].left && i == l->last)
            terminal_wrap(out, text, at, at, l->room);
        else
            print_padded(text, l->width[i], g->columns[column].left, out);
        fputs(i == l->last ? "" : "  ", out);
        at += l->width[i] + 2;
    }
}

static void print_left_out(const struct grid *g, const struct layout *l, FILE *out)
{
    char text[640];
    size_t used = 0;

    for (size_t i = 0; i < l->shape.count; i++)
        if (l->width[i] == 0 && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     used > 0 ? ", " : "left out: ",
                                     grid_heading(g, l->shape.column[i]));
    if (used == 0)
        return;
    if (used < sizeof text)
        snprintf(text + used, sizeof text - used, " (all fit in %zu columns)", l->all);
    terminal_wrap(out, text, 0, 2, l->room);
    fputs("\n", out);
}

void grid_text(const struct grid *g, FILE *out)
{
    static const char *const tones[] = {
        [TONE_PLAIN] = "", [TONE_BEST] = "\033[32m", [TONE_BAD] = "\033[31m",
        [TONE_FAINT] = "\033[2m"};
    const struct layout l = lay_out(g, g->width > 0 ? g->width : terminal_width(out));
    const bool colour = terminal_colour(out);

    if (g->caption != NULL) {
        terminal_lines(out, g->caption);
        fputs("\n", out);
    }
    fputs(colour ? "\033[1m" : "", out);
    print_line(g, &l, NULL, out);
    fputs(colour ? "\033[0m\n" : "\n", out);
    for (size_t r = 0; r < g->count; r++) {
        const char *tone = colour ? tones[g->rows[r].tone] : "";
        if (!grid_is_seen(g, &g->rows[r]))
            continue;
        fputs(tone, out);
        print_line(g, &l, &g->rows[r], out);
        fputs(tone[0] != '\0' ? "\033[0m\n" : "\n", out);
    }
    print_left_out(g, &l, out);
    fputs("\n", out);
}

/* --- Markdown --------------------------------------------------------------------------------- */

/* Escapes what Markdown would read as the border of a column or as a tag. */
static void print_escaped(const char *text, FILE *out)
{
    for (; *text != '\0'; text++)
        if (*text == '|')
            fputs("\\|", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else
            fputc(*text, out);
}

static void print_cell(const char *text, size_t width, bool left, FILE *out)
{
    const int fill = (int)(width - terminal_length(text));

    fprintf(out, "%*s", left ? 0 : fill, "");
    print_escaped(text, out);
    fprintf(out, "%*s | ", left ? fill : 0, "");
}

/* A reason is one cell; empty cells follow it, so that all rows have the same number. */
static void print_markdown_row(const struct grid *g, const struct layout *l,
                               const struct grid_row *row, FILE *out)
{
    fputs("| ", out);
    for (size_t i = 0; i < l->shape.count; i++) {
        const size_t column = l->shape.column[i];
        if (row != NULL && is_replaced(l, row, i)) {
            if (i == l->shape.rest)
                print_escaped(row->rest, out);
            fputs(i == l->shape.rest ? " | " : "| ", out);
            continue;
        }
        print_cell(row != NULL ? text_of(&row->cells[column]) : grid_heading(g, column),
                   l->width[i], g->columns[column].left, out);
    }
    fputs("\n", out);
}

void grid_text_markdown(const struct grid *g, FILE *out)
{
    const struct layout l = lay_out(g, 0);

    if (g->caption != NULL)
        fprintf(out, "### %s\n\n", g->caption);
    print_markdown_row(g, &l, NULL, out);
    fputs("|", out);
    for (size_t i = 0; i < l.shape.count; i++)
        fputs(g->columns[l.shape.column[i]].left ? " :-- |" : " --: |", out);
    fputs("\n", out);
    for (size_t r = 0; r < g->count; r++)
        if (grid_is_seen(g, &g->rows[r]))
            print_markdown_row(g, &l, &g->rows[r], out);
    fputs("\n", out);
}
