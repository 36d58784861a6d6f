/* The options: how each value is parsed and stored, and the table of all. */
#include "harness/commands/option_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/base/text.h"
#include "harness/commands/sizes.h"
#include "harness/model/registry.h"

/* --- lists of words between blanks ------------------------------------------------------------ */

/* Returns the place of a word in the list, or -1. */
static int place_of(const char *list, const char *word, size_t bytes)
{
    for (int place = 0; *list != '\0'; place++) {
        size_t length = strcspn(list, " ");
        if (length == bytes && strncmp(list, word, bytes) == 0)
            return place;
        list += length + strspn(list + length, " ");
    }
    return -1;
}

void option_table_list(const char *words, const char *last, char *text, size_t bytes)
{
    text[0] = '\0';
    while (*words != '\0') {
        size_t length = strcspn(words, " "), used = strlen(text);
        const char *next = words + length + strspn(words + length, " ");
        const char *between = used == 0 ? "" : *next != '\0' ? ", " : last;
        snprintf(text + used, bytes - used, "%s%.*s", between, (int)length, words);
        words = next;
    }
}

/* --- values ----------------------------------------------------------------------------------- */

static bool take_flag(const struct option_given *g, struct error *error)
{
    (void)error;
    *(bool *)g->field = true;
    return true;
}

static bool take_text(const struct option_given *g, struct error *error)
{
    (void)error;
    *(const char **)g->field = g->value;
    return true;
}

static bool take_word(const struct option_given *g, struct error *error)
{
    struct words *words = g->field;

    if (words->count == MAX_WORDS)
        return error_set(error, "--%s: more than %d of them, at \"%s\"", g->name, MAX_WORDS, g->value);
    words->option = g->name;
    words->word[words->count++] = g->value;
    return true;
}

static bool take_setting(const struct option_given *g, struct error *error)
{
    struct options *o = g->field;

    if (o->setting_count == MAX_WORDS)
        return error_set(error, "more than %d options of problems, at --%s", MAX_WORDS, g->name);
    o->settings[o->setting_count++] =
        (struct setting){g->row->name, g->value != NULL ? g->value : ""};
    return true;
}

static bool take_most_ranks(const struct option_given *g, struct error *error)
{
    size_t ranks;

    if (!sizes_number(g->value, strlen(g->value), &ranks) || ranks < 2 || ranks > 1 << 20)
        return error_set(error, "--%s takes a number of ranks from 2 to 2^20, not \"%s\"", g->name, g->value);
    *(int *)g->field = (int)ranks;
    return true;
}

/* "1.5", "2s" */
static bool take_seconds(const struct option_given *g, struct error *error)
{
    char *end;
    double seconds = strtod(g->value, &end);

    if (*end == 's')
        end++;
    if (end == g->value || *end != '\0' || !(seconds > 0.0) || !isfinite(seconds))
        return error_set(error, "--%s takes a number of seconds above 0, not \"%s\"", g->name, g->value);
    *(double *)g->field = seconds;
    return true;
}

/* Without a time it stores 0. */
static bool take_capture(const struct option_given *g, struct error *error)
{
    *(double *)g->field = 0.0;
    return g->value == NULL || take_seconds(g, error);
}

static bool take_seed(const struct option_given *g, struct error *error)
{
    size_t count;

    if (!sizes_number(g->value, strlen(g->value), &count))
        return error_set(error, "--%s takes a whole number, not \"%s\"", g->name, g->value);
    *(uint64_t *)g->field = count;
    return true;
}

static bool take_passes(const struct option_given *g, struct error *error)
{
    size_t passes;

    if (!sizes_number(g->value, strlen(g->value), &passes) || passes < 1 || passes > MAX_PASSES)
        return error_set(error, "--%s takes a number from 1 to %d, not \"%s\"", g->name,
                         MAX_PASSES, g->value);
    *(unsigned *)g->field = (unsigned)passes;
    return true;
}

/* "2/3" */
static bool take_shard(const struct option_given *g, struct error *error)
{
    const size_t digits = strcspn(g->value, "/");
    struct shard s;

    if (g->value[digits] != '/' || !sizes_number(g->value, digits, &s.part) ||
        !sizes_number(g->value + digits + 1, strlen(g->value + digits + 1), &s.parts) || s.part < 1 || s.part > s.parts)
        return error_set(error, "--%s takes a part of all, as 2/3, not \"%s\"", g->name, g->value);
    *(struct shard *)g->field = s;
    return true;
}

