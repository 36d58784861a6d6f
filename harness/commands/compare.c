/* rungs compare: the ratios within a file of records, or what changed from one file to another. */
#include "harness/commands/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- how a comparison is printed -------------------------------------------------------------- */

static void describe_ratio(double ratio, char *text, size_t bytes)
{
    snprintf(text, bytes, ratio >= 99.95 ? "%.1f" : ratio < 0.0995 ? "%#.3g" : "%.3f", ratio);
}

void compare_set(struct grid *g, size_t column, const struct comparison *c)
{
    char ratio[24], low[24], high[24];

    if (!isfinite(c->ratio))
        return;
    describe_ratio(c->ratio, ratio, sizeof ratio);
    describe_ratio(c->low, low, sizeof low);
    describe_ratio(c->high, high, sizeof high);
    grid_set(g, column, "%s", ratio);
    if (isfinite(c->low))
        grid_set(g, column + 1, "%s to %s", low, high);
    grid_set(g, column + 2, "%s", finding_names[c->finding]);
}

const char compare_csv_names[] = ",ratio,low,high,conf,rounds,method,verdict";

void compare_print_csv(const struct comparison *c)
{
    table_csv_number(stdout, c->ratio);
    table_csv_number(stdout, c->low);
    table_csv_number(stdout, c->high);
    table_csv_number(stdout, c->confidence);
    if (isfinite(c->ratio))
        printf(",%zu,%s,%s", c->rounds, c->method, finding_names[c->finding]);
    else
        printf(",,,");
}

void compare_print_json(json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));

    puts(text != NULL ? text : "null");
    free(text);
    json_decref(object);
}

json_t *compare_size_json(const struct past_cell *c)
{
    json_t *size = json_object();

    for (size_t i = 0; i < c->axes; i++)
        json_object_set_new(size, c->size[i].name, json_integer(c->size[i].value));
    return size;
}

/* --- the command ------------------------------------------------------------------------------ */

/* All runs of both files must be of one machine. */
static bool machines_differ(const struct past files[2], char *text, size_t bytes)
{
    const struct fingerprint *first = &files[0].runs[0].machine;

    for (size_t f = 0; f < 2; f++)
        for (size_t i = 0; i < files[f].run_count; i++)
            if (fingerprint_differs(first, &files[f].runs[i].machine, text, bytes))
                return true;
    return false;
}

static int compare_two(const struct options *o, const struct past files[2])
{
    char differs[300];
    struct error error;
    bool differ = machines_differ(files, differs, sizeof differs);

    if (!differ || o->force)
        return compare_files(o, &files[0], &files[1], differ ? differs : NULL);
    error_set(&error, "different machines: %s (%s, %s); --force compares them all the same",
              differs, files[0].file, files[1].file);
    return usage_error(&error);
}

/* Standard output may be for a program. */
static void note_interruptions(const struct past *p)
{
    for (size_t i = 0; i < p->run_count; i++)
        if (!p->runs[i].ended)
            fprintf(stderr, "rungs: %s: run %s was interrupted, since it has no end\n", p->file,
                    p->runs[i].id);
}

static int run(const struct options *o)
{
    struct past files[2];
    struct error error = {.text = ""};
    size_t count = o->pattern_count, read = 0;
    int status;

    if (count < 1 || count > 2)
        error_set(&error, "compare takes one file of records, or two: compare OLD NEW");
    else if (count == 1 && isfinite(o->fail_slower))
        error_set(&error, "--fail-on needs two files, OLD and NEW");
    while (error.text[0] == '\0' && read < count && past_read(o->patterns[read], &files[read], &error))
        note_interruptions(&files[read++]);
    if (error.text[0] != '\0')
        status = usage_error(&error);
    else
        status = count == 1 ? compare_within(o, &files[0]) : compare_two(o, files);
    while (read > 0)
        past_free(&files[--read]);
    return status;
}

const struct command command_compare = {
    .name = "compare",
    .usage = "compare OLD NEW [--fail-on slower:5%] [--force]  |  compare FILE",
    .about = "say what became faster or slower between two files of records, or within one",
    .help = "Files of records are what bench writes to results/.  Two files: of each rung and size that\n"
            "both hold, how many times faster NEW is, with its interval and a verdict: FASTER,\n"
            "SLOWER, SAME or UNRESOLVED.  Different machines are refused.  One file: the ratios of\n"
            "its own tables, with their intervals.  Several runs in one file (cat A B > C) count as\n"
            "launches; from six on, smaller differences can be told.\n",
    .options = "  --fail-on slower:5%      exit status 3 if anything that OLD has a time for takes so much\n"
               "                           longer in NEW, or fails there\n"
               "  --force                  compare different machines as well\n"
               "  --format FORMAT          table, md, csv or json\n",
    .run = run,
};
