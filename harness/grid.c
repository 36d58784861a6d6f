#include "harness/grid.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/terminal.h"

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

void grid_bar(double share, char *text)
{
    enum { CELLS = 8, PARTS = 8 };
    const bool fine = terminal_unicode();
    const int parts = fine ? PARTS : 1;
    int filled = (int)lround(fmin(fmax(share, 0.0), 1.0) * CELLS * parts);

    *text = '\0';
    for (filled = filled > 0 ? filled : 1; filled > 0; filled -= parts)
        if (fine) /* U+2588 is a full block, U+258F an eighth of one */
            sprintf(text + strlen(text), "\xe2\x96%c", 0x8f - (filled < PARTS ? filled - 1 : 7));
        else
            strcat(text, "#");
}

/* --- what there is room for ------------------------------------------------------------------- */

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
        size_t length = terminal_length(g->text[r][column]);
        width = length > width ? length : width;
        used |= r > 0 && strcmp(g->text[r][column], "-") != 0;
    }
    return used || g->rows == 1 ? width : 0;
}

/* How the columns lie: a width of 0 is none at all. */
struct shape {
    size_t width[GRID_COLUMNS], last;
    size_t all;  /* columns of the screen that the whole table would take */
    size_t room; /* those that there are; 0: any number */
    bool dropped[GRID_COLUMNS];
};

static size_t total(const struct shape *s, size_t columns)
{
    size_t sum = 0;

    for (size_t c = 0; c < columns; c++)
        sum += s->width[c] > 0 ? s->width[c] + 2 : 0;
    return sum > 0 ? sum - 2 : 0;
}

static struct shape shape_of(const struct grid *g, FILE *out, bool markdown)
{
    struct shape s = {.room = markdown ? 0 : g->room > 0 ? g->room : terminal_width(out)};

    for (size_t c = 0; c < g->columns; c++)
        s.width[c] = width_of(g, c);
    s.all = total(&s, g->columns);
    for (size_t i = 0; i < g->spare_count && s.room > 0 && total(&s, g->columns) > s.room; i++) {
        s.dropped[g->spare[i]] = s.width[g->spare[i]] > 0;
        s.width[g->spare[i]] = 0;
    }
    for (size_t c = 0; c < g->columns; c++)
        s.last = s.width[c] > 0 ? c : s.last;
    return s;
}

/* --- printing --------------------------------------------------------------------------------- */

static void print_cell(const char *text, size_t width, bool left, FILE *out)
{
    const int fill = (int)(width - terminal_length(text));

    fprintf(out, "%*s%s%*s", left ? 0 : fill, "", text, left ? fill : 0, "");
}

/* What would be a column's border, or a tag, is text. */
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

static void print_markdown_cell(const char *text, size_t width, bool left, FILE *out)
{
    const int fill = (int)(width - terminal_length(text));

    fprintf(out, "%*s", left ? 0 : fill, "");
    print_escaped(text, out);
    fprintf(out, "%*s", left ? fill : 0, "");
}

static void print_row(const struct grid *g, const struct shape *s, size_t r, bool markdown,
                      FILE *out)
{
    size_t at = 0;

    if (markdown)
        fputs("| ", out);
    for (size_t c = 0; c <= s->last || is_replaced(g, r, c); c++) {
        if (is_replaced(g, r, c)) {
            if (!markdown) {
                terminal_wrap(out, g->rest[r], at, at, s->room);
                break;
            }
            print_escaped(g->rest[r], out);
            fputs(" | ", out);
            break;
        }
        if (s->width[c] == 0)
            continue;
        if (markdown)
            print_markdown_cell(g->text[r][c], s->width[c], g->left[c], out);
        else if (g->left[c] && c == s->last)
            terminal_wrap(out, g->text[r][c], at, at, s->room);
        else
            print_cell(g->text[r][c], s->width[c], g->left[c], out);
        fputs(markdown ? " | " : c == s->last ? "" : "  ", out);
        at += s->width[c] + 2;
    }
    if (markdown && g->rest[r] != NULL) /* as many cells as every other row */
        for (size_t c = g->rest_from + 1; c <= s->last; c++)
            fputs(s->width[c] > 0 ? "| " : "", out);
}

static void print_left_out(const struct grid *g, const struct shape *s, FILE *out)
{
    char text[640];
    size_t used = 0;

    for (size_t c = 0; c < g->columns; c++)
        if (s->dropped[c] && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     used > 0 ? ", " : "left out: ", g->text[0][c]);
    if (used == 0)
        return;
    if (used < sizeof text)
        snprintf(text + used, sizeof text - used, " (all fit in %zu columns)", s->all);
    terminal_wrap(out, text, 0, 2, s->room);
    fputs("\n", out);
}

void grid_print(const struct grid *g, FILE *out, bool markdown)
{
    static const char *const tones[] = {
        [TONE_PLAIN] = "", [TONE_BEST] = "\033[32m", [TONE_BAD] = "\033[31m",
        [TONE_FAINT] = "\033[2m"};
    const struct shape s = shape_of(g, out, markdown);
    const bool colour = !markdown && terminal_colour(out);

    for (size_t r = 0; r < g->rows; r++) {
        const char *tone = !colour ? "" : r == 0 ? "\033[1m" : tones[g->tone[r]];
        fputs(tone, out);
        print_row(g, &s, r, markdown, out);
        fputs(tone[0] != '\0' ? "\033[0m\n" : "\n", out);
        if (!markdown || r > 0)
            continue;
        fputs("|", out);
        for (size_t c = 0; c <= s.last; c++)
            if (s.width[c] > 0)
                fputs(g->left[c] ? " :-- |" : " --: |", out);
        fputs("\n", out);
    }
    print_left_out(g, &s, out);
}