/* "4", "1,2,4": stored in rising order, each value once. */
static bool take_steps(const struct option_given *g, struct error *error)
{
    struct steps *steps = g->field;

    *steps = (struct steps){.count = 0};
    for (const char *at = g->value;; at++) {
        size_t bytes = strcspn(at, ","), value, place = 0;
        if (!sizes_number(at, bytes, &value) || value < 1 || value > 4096)
            return error_set(error, "--%s takes numbers from 1 to 4096, not \"%s\"", g->name,
                             g->value);
        while (place < steps->count && steps->value[place] < (int)value)
            place++;
        at += bytes;
        if (place == steps->count || steps->value[place] != (int)value) {
            if (steps->count == MAX_STEPS)
                return error_set(error, "--%s takes %d values at most", g->name, MAX_STEPS);
            memmove(steps->value + place + 1, steps->value + place,
                    (steps->count++ - place) * sizeof *steps->value);
            steps->value[place] = (int)value;
        }
        if (*at == '\0')
            return true;
    }
}

/* A single number makes no axis, because all variants get the same. */
static bool take_threads(const struct option_given *g, struct error *error)
{
    struct options *o = g->field;
    const struct option_given steps = {g->row, g->name, g->value, &o->thread_steps};

    if (!take_steps(&steps, error))
        return false;
    o->threads = o->thread_steps.value[o->thread_steps.count - 1];
    if (o->thread_steps.count == 1)
        o->thread_steps.count = 0;
    return true;
}

static bool take_one_thread_count(const struct option_given *g, struct error *error)
{
    const struct options *o = g->field;

    if (!take_threads(g, error))
        return false;
    return o->thread_steps.count == 0 ||
           error_set(error, "--%s takes one number, not \"%s\"; bench takes several", g->name,
                     g->value);
}

static bool take_step(const struct option_given *g, struct error *error)
{
    char *end;
    double step = strtod(g->value, &end);

    if (end == g->value || *end != '\0' || !(step >= 1.05 && step <= 1024.0))
        return error_set(error, "--%s takes a factor from 1.05 to 1024, not \"%s\"", g->name, g->value);
    *(double *)g->field = step;
    return true;
}

/* "slower", "slower:5%" */
static bool take_fail_on(const struct option_given *g, struct error *error)
{
    char *end = (char *)g->value + strcspn(g->value, ":");
    double share = 0.0;

    if (strncmp(g->value, "slower", 6) == 0 && end == g->value + 6) {
        if (*end == ':')
            share = strtod(end + 1, &end) / 100.0;
        if (*end == '%')
            end++;
        if (*end == '\0' && end[-1] != ':' && share >= 0.0 && isfinite(share)) {
            *(double *)g->field = share;
            return true;
        }
    }
    return error_set(error, "--%s is slower or slower:PERCENT (slower:5%%), not \"%s\"", g->name,
                     g->value);
}

/* "svg,pdf": sets bits in the order of the row's values, which is the order of PICTURE_SVG etc. */
static bool take_pictures(const struct option_given *g, struct error *error)
{
    unsigned pictures = 0;
    char list[80];

    for (const char *word = g->value; word != NULL; word = strchr(word, ',')) {
        word += *word == ',';
        int place = place_of(g->row->values, word, strcspn(word, ","));
        option_table_list(g->row->values, " and ", list, sizeof list);
        if (place < 0)
            return error_set(error, "--%s is a list of %s, not \"%s\"", g->name, list,
                             g->value);
        pictures |= 1u << place;
    }
    *(unsigned *)g->field = pictures;
    return true;
}

/* Is the value one of the row's? */
static bool is_choice(const struct option_given *g, struct error *error)
{
    char list[80];

    if (place_of(g->row->values, g->value, strlen(g->value)) >= 0)
        return true;
    option_table_list(g->row->values, " or ", list, sizeof list);
    return error_set(error, "--%s is %s, not \"%s\"", g->name, list, g->value);
}

static bool take_choice(const struct option_given *g, struct error *error)
{
    return is_choice(g, error) && take_text(g, error);
}

static const char formats[] = "table md csv json"; /* in the order of enum format */

static bool take_format(const struct option_given *g, struct error *error)
{
    if (!is_choice(g, error))
        return false;
    *(enum format *)g->field = (enum format)place_of(formats, g->value, strlen(g->value));
    return true;
}

