/* Writes the page: head, sections in order, records. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "harness/machine/machine.h"
#include "harness/records/write.h"
#include "harness/base/html.h"
#include "harness/plots/plot.h"
#include "harness/report/report.h"

/* Bytes of a page without its pictures.  The records get what the other sections leave. */
enum { PAGE_ROOM = 2900000 };

/* At most so many files of a machine are named at the top. */
enum { NAMED = 3, LINKS = 100 /* links to problems */ };

/* The assembler includes page.css and page.js unchanged. */
__asm__(".pushsection .rodata\n"
        "page_css: .incbin \"harness/report/page.css\"\n.byte 0\n"
        "page_js: .incbin \"harness/report/page.js\"\n.byte 0\n"
        ".popsection\n");
extern const char page_css[], page_js[];

/* The browser runs only the script with this random number, which no record can contain: a second
   protection besides html_text. */
static void make_nonce(char text[33])
{
    uint64_t numbers[2];

    if (getrandom(numbers, sizeof numbers, 0) != sizeof numbers)
        abort();
    snprintf(text, 33, "%016llx%016llx", (unsigned long long)numbers[0],
             (unsigned long long)numbers[1]);
}

static void print_title(FILE *out, const struct report *r)
{
    fputs("Rungs: ", out);
    for (size_t i = 0; i < r->file_count; i++)
        html_print(out, i > 0 ? ", %s" : "%s", r->files[i].name);
}

static void print_head(FILE *out, const struct report *r, const char *nonce)
{
    html_print(out, "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
                    "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
                    "style-src 'unsafe-inline'; script-src 'nonce-");
    html_print(out, "%s'; base-uri 'none'; form-action 'none'\">\n"
                    "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=color-scheme content=\"light dark\">\n<title>", nonce);
    print_title(out, r);
    fputs("</title>\n<style>\n", out);
    fputs(page_css, out);
    fputs("</style>\n</head>\n", out);
}

/* Names the files that come from the same machine as file `first`, or counts them if they are many. */
static void print_files_of(FILE *out, const struct report *r, size_t first)
{
    const struct run *run = &r->files[first].past.runs[0];
    size_t count = 0;

    for (size_t i = first; i < r->file_count; i++)
        count += plots_same_machine(&r->files[i].past.runs[0], run);
    if (count > NAMED) {
        html_print(out, "<a href=\"#machines\">%zu files</a>", count);
        return;
    }
    for (size_t i = first; i < r->file_count; i++)
        if (plots_same_machine(&r->files[i].past.runs[0], run))
            html_print(out, i > first ? ", <b>%s</b> <small>%s</small>" : "<b>%s</b> <small>%s</small>",
                       r->files[i].name, r->files[i].past.runs[0].started);
}

/* Prints each machine once, with the files that come from it. */
static void print_files(FILE *out, const struct report *r)
{
    for (size_t i = 0; i < r->file_count; i++) {
        const struct run *run = &r->files[i].past.runs[0];
        char machine[FACT_TEXT + 240];
        bool told = false;
        for (size_t j = 0; j < i; j++)
            told |= plots_same_machine(&r->files[j].past.runs[0], run);
        if (told)
            continue;
        report_machine(run, machine, sizeof machine);
        html_print(out, "<p>%s: ", machine);
        print_files_of(out, r, i);
        fputs("</p>\n", out);
    }
}

/* Prints links to the tables of each problem. */
static void print_problems(FILE *out, const struct report *r)
{
    const char *problem;
    char id[96];

    if (r->result_count == 0)
        return;
    fputs("<nav aria-label=Problems>", out);
    size_t links = 0;
    for (size_t at = 0; links < LINKS && (problem = report_next_problem(r, &at)) != NULL; links++) {
        report_problem_id(problem, id, sizeof id);
        if (id[0] != '\0')
            html_print(out, "<a href=\"#%s\">%s</a>", id, problem);
    }
    fputs("</nav>\n", out);
}

