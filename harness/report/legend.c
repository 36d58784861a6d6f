/* Section: what the columns, marks and letters of the tables mean. */
#include "harness/flags.h"
#include "harness/report/html.h"
#include "harness/report/report.h"

static const struct {
    const char *name, *meaning;
} words[] = {
    {"check", "what became of the rung: ok, or why it has no time"},
    {"error", "the worst error, over the allowed one: 1 is the edge"},
    {"exact", "the share of answers that are float64's own"},
    {"math", "arithmetic, where it is not float32 throughout: it sets the allowed error"},
    {"upload, download", "the copies to the device and back"},
    {"run", "the data are on the device, and in its cache if they fit"},
    {"cold", "run, with nothing in the cache"},
    {"time", "end to end: the median of the rounds' medians"},
    {"+-", "half of the 95 % interval of the median, in percent of it"},
    {"of limit", "the least time that the named resource of this machine allows, by its measured "
                 "ceilings, over the time taken; 100 % is the limit. The bar shows the same"},
    {"x first, x base, x 1-core, x n-core",
     "how many times faster than the first rung, than the one that it improves on, than the "
     "fastest rung on one core of the CPU and on several; best: it is that one"},
    {"cores", "processor time over wall time: how many cores were at work"},
    {"resident", "the same ratios of run alone: the data are on the device already"},
};

static const struct {
    const char *mark, *meaning;
} marks[] = {
    {"2.50", "sure: FASTER above 1, SLOWER below"},
    {"1.01=", "the SAME, within 2 %"},
    {"1.20?", "UNRESOLVED: too few or too restless rounds to tell"},
};

void report_legend(FILE *out, const struct report *r)
{
    (void)r;
    fputs("<section id=legend aria-labelledby=h-legend><h2 id=h-legend>How to read it</h2>\n"
          "<h3>Columns</h3><dl>\n", out);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        html_print(out, "<dt>%s<dd>%s\n", words[i].name, words[i].meaning);
    fputs("</dl>\n<h3>Marks behind ratios</h3><dl>\n", out);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        html_print(out, "<dt>%s<dd>%s\n", marks[i].mark, marks[i].meaning);
    fputs("</dl>\n<h3>Flags</h3><dl id=flags>\n", out);
    for (int i = 0; i < FLAGS; i++) {
        const char letter[] = {flag_letters[i], '\0'};
        if (letter[0] != '\0')
            html_print(out, "<dt data-flag=%s>%s %s<dd>%s\n", letter, letter, flag_names[i],
                       flag_meanings[i]);
    }
    fputs("</dl>\n</section>\n", out);
}