static bool take_order(const struct option_given *g, struct error *error)
{
    *(bool *)g->field = strcmp(g->value, "serial") == 0;
    return is_choice(g, error);
}

static bool take_preset(const struct option_given *g, struct error *error)
{
    (void)error;
    *(struct preset *)g->field =
        strcmp(g->row->name, "quick") == 0 ? preset_quick : preset_thorough;
    return true;
}

static bool take_sim(const struct option_given *g, struct error *error)
{
    (void)error;
    *(bool *)g->field = false;
    return true;
}

static bool take_no_color(const struct option_given *g, struct error *error)
{
    (void)g, (void)error;
    terminal_no_colour();
    return true;
}

/* --- the table -------------------------------------------------------------------------------- */

/* Commands that run variants; and those of them that take the user's data and sizes. */
#define CASES "check bench sweep count run selftest profile view"
#define DATA "check bench count run selftest profile view"
#define FIELD(name) offsetof(struct options, name)

static const struct option_row own[] = {
    {"exclude", 'x', "PATTERN", NULL, "list " CASES, take_word, FIELD(excluded),
     .help = "leave out these variants"},
    {"all", 0, NULL, NULL, "bench sweep count selftest", take_flag, FIELD(all),
     .help = "without a PATTERN, measure everything, also the problems and the languages that a bench leaves out "
             "because it would take too long"},
    {"variants", 0, "FOLDER", NULL, "list serve " CASES, take_word, FIELD(folders),
     .help = "also load the variants in FOLDER/PROBLEM/; the environment variable RUNGS_PATH names such "
             "folders for all commands",
     .typed = true},
    {"size", 0, "SIZES", "S M L XL", DATA " serve", take_word, FIELD(sizes),
     .help = "named sizes (S, M, L, XL), or the length of each axis, or both: S,M or m=70000,n=9000,k=5 "
             "or S,n=2^20; each axis is also an option: --k 3"},
    {"quick", 0, NULL, NULL, "bench sweep selftest ceilings", take_preset, FIELD(preset),
     .help = "measure fewer rounds and accept wider confidence intervals"},
    {"quick", 0, NULL, NULL, "profile", take_preset, FIELD(preset),
     .help = "perf: count one call instead of a second of calls, without its hottest lines; ncu: collect only the "
             "counters that are printed, and keep no report"},
    {"thorough", 0, NULL, NULL, "bench sweep selftest", take_preset, FIELD(preset),
     .help = "measure longer, and in ten passes, for narrower confidence intervals: for figures that "
             "you publish",
     .alias = "publish"},
    {"max-time", 0, "SECONDS", NULL, "bench sweep selftest", take_seconds, FIELD(max_time),
     .help = "measuring time for one variant at one size (default 0.5; sweep 1; with --thorough 10); a variant "
             "is skipped where one call is predicted to take longer, but the first of a ladder may get a single "
             "call"},
    {"passes", 0, "N", NULL, "bench selftest", take_passes, FIELD(passes),
     .help = "number of passes, 1 to 10: each measures all variants at all sizes in fresh processes "
             "(default 3; with --quick 1, with --thorough 10)"},
    {"shard", 0, "K/N", NULL, "check bench", take_shard, FIELD(shard),
     .help = "judge at each Nth check size only, from the Kth on: N jobs of a CI, 1/3, 2/3 and 3/3, share the work, and a "
             "bench of variants that compile for each size begins sooner"},
    {"seed", 0, "N", NULL, CASES, take_seed, FIELD(seed),
     .help = "seed of the generated data (default 1)"},
    {"threads", 0, "N,...", NULL, "bench", take_threads, 0,
     .help = "threads for variants that use several (default: all cores); with several numbers, 1,2,4, "
             "each of these variants is measured with each number, and a table shows speed-up and efficiency"},
    {"threads", 0, "N", NULL, "check sweep count run selftest profile view serve", take_one_thread_count, 0,
     .help = "threads for variants that use several (default: all cores)"},
    {"devices", 0, "N,...", NULL, "bench", take_steps, FIELD(device_steps),
     .help = "GPUs for variants that use several: the first N that CUDA_VISIBLE_DEVICES allows; with "
             "several numbers, 1,2,4, each of these variants is measured with each number"},
    {"ranks", 0, "N,...", NULL, "bench check", take_steps, FIELD(rank_steps),
     .help = "processes of MPI variants (default: as many as threads; with GPUs, as many as these): with several numbers, "
             "1,2,4, each of these variants is measured, or judged, with each number"},
    {"processes", 0, "N,...", NULL, "bench", take_steps, FIELD(process_steps),
     .help = "processes that call a variant at the same time: with several numbers, 1,2,4, each variant that is not by MPI is "
             "measured with each number, and a table shows how much more work a second they do together"},
    {"ranks", 0, "N", NULL, "ceilings", take_steps, FIELD(rank_steps),
     .help = "measure the network between so many processes by MPI, the first and the last of which send; nothing else"},
    {"weak", 0, NULL, NULL, "bench", take_flag, FIELD(weak),
     .help = "weak scaling: measure each size also 2 and 4 times as large (its first axis) with --ranks 1,2,4 or "
             "--threads 1,2,4, and show whether twice the work takes twice the ranks as long"},
    {"resume", 0, "FILE", NULL, "bench sweep", take_text, FIELD(resume),
     .help = "continue a run that was killed or interrupted, from its records: what they hold is not "
             "measured again; give all other options as before (a sweep may get other sizes)",
     .typed = true},
    {"timeout", 0, "SECONDS", NULL, "list serve " CASES, take_seconds, FIELD(timeout),
     .help = "time after which a call counts as hung (default 60)"},
    {"oversubscribe", 0, NULL, NULL, "serve " CASES, take_flag, FIELD(oversubscribe),
     .help = "allow cuda_managed and cuda_unified more managed memory than the GPU has free; without it "
             "they are refused there, because this can hang the GPU for all its users"},
    {"order", 0, "ORDER", "latin serial", "bench sweep selftest", take_order, FIELD(serial),
     .help = "order of measurement: latin, the variants take turns and each is in each place equally "
             "often (default), or serial, one variant after the other"},
    {"from", 0, "N", NULL, "sweep", take_text, FIELD(from),
     .help = "smallest length of the axes that grow together; an axis that you set, --k 3, does not "
             "grow"},
    {"to", 0, "N", NULL, "sweep", take_text, FIELD(to),
     .help = "largest length of these axes"},
    {"to", 0, "N", NULL, "scale", take_most_ranks, FIELD(most_ranks),
     .help = "largest number of ranks (default 4096)"},
    {"network", 0, "NETWORK", NULL, "scale", take_text, FIELD(network),
     .help = "time of a message and bytes a second, alpha=1.5us,beta=12.5GB, in the place of those measured by rungs "
             "ceilings --ranks 2"},
    {"step", 0, "FACTOR", NULL, "sweep", take_step, FIELD(step),
     .help = "factor from one size to the next (default 2)"},
    {"contenders", 0, "PATTERN", NULL, "sweep", take_word, FIELD(contenders),
     .help = "find from which size on these variants are faster than the baseline (default: GPU "
             "variants, or all variants outside the baseline)",
     .alias = "of"},
    {"baseline", 0, "PATTERN", NULL, "sweep", take_word, FIELD(baseline),
     .help = "compare with the fastest of these variants at each size (default: CPU variants)",
     .alias = "against"},
    {"if-missing", 0, NULL, NULL, "ceilings", take_flag, FIELD(if_missing),
     .help = "measure only if this machine has no ceilings yet, and show those that it has",
     .alias = "once"},
    {"fail-on", 0, "slower:PERCENT", "slower", "compare", take_fail_on, FIELD(fail_slower),
     .help = "exit with status 3 if a variant with a time in OLD is slower in NEW by PERCENT or more, "
             "or fails there"},
    {"force", 0, NULL, NULL, "compare", take_flag, FIELD(force),
     .help = "compare runs even if they come from different machines"},
    {"counters", 0, NULL, NULL, "run", take_flag, FIELD(counters),
     .help = "count the memory accesses of one call, for each kernel: requests, sectors, bank "
             "conflicts, copies; in the simulator only (a build with SIM=1)"},
    {"capture", 0, "[SECONDS]", NULL, "run", take_capture, FIELD(capture),
     .help = "make one more call, or calls for so many seconds, between cudaProfilerStart and "
             "cudaProfilerStop: for a profiler that records only these"},
    {"tool", 0, "TOOL", "ncu nsys perf sim", "profile", take_choice, FIELD(tool),
     .help = "use this profiler: ncu, nsys, perf, or sim (the simulator's counters)"},
    {"names", 0, NULL, NULL, "list", take_flag, FIELD(names),
     .help = "print only the names, one a line, and start no worker"},
    {"format", 0, "FORMAT", formats,
     "list check bench sweep count run ceilings compare selftest show scale config", take_format, FIELD(format),
     .help = "table, md, csv or json"},
    {"format", 0, "FORMAT", "table json", "profile", take_format, FIELD(format),
     .help = "the simulator's counters: table, or json as JSON Lines"},
    {"out", 'o', "FILE", NULL, "check bench sweep count selftest", take_text, FIELD(out),
     .help = "write the records to this file, which must not exist yet",
     .typed = true},
    {"out", 'o', "FILE", NULL, "run", take_text, FIELD(out),
     .help = "write the result to this file; - is standard output",
     .typed = true},
    {"out", 'o', "FILE", NULL, "ceilings", take_text, FIELD(out),
     .help = "write the ceilings to this file, where bench does not find them",
     .typed = true},
    {"out", 'o', "FILE", NULL, "profile", take_text, FIELD(out),
     .help = "write the profiler's report to this file",
     .typed = true},
    {"out", 'o', "FILE", NULL, "view", take_text, FIELD(out),
     .help = "write the page to this file",
     .typed = true},
    {"out", 'o', "FOLDER", NULL, "plot", take_text, FIELD(out),
     .help = "put the pictures into this folder (default: FILE-plots)",
     .typed = true},
    {"out", 'o', "FOLDER", NULL, "scale", take_text, FIELD(out),
     .help = "draw pictures into this folder",
     .typed = true},
    {"out", 'o', "FILE", NULL, "report", take_text, FIELD(out),
     .help = "write the page to this file (default report.html); an older report is overwritten, any "
             "other file is not",
     .typed = true},
    {"image", 0, "FORMATS", "svg png pdf", "plot scale", take_pictures, FIELD(pictures),
     .help = "image formats: a list of svg, png and pdf (default svg,png); png gives a light and a dark "
             "file",
     .alias = "as"},
    {"no-plots", 0, NULL, NULL, "report", take_flag, FIELD(no_plots),
     .help = "leave out the pictures, which need gnuplot"},
    {"gpu", 0, NULL, NULL, "lab", take_flag, FIELD(gpu),
     .help = "run exercises on a GPU"},
    {"sim", 0, NULL, NULL, "lab", take_sim, FIELD(gpu),
     .help = "run exercises in the simulator (the default)"},
    {"listen", 0, "ADDRESS[:PORT]", NULL, "lab", take_text, FIELD(listen),
     .help = "lab serve: listen there instead of at 127.0.0.1:8642; an address of this machine in a network opens "
             "the page to that network",
     .typed = true},
    {"no-color", 0, NULL, NULL, NULL, take_no_color, 0,
     .help = "print without colour; the environment variable NO_COLOR does the same"},
    {"quiet", 'q', NULL, NULL, "check bench sweep count ceilings compare run show scale selftest", take_flag, FIELD(quiet),
     .help = "show no progress, and no legend below the tables"},
    {"legend", 'v', NULL, NULL, "bench count ceilings compare run show scale", take_flag, FIELD(legend),
     .help = "explain columns, marks and flags below the tables (default: on a terminal once a day, in a file or a "
             "pipe always); of run: name the variants that were not taken, and why",
     .alias = "verbose"},
    {"help", 'h', NULL, NULL, NULL, take_flag, FIELD(help),
     .help = "explain the command", .typed = true},
    {"version", 'V', NULL, NULL, NULL, take_flag, FIELD(version),
     .help = "print the version of this program", .typed = true},
};

