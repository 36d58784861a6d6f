/* rungs show: prints the tables of files of records, as bench printed them. */
#define _GNU_SOURCE
#include "harness/commands/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/base/text.h"
#include "harness/commands/legend_due.h"
#include "harness/records/listing.h"
#include "harness/table/ceilings.h"

enum { MACHINE = 8, MOST_ROWS = 1365 /* of one table */ };

/* One table of one run. */
struct part {
    const struct records *past;
    size_t at, count; /* its results in `past` */
    const char *machine; /* what the column `on` says; NULL: `letter` */
    char letter[MACHINE];
    bool shown;
};

struct parts {
    size_t count;
    struct part *list; /* with room for all results */
};

static const struct result *first_of(const struct part *p)
{
    return &p->past->results[p->at];
}

/* --- a table ---------------------------------------------------------------------------------- */

/* Prints the rows of all runs for one problem and size as one table. */
static bool show_size(struct parts *p, size_t first, enum format format, bool begins,
                      struct error *error)
{
    struct listing *tables = calloc(p->count, sizeof *tables);
    size_t count = 0, rows = 0;
    bool fine = true;

    if (tables == NULL)
        abort();
    for (size_t i = first; i < p->count && fine; i++) {
        struct part *part = &p->list[i];
        if (part->shown || !result_same_table(first_of(&p->list[first]), first_of(part)))
            continue;
        part->shown = true;
        fine = listing_make(&tables[count], part->past, part->at, part->count, error);
        for (size_t r = 0; r < tables[count].count; r++)
            tables[count].results[r]->machine =
                part->machine != NULL ? part->machine : part->letter;
        rows += tables[count].count;
        count += fine;
    }
    if (fine && rows > MOST_ROWS)
        fine = error_set(error, "a table would have %zu rows, more than %d; name fewer files", rows,
                         MOST_ROWS);
    if (fine) {
        struct listing all = listing_merge(tables, count);
        table_bench(stdout, format, all.results, all.count, &all.ladder, begins);
        listing_free(&all);
    }
    for (size_t t = 0; t < count; t++)
        listing_free(&tables[t]);
    free(tables);
    return fine;
}

/* --- the runs --------------------------------------------------------------------------------- */

/* Prints how the run spent its time, and its memory. */
static void print_costs(const struct run *run)
{
    /* Older files count the judged calls of variants as judging. */
    const double theirs = isfinite(run->called) ? run->called : 0.0;
    const double before = run->warmed + run->tried + theirs;
    const double rest = run->timed + before + run->judged;
    char wall[32];

    if (!(run->wall > 0.0) || !isfinite(rest))
        return;
    describe_duration(run->wall, wall, sizeof wall);
    terminal_printf(stdout, "   took %s: %.0f%% timed calls, %.0f%% calls before timing, %.0f%% judging, "
                            "%.0f%% the rest; memory: %.0f MB,\n   %.0f MB more than the inputs, output "
                            "and reference of the largest case\n",
                    wall, 100.0 * run->timed / run->wall, 100.0 * before / run->wall,
                    100.0 * run->judged / run->wall, 100.0 * (run->wall - rest) / run->wall,
                    run->peak / 1e6, fmax(0.0, run->peak - run->held) / 1e6);
}

static void print_run(const struct records *p, const struct run *run, const char *machine)
{
    char gpus[FACT_TEXT], *text = NULL;

    run_gpus(run, gpus, sizeof gpus);
    if (asprintf(&text,
                 "%s%s%s: %s%s%s; rungs %s (%s), %d thread%s, seed %lld, preset %s, %s\n", machine,
                 machine[0] != '\0' ? "  " : "", p->file, run->cpu[0] != '\0' ? run->cpu : "?",
                 gpus[0] != '\0' ? ", " : "", gpus, run->version, run->commit, run->threads,
                 run->threads == 1 ? "" : "s", run->seed, run->preset, run->started) < 0)
        abort();
    terminal_lines(stdout, text);
    free(text);
    if (!run->ended)
        printf("   unfinished: it was killed or is still running; bench --resume continues it\n");
    print_costs(run);
    for (size_t i = 0; i < run->warning_count; i++)
        printf("warning: %s\n", run->warnings[i]);
}

/* Does the next run continue this one?  The two are shown as one. */
static bool goes_on(const struct records *p, size_t run)
{
    return run + 1 < p->run_count && p->runs[run + 1].resumes;
}

/* Several runs are told apart by letters: A to Z, AA, AB ... */
static void set_letter(size_t run, size_t all, char text[MACHINE])
{
    size_t at = MACHINE - 1;
    char letters[MACHINE] = "";

    for (size_t left = run + 1; left > 0 && at > 0 && all > 1; left = (left - 1) / 26)
        letters[--at] = (char)('A' + (left - 1) % 26);
    memcpy(text, letters + at, MACHINE - at);
}

static size_t count_runs(const struct records files[], size_t count)
{
    size_t all = 0;

    for (size_t f = 0; f < count; f++)
        for (size_t r = 0; r < files[f].run_count; r++)
            all += !goes_on(&files[f], r);
    return all;
}

/* CSV has no list that explains letters, so it names the run or the file. */
static const char *name_in_csv(const struct records *p, const struct result *c)
{
    return count_runs(p, 1) > 1 ? p->runs[c->run].id : p->file;
}