static void print_top(FILE *out, const struct report *r)
{
    char now[32];

    run_utc(now, sizeof now, "%Y-%m-%d %H:%M UTC");
    fputs("<body>\n<a class=skip href=\"#tables\">Skip to the tables</a>\n"
          "<header><h1>Rungs</h1>\n", out);
    print_files(out, r);
    html_print(out, "<p><small>Reported %s by rungs %s (%s)</small></p>\n", now, build_version,
               build_commit);
    fputs("<nav aria-label=Sections><a href=\"#answer\">Fastest</a><a href=\"#attention\">Failures and flags</a>"
          "<a href=\"#machines\">Machine</a>", out);
    if (report_is_combined(r))
        fputs("<a href=\"#combined\">Side by side</a>", out);
    fputs("<a href=\"#tables\">Tables</a>", out);
    if (!r->no_plots)
        fputs("<a href=\"#plots\">Plots</a>", out);
    fputs("<a href=\"#variants\">Variants</a><a href=\"#legend\">Legend</a>"
          "<a href=\"#records\">Records</a></nav>\n", out);
    print_problems(out, r);
    fputs("</header>\n", out);
    fputs("<form class=filter role=search hidden><label for=filter>Filter rows</label>"
          "<input id=filter type=search autocomplete=off spellcheck=false "
          "placeholder=\"knn/cuda_* noisy\" aria-describedby=found>"
          "<output id=found for=filter></output></form>\n", out);
}

void report_section(FILE *out, const char *id, const char *title)
{
    html_print(out, "<section id=%s aria-labelledby=h-%s><h2 id=h-%s>%s</h2>\n", id, id, id, title);
}

/* --- the records ------------------------------------------------------------------------------ */

static void print_records(FILE *out, const struct report *r, size_t room)
{
    const struct raw *all[REPORT_FILES];

    for (size_t i = 0; i < r->file_count; i++)
        all[i] = &r->files[i].raw;
    const size_t level = raw_level(all, r->file_count, room);
    report_section(out, "records", "Records");
    html_print(out, "<p>%s", raw_contents[level]);
    fputs(" results/README.md in the program's sources explains the fields.</p>\n<ul>\n", out);
    for (size_t i = 0; i < r->file_count; i++)
        html_print(out, "<li><a class=download href=\"#raw-%zu\" download=\"%s.jsonl\">%s.jsonl"
                        "</a> <small>%zu lines, %zu kB</small>\n", i + 1, r->files[i].name,
                   r->files[i].name, all[i]->lines, (all[i]->bytes + 999) / 1000);
    fputs("</ul>\n", out);
    for (size_t i = 0; i < r->file_count; i++) {
        html_print(out, "<script type=\"application/json\" id=raw-%zu>", i + 1);
        raw_print(out, all[i], level);
        fputs("</script>\n", out);
    }
    fputs("</section>\n", out);
}

void report_page(FILE *out, const struct report *r)
{
    char nonce[33];
    long drawn, used;
    struct report_pictures *pictures = report_draw(r);

    make_nonce(nonce);
    print_head(out, r, nonce);
    print_top(out, r);
    fputs("<main>\n", out);
    drawn = -ftell(out);
    report_answer(out, r, pictures);
    drawn += ftell(out);
    report_summary(out, r);
    report_machines(out, r);
    report_combined(out, r);
    report_crossovers(out, r);
    report_tables(out, r);
    drawn -= ftell(out);
    report_plots(out, pictures);
    drawn += ftell(out);
    report_pictures_free(pictures);
    report_variants(out, r);
    report_legend(out);
    used = ftell(out) - drawn + (long)strlen(page_js);
    print_records(out, r, used < PAGE_ROOM ? (size_t)(PAGE_ROOM - used) : 0);
    fputs("</main>\n", out);
    html_print(out, "<script nonce=%s>\n", nonce);
    fputs(page_js, out);
    fputs("</script>\n</body>\n</html>\n", out);
}