enum { OWN = sizeof own / sizeof *own, MAX_ROWS = 192 };

/* `one` NULL: all commands. */
static bool share_a_command(const char *one, const char *other)
{
    size_t length;

    for (; *other != '\0'; other += length + strspn(other + length, " ")) {
        length = strcspn(other, " ");
        if (one == NULL || place_of(one, other, length) >= 0)
            return true;
    }
    return false;
}

/* Adds an option of a problem, unless one of its commands has an option of that name already. */
static void add_row(struct option_row *rows, size_t *count, const char *name, const char *argument,
                    const char *commands_of, const char *help)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(rows[i].name, name) == 0 && share_a_command(rows[i].commands, commands_of))
            return;
    if (*count < MAX_ROWS)
        rows[(*count)++] = (struct option_row){.name = name, .argument = argument, .help = help,
                                               .commands = commands_of, .take = take_setting};
}

/* Joins an axis's words by a separator, in memory that stays. */
static const char *join_words(const char *const words[], const char *before, const char *separator,
                              const char *after)
{
    char text[512];

    (void)snprintf(text, sizeof text, "%s", before);
    for (size_t w = 0; words[w] != NULL; w++)
        text_add(text, sizeof text, "%s%s", w > 0 ? separator : "", words[w]);
    text_add(text, sizeof text, "%s", after);
    char *kept = strdup(text);
    if (kept == NULL)
        abort();
    return kept;
}

