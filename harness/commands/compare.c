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

json_t *compare_scale_json(const struct past_cell *c)
{
    return c->scale.value > 0 ? json_pack("{s:I}", c->scale.name, (json_int_t)c->scale.value)
                              : json_null();
}

/* --- the command ------------------------------------------------------------------------------ */

/* Is a run of `p` of another machine than the first run of all? */
static bool differs(const struct past_run *first, const struct past *p, char *text, size_t bytes)
{
    for (size_t i = 0; i < p->run_count; i++)
        if (fingerprint_differs(&first->machine, &p->runs[i].machine, text, bytes))
            return true;
    return false;
}

static int compare_two(const struct options *o, const struct past *was, const struct past *is)
{
    char text[300] = "";
    struct error error;
    bool differ = differs(&was->runs[0], was, text, sizeof text) ||
                  differs(&was->runs[0], is, text, sizeof text);

    if (!differ || o->force)
        return compare_files(o, was, is, differ ? text : NULL);
    error_set(&error, "different machines: %s (%s, %s); --force compares them all the same", text,
              was->file, is->file);
    return usage_error(&error);
}

/* Standard output may be for a program. */
static void note_interruptions(const struct past *p)
{
    note_cut(p);
    for (size_t i = 0; i < p->run_count; i++)
        if (!p->runs[i].ended && (i + 1 == p->run_count || !p->runs[i + 1].resumes))
            fprintf(stderr, "rungs: %s: run %s was interrupted, since it has no end\n", p->file,
                    p->runs[i].id);
}

static bool arguments_fit(const struct options *o, struct error *error)
{
    if (o->pattern_count < 1 || o->pattern_count > 2)
        return error_set(error, "compare takes one file of records, or two: compare OLD NEW");
    return o->pattern_count == 2 || isnan(o->fail_slower) ||
           error_set(error, "--fail-on needs two files, OLD and NEW");
}

static int run(const struct options *o)
{
    struct past one, two;
    struct error error;
    int status;

    if (!arguments_fit(o, &error) || !past_read(o->patterns[0], &one, &error))
        return usage_error(&error);
    note_interruptions(&one);
    if (o->pattern_count == 1) {
        status = compare_within(o, &one);
    } else if (past_read(o->patterns[1], &two, &error)) {
        note_interruptions(&two);
        status = compare_two(o, &one, &two);
        past_free(&two);
    } else {
        status = usage_error(&error);
    }
    past_free(&one);
    return status;
}

const struct command command_compare = {
    .name = "compare",
    .usage = "compare OLD NEW [--fail-on slower:5%] [--force]  |  compare FILE",
    .about = "say what became faster or slower between two files of records, or within one",
    .help = "Files of records are what bench writes to results/.  Two files: of each rung and\n"
            "size that both hold, how many times faster NEW is, with an interval and a verdict:\n"
            "FASTER, SLOWER, SAME or UNRESOLVED.  Different machines are refused.  One file: the\n"
            "ratios of its own tables, with their intervals.  Several runs in one file (cat A B >\n"
            "C) count as launches; from six on, smaller differences can be told.\n",
    .options = "  --fail-on slower:5%      exit status 3 if anything that OLD has a time for takes\n"
               "                           so much longer in NEW, or fails there\n"
               "  --force                  compare different machines as well\n"
               "  --format FORMAT          table, md, csv or json\n",
    .run = run,
};
