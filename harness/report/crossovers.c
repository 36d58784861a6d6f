/* Section: from which size on which rung pays, as `rungs sweep` found. */
#include <string.h>

#include "harness/report/html.h"
#include "harness/report/report.h"

static void print_crossover(FILE *out, const struct past_crossover *c, const char *file)
{
    const struct past_cell rung = {.line = c->line};
    struct past_cell named = rung;

    memcpy(named.problem, c->problem, sizeof named.problem);
    memcpy(named.variant, c->variant, sizeof named.variant);
    fputs("<tr><th scope=row>", out);
    report_link(out, &named, true);
    html_print(out, "<td class=l>%s<td class=l>%s<td class=l>%s</tr>\n",
               strcmp(c->phase, "e2e") == 0 ? "end to end" : c->phase, c->sentence, file);
}

void report_crossovers(FILE *out, const struct report *r)
{
    static const char *const headings[] = {"rung", "phase", "faster than the best of the others",
                                           "file"};
    size_t count = 0;

    for (size_t f = 0; f < r->file_count; f++)
        count += r->files[f].past.crossover_count;
    if (count == 0)
        return;
    fputs("<section id=crossovers aria-labelledby=h-crossovers><h2 id=h-crossovers>From which size "
          "on?</h2>\n", out);
    report_table_start(out, "Crossovers", headings, 4, ~0u);
    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.crossover_count; i++)
            print_crossover(out, &r->files[f].past.crossovers[i], r->files[f].name);
    report_table_end(out);
    fputs("</section>\n", out);
}
