/* Writes a grid as HTML.  harness/report/page.js sorts and filters it, page.css styles it. */
#include <math.h>
#include <string.h>

#include "harness/base/html.h"
#include "harness/table/grid.h"

/* Prints without the blanks at both ends, which only align text. */
static void print_trimmed(const char *text, FILE *out)
{
    char line[512];

    snprintf(line, sizeof line, "%s", text + strspn(text, " "));
    for (size_t length = strlen(line); length > 0 && line[length - 1] == ' '; length--)
        line[length - 1] = '\0';
    html_print(out, "%s", line);
}

static void print_headings(const struct grid *g, const struct grid_shape *s, bool reasons_alone,
                           FILE *out)
{
    fputs("<thead><tr>", out);
    for (size_t i = 0; i < s->count; i++) {
        const struct grid_column *column = &g->columns[s->column[i]];
        const bool reason = reasons_alone && i == s->rest;
        html_print(out, "<th aria-sort=none%s><button>%s</button>",
                   column->left || reason ? " class=l" : "",
                   reason ? "reason" : grid_heading(g, s->column[i]));
    }
    fputs("<tbody>\n", out);
}

/* Does the text begin with its number?  page.js can parse "93% memory" and "1.01=". */
static bool is_number(const char *text)
{
    text += strspn(text, " ");
    text += strspn(text, "0123456789.");
    return strchr("%=?", *text) != NULL || text[strspn(text, " ")] == '\0';
}

/* page.css puts a dash into empty cells.  data-v: the number by which page.js sorts. */
static void print_cell(const struct grid *g, size_t column, const struct grid_cell *cell,
                       bool first, FILE *out)
{
    static const char *const classes[] = {[TONE_BEST] = " class=f", [TONE_BAD] = " class=s",
                                          [TONE_FAINT] = " class=not"};
    const bool empty = cell->text == NULL || strcmp(cell->text, "-") == 0;

    fputs(first ? "<th scope=row" : "<td", out);
    if (!first && cell->tone != TONE_PLAIN)
        fputs(classes[cell->tone], out);
    else if (!first && g->columns[column].left)
        fputs(" class=l", out);
    if (cell->hint != NULL)
        html_print(out, " title=\"%s\"", cell->hint);
    if (cell->value == VALUE_NUMBER && !empty && isfinite(cell->number) && !is_number(cell->text))
        fprintf(out, " data-v=%.5g", cell->number);
    if (cell->share > 0.0)
        fprintf(out, " style=--p:%.3g", 100.0 * fmin(cell->share, 1.0));
    fputs(">", out);
    if (cell->link != NULL)
        html_print(out, "<a href=\"#%s\">", cell->link);
    print_trimmed(empty ? "" : cell->text, out);
    fputs(cell->link != NULL ? "</a>" : "", out);
}

static void print_row(const struct grid *g, const struct grid_shape *s, const struct grid_row *row,
                      FILE *out)
{
    fputs(row->tone == TONE_BAD ? "<tr class=bad>" : row->tone == TONE_FAINT ? "<tr class=not>"
                                                                              : "<tr>", out);
    for (size_t i = 0; i < s->count && (row->rest == NULL || i < s->rest); i++)
        print_cell(g, s->column[i], &row->cells[s->column[i]], i == 0, out);
    if (row->rest != NULL && s->rest < s->count)
        html_print(out, "<td class=l colspan=%zu>%s", s->count - s->rest, row->rest);
    fputs("</tr>\n", out);
}

void grid_html(const struct grid *g, FILE *out)
{
    const struct grid_shape s = grid_shape(g);
    bool reasons_alone = s.rest < s.count;

    for (size_t r = 0; r < g->count; r++)
        reasons_alone &= !grid_is_seen(g, &g->rows[r]) || g->rows[r].rest != NULL;
    html_print(out, "<div class=wide><table><caption>%s</caption>",
               g->caption != NULL ? g->caption : "");
    print_headings(g, &s, reasons_alone, out);
    for (size_t r = 0; r < g->count; r++)
        if (grid_is_seen(g, &g->rows[r]))
            print_row(g, &s, &g->rows[r], out);
    fputs("</table></div>\n", out);
}