static void add_axis(struct option_row *rows, size_t *count, const struct problem *p, size_t a)
{
    const char *const *words = p->words[a];
    const size_t before = *count;

    if (words == NULL) {
        add_row(rows, count, p->axes[a], "N", CASES, "size along this axis");
        return;
    }
    add_row(rows, count, p->axes[a], "WORD", CASES, "");
    if (*count == before)
        return;
    rows[before].help = join_words(words, "one or several, e.g. uniform,town, of ", ", ", "; or all");
    rows[before].values = join_words(words, "", " ", " all");
}

size_t option_table_own(void)
{
    return OWN;
}

size_t option_table(const struct option_row **list)
{
    static struct option_row rows[MAX_ROWS];
    static size_t count;
    const struct problem *const *problems;
    size_t problem_count = registry_problems(&problems);

    *list = rows;
    if (count > 0)
        return count;
    memcpy(rows, own, sizeof own);
    count = OWN;
    for (size_t i = 0; i < problem_count; i++) {
        for (const struct input *in = problem_inputs(problems[i]); in->name != NULL; in++)
            add_row(rows, &count, in->name, in->argument, DATA, in->help);
        for (size_t a = 0; a < MAX_AXES && problems[i]->axes[a] != NULL; a++)
            add_axis(rows, &count, problems[i], a);
    }
    return count;
}