static void take_file(struct parts *parts, const struct records *p, size_t *run, size_t all,
                      enum format format)
{
    const size_t before = *run;
    char letter[MACHINE];

    for (size_t r = 0; r < p->run_count; r++) {
        set_letter(*run, all, letter);
        if (!goes_on(p, r) && (format == FORMAT_TABLE || format == FORMAT_MARKDOWN))
            print_run(p, &p->runs[r], letter);
        *run += !goes_on(p, r);
    }
    for (size_t i = 0, count; i < p->result_count; i += count) {
        size_t of = before;
        count = records_table_length(p, i);
        for (size_t r = 0; r < p->results[i].run; r++)
            of += !goes_on(p, r);
        struct part *part = &parts->list[parts->count++];
        *part = (struct part){.past = p, .at = i, .count = count};
        if (format == FORMAT_CSV)
            part->machine = name_in_csv(p, &p->results[i]);
        set_letter(of, all, part->letter);
    }
}

/* Of each file, whose tables may be of one run. */
static void show_weak(const struct records files[], size_t count, enum format format)
{
    for (size_t f = 0; f < count && format != FORMAT_CSV; f++) {
        struct result **rows = calloc(files[f].result_count + 1, sizeof *rows);
        if (rows == NULL)
            abort();
        for (size_t i = 0; i < files[f].result_count; i++)
            rows[i] = &files[f].results[i];
        table_weak(stdout, format, rows, files[f].result_count);
        free(rows);
    }
}

/* The peak rates of files that rungs ceilings has written.  False: there are none. */
static bool show_ceilings(const struct records files[], size_t count, enum format format)
{
    bool any = false;

    for (size_t f = 0; f < count; f++) {
        if (files[f].ceiling_count == 0)
            continue;
        table_ceilings(stdout, format, files[f].ceilings, files[f].ceiling_count, NULL);
        any = true;
    }
    return any;
}

static bool show_all(const struct options *o, const struct records files[], size_t count,
                     struct error *error)
{
    struct parts parts = {.count = 0};
    size_t run = 0, all = count_runs(files, count), results = 1;
    bool fine = true, begins = true;

    for (size_t f = 0; f < count; f++)
        results += files[f].result_count;
    parts.list = calloc(results, sizeof *parts.list);
    if (parts.list == NULL)
        abort();
    for (size_t f = 0; f < count; f++)
        take_file(&parts, &files[f], &run, all, o->format);
    if (o->format == FORMAT_TABLE || o->format == FORMAT_MARKDOWN)
        putchar('\n');
    for (size_t i = 0; i < parts.count && fine; i++) {
        if (parts.list[i].shown)
            continue;
        fine = show_size(&parts, i, o->format, begins, error);
        begins = false;
    }
    if (fine)
        show_weak(files, count, o->format);
    if (fine && legend_due(o, "bench"))
        table_legend(stdout);
    const bool peaks = fine && show_ceilings(files, count, o->format);
    if (fine && parts.count == 0 && !peaks)
        fine = error_set(error, "%s: contains no table", count > 0 ? files[0].file : "");
    free(parts.list);
    return fine;
}

/* --- JSON: the records themselves ------------------------------------------------------------- */

static bool is_shown(const json_t *record)
{
    const char *kind = json_string_value(json_object_get(record, "record"));

    return kind != NULL && (strcmp(kind, "measurement") == 0 || strcmp(kind, "compare") == 0 ||
                            strcmp(kind, "scaling") == 0 || strcmp(kind, "ceiling") == 0);
}

static bool print_records(const char *file, struct error *error)
{
    FILE *f = fopen(file, "re");
    char *line = NULL;
    size_t room = 0;

    if (f == NULL)
        return error_set(error, "%s: cannot be read any more", file);
    while (getline(&line, &room, f) > 0) {
        json_t *record = json_loads(line, 0, NULL);
        if (is_shown(record))
            fputs(line, stdout);
        json_decref(record);
    }
    free(line);
    fclose(f);
    return true;
}

/* --- the command ------------------------------------------------------------------------------ */

static int run(const struct options *o)
{
    struct records files[MAX_WORDS];
    struct error error = {.text = ""};
    size_t count = 0;
    bool fine = true;

    if (o->patterns.count == 0) {
        error_set(&error, "show takes files of records");
        return usage_error(&error);
    }
    for (; count < o->patterns.count && fine; count += fine)
        fine = records_read(o->patterns.word[count], &files[count], &error);
    for (size_t f = 0; f < count && fine; f++)
        note_cut(&files[f]);
    if (fine && o->format != FORMAT_JSON)
        fine = show_all(o, files, count, &error);
    for (size_t f = 0; f < count && fine && o->format == FORMAT_JSON; f++)
        fine = print_records(files[f].file, &error);
    for (size_t f = 0; f < count; f++)
        records_free(&files[f]);
    return fine ? STATUS_OK : usage_error(&error);
}

const struct command command_show = {
    .name = "show",
    .usage = "show FILE... [--format FORMAT]",
    .about = "print the tables of files of records; several machines side by side",
    .help = "bench and ceilings write files of records.  show prints their tables as these did.  Several\n"
            "runs, of one file or of several, share one table for each problem and size, with a letter\n"
            "for each run; the ratios of a row are within its own run.  The variants and devices need\n"
            "not exist on this machine.\n",
    .words = "FILE",
    .run = run,
};
