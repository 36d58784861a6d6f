/* What tables say of sizes, ratios and limits, and what their columns and marks mean. */
#include <math.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/table/table.h"

const char table_marks[] = "A ratio with no mark is sure, FASTER above 1 and SLOWER below; = is SAME, "
                           "within 2 %; ? is UNRESOLVED.";

void table_ratio(const struct comparison *c, char *text, size_t bytes)
{
    const int places = c->ratio >= 99.95 ? 0 : c->ratio >= 0.0995 ? 2
                       : c->ratio >= 1e-12 ? 1 - (int)floor(log10(c->ratio)) : 2;
    const char marks[] = {[FASTER] = ' ', [SLOWER] = ' ', [SAME] = '=', [UNRESOLVED] = '?'};

    text[0] = '\0';
    if (isfinite(c->ratio))
        snprintf(text, bytes, "%.*f%c", places, c->ratio, marks[c->finding]);
}

/* What is above 100 % came out of a nearer cache; or its kernels began before those ahead of them had
   ended (programmatic dependent launch), which leaves a third of the time between two at the least;
   or it is a mistake. */
static const char *why_above(const char *name, double percent)
{
    if (strcmp(name, "memory") == 0 || strcmp(name, "cache") == 0)
        return ", cached";
    return strcmp(name, "launch") == 0 && percent < 300.0 ? ", overlapped" : " ?";
}

void table_limit(const char *name, double share, char *text, size_t bytes)
{
    const double percent = 100.0 * share;
    char number[16];

    text[0] = '\0';
    if (!isfinite(percent))
        return;
    snprintf(number, sizeof number, "%.*f%%", percent < 0.095 ? 2 : percent < 9.95 ? 1 : 0, percent);
    snprintf(text, bytes, "%5s %s%s", number, name, percent > 101.0 ? why_above(name, percent) : "");
}

void table_legend(FILE *out)
{
    char text[1024];

    snprintf(text, sizeof text,
             "time: median of the rounds' medians, end to end; +-: half its 95 %% interval.\n%s"
             "error: worst error over the allowed one.  x: how many times faster than the first variant, "
             "than its base, than the fastest CPU variant on one core and on several.  %s\n"
             "run, resident: the data are on the device, and in its cache if they fit; cold: nothing "
             "is in its cache.\n"
             "flags: T throttled, L launch-bound, C coarse timer, O off its core, N noisy, D drifting, "
             "F too few rounds for an interval, 1 a single call.\n",
             terminal_width(out) > 0
                 ? "speed: the fastest has the whole bar; a quarter less is ten times slower.\n" : "",
             table_marks);
    terminal_prose(out, text);
}
