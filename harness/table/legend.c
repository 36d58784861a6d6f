/* How tables write ratios and shares of peaks, and the legend below them. */
#include "harness/table/legend.h"

#include <math.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/records/caveats.h"
#include "harness/table/table.h"

void table_ratio(const struct comparison *c, char *text, size_t bytes)
{
    const int places = c->ratio >= 99.95 ? 0 : c->ratio >= 0.0995 ? 2
                       : c->ratio >= 1e-12 ? 1 - (int)floor(log10(c->ratio)) : 2;
    const char marks[] = {[FASTER] = ' ', [SLOWER] = ' ', [SAME] = '=', [UNRESOLVED] = '?'};

    text[0] = '\0';
    if (isfinite(c->ratio))
        snprintf(text, bytes, "%.*f%c", places, c->ratio, marks[c->finding]);
}

/* Is a share above 100 % explained?  The data came from a nearer cache than the one whose rate is the peak; or kernels
   began before the ones ahead of them had ended (programmatic dependent launch), which cuts the time between two
   to a third at best.  Nothing else explains it: it is a mistake. */
static bool is_explained(const char *name, double percent)
{
    return strcmp(name, "memory") == 0 || strcmp(name, "cache") == 0 ||
           (strcmp(name, "launch") == 0 && percent < 300.0);
}

void table_peak(const char *name, double share, char *text, size_t bytes)
{
    const double percent = 100.0 * share;
    const bool above = percent > 101.0;
    char number[16];

    text[0] = '\0';
    if (!isfinite(percent))
        return;
    snprintf(number, sizeof number, "%.*f%%", percent < 0.095 ? 2 : percent < 9.95 ? 1 : 0, percent);
    if (above && is_explained(name, percent))
        snprintf(number, sizeof number, ">100%%");
    snprintf(text, bytes, "%5s %s%s", number, name, above && !is_explained(name, percent) ? " ?" : "");
}

/* Prints a term and, from one column on, its meaning. */
static void explain(void *context, const char *term, const char *meaning)
{
    enum { INDENT = 13, PAGE = 100 };
    FILE *out = context;
    const size_t width = terminal_width(out);

    fprintf(out, "  %-*s", INDENT - 2, term);
    terminal_wrap(out, meaning, INDENT, INDENT, width > 0 ? width : PAGE);
    fputc('\n', out);
}

void legend_print(FILE *out, const struct columns_seen *seen)
{
    char term[8], meaning[160];

    columns_explain(seen, explain, out);
    if (!seen->ratios)
        return;
    explain(out, "2.54", "a ratio without a mark is sure: FASTER above 1, SLOWER below 1");
    explain(out, "1.01=", "SAME: equal within 2 %");
    explain(out, "1.20?", "UNRESOLVED: too few or too noisy rounds to tell");
    for (int i = 0; i < FLAGS; i++)
        if (seen->flags & 1u << i && flag_letters[i] != '\0') {
            snprintf(term, sizeof term, "flag %c", flag_letters[i]);
            snprintf(meaning, sizeof meaning, "%s: %s", flag_names[i], flag_meanings[i]);
            explain(out, term, meaning);
        }
}