bool option_table_has_default(const struct option_row *row)
{
    return !row->typed && row->take != take_setting;
}

bool option_table_is_of(const struct option_row *row, const char *command)
{
    return row->commands == NULL || place_of(row->commands, command, strlen(command)) >= 0;
}

static bool is_called(const struct option_row *row, const char *name)
{
    return strcmp(row->name, name) == 0 || (row->alias != NULL && strcmp(row->alias, name) == 0);
}

const struct option_row *option_table_find(const char *name, const char *command)
{
    const struct option_row *rows;
    size_t count = option_table(&rows);

    for (size_t i = 0; i < count; i++)
        if (is_called(&rows[i], name) &&
            (command == NULL || option_table_is_of(&rows[i], command)))
            return &rows[i];
    return NULL;
}

bool option_table_unknown(const char *word, struct error *error)
{
    const struct option_row *rows, *best = NULL;
    const size_t count = option_table(&rows);
    const bool is_long = strncmp(word, "--", 2) == 0;
    const int length = (int)strcspn(word, "=");
    unsigned least = 4; /* a name that is farther off is no suggestion */
    char name[128];

    snprintf(name, sizeof name, "%.*s", length, word);
    for (size_t i = 0; i < count && is_long; i++) {
        const unsigned distance = edit_distance(name + 2, rows[i].name);
        const unsigned older = rows[i].alias != NULL ? edit_distance(name + 2, rows[i].alias) : least;
        if (distance < least || older < least) {
            least = distance < older ? distance : older;
            best = &rows[i];
        }
    }
    if (best != NULL)
        return error_set(error, "there is no option %s; did you mean --%s?", name, best->name);
    return error_set(error, "there is no option %s; rungs --help lists the options", name);
}

void option_table_spell(const struct option_row *row, char *text, size_t bytes)
{
    const char *argument = row->argument != NULL ? row->argument : "";
    char letter[8] = "";

    if (row->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    if (argument[0] == '[')
        snprintf(text, bytes, "%s--%s[=%s", letter, row->name, argument + 1);
    else
        snprintf(text, bytes, "%s--%s%s%s", letter, row->name, argument[0] != '\0' ? " " : "",
                 argument);
}
