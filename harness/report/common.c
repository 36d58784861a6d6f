/* What several sections show. */
#include <math.h>
#include <string.h>

#include "harness/describe.h"
#include "harness/report/html.h"
#include "harness/report/report.h"
#include "harness/stats.h"

bool report_failed(const struct past_cell *c)
{
    for (enum outcome o = OUTCOME_OK; o <= OUTCOME_STOPPED; o++)
        if (strcmp(c->status, outcome_names[o]) == 0)
            return outcome_failed(o);
    return true; /* of a later version: not known to be harmless */
}

bool report_has_flag(const struct past_cell *c, enum flag flag)
{
    const size_t length = strlen(flag_names[flag]);

    for (const char *f = c->flags; *f != '\0'; f += strspn(f, " ")) {
        const size_t its = strcspn(f, " ");
        if (its == length && memcmp(f, flag_names[flag], length) == 0)
            return true;
        f += its;
    }
    return false;
}

double report_share(const struct past_limit *limit, const struct past_series *time)
{
    return limit->name[0] != '\0' && time->rounds > 0
               ? limit->floor / median_of(time->round, time->rounds) : NAN;
}

void report_duration(double seconds, char *text, size_t bytes)
{
    text[0] = '\0';
    if (isfinite(seconds))
        describe_duration(seconds, text, bytes);
}

void report_table_start(FILE *out, const char *caption, const char *const headings[], size_t count,
                        unsigned left)
{
    html_print(out, "<div class=wide><table><caption>%s</caption><thead><tr>", caption);
    for (size_t i = 0; i < count; i++)
        if (headings[i] != NULL)
            html_print(out, "<th aria-sort=none%s><button>%s</button>",
                       left & 1u << i ? " class=l" : "", headings[i]);
    fputs("<tbody>\n", out);
}

void report_table_end(FILE *out)
{
    fputs("</table></div>\n", out);
}

void report_link(FILE *out, const struct past_cell *c, bool full)
{
    const bool linked = html_is_id(c->problem) && html_is_id(c->variant);
    char name[96];

    past_name(c, name, sizeof name);
    if (linked)
        html_print(out, "<a href=\"#%s.%s\">", c->problem, c->variant);
    if (full)
        html_print(out, "%s/", c->problem);
    html_text(out, name);
    if (linked)
        fputs("</a>", out);
}
