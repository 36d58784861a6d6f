#define _GNU_SOURCE
#include "harness/options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/nearest.h"
#include "harness/options_values.h"
#include "harness/registry.h"
#include "harness/terminal.h"
#include "harness/topology.h"

enum { O_EXCLUDE = 'x', O_HELP = 'h', O_SIZE = 256, O_QUICK, O_PUBLISH, O_MAX_TIME, O_SEED,
       O_THREADS, O_TIMEOUT, O_FORMAT, O_OUT, O_ORDER, O_OVERSUBSCRIBE, O_ONCE, O_FAIL_ON, O_FORCE,
       O_FROM, O_TO, O_STEP, O_OF, O_AGAINST, O_RESUME, O_DEVICES, O_COUNTERS, O_NO_PLOTS, O_AS,
       O_CAPTURE, O_TOOL, O_NO_COLOR, O_GPU, O_SIM, O_PROBLEM };

static const struct option common_options[] = {
    {"exclude", required_argument, NULL, O_EXCLUDE},
    {"help", no_argument, NULL, O_HELP},
    {"size", required_argument, NULL, O_SIZE},
    {"quick", no_argument, NULL, O_QUICK},
    {"publish", no_argument, NULL, O_PUBLISH},
    {"max-time", required_argument, NULL, O_MAX_TIME},
    {"seed", required_argument, NULL, O_SEED},
    {"threads", required_argument, NULL, O_THREADS},
    {"devices", required_argument, NULL, O_DEVICES},
    {"timeout", required_argument, NULL, O_TIMEOUT},
    {"format", required_argument, NULL, O_FORMAT},
    {"out", required_argument, NULL, O_OUT},
    {"order", required_argument, NULL, O_ORDER},
    {"oversubscribe", no_argument, NULL, O_OVERSUBSCRIBE},
    {"once", no_argument, NULL, O_ONCE},
    {"fail-on", required_argument, NULL, O_FAIL_ON},
    {"force", no_argument, NULL, O_FORCE},
    {"from", required_argument, NULL, O_FROM},
    {"to", required_argument, NULL, O_TO},
    {"step", required_argument, NULL, O_STEP},
    {"of", required_argument, NULL, O_OF},
    {"against", required_argument, NULL, O_AGAINST},
    {"resume", required_argument, NULL, O_RESUME},
    {"counters", no_argument, NULL, O_COUNTERS},
    {"capture", optional_argument, NULL, O_CAPTURE},
    {"tool", required_argument, NULL, O_TOOL},
    {"no-color", no_argument, NULL, O_NO_COLOR},
    {"no-plots", no_argument, NULL, O_NO_PLOTS},
    {"as", required_argument, NULL, O_AS},
    {"gpu", no_argument, NULL, O_GPU},
    {"sim", no_argument, NULL, O_SIM},
};

enum { COMMON = sizeof common_options / sizeof *common_options, MAX_OPTIONS = 128 };

/* --- parsing ---------------------------------------------------------------------------------- */

/* Adds an option of a problem's unless another problem has brought the same name. */
static void add_option(struct option *table, size_t *count, const char *name, int has_argument)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(table[i].name, name) == 0)
            return;
    if (*count + 1 < MAX_OPTIONS)
        table[(*count)++] = (struct option){name, has_argument, NULL, O_PROBLEM};
}

static size_t all_options(struct option *table)
{
    const struct problem *const *problems;
    size_t problem_count = registry_problems(&problems), count = COMMON;

    memset(table, 0, MAX_OPTIONS * sizeof *table);
    memcpy(table, common_options, sizeof common_options);
    for (size_t i = 0; i < problem_count; i++) {
        const struct problem *p = problems[i];
        for (const struct input *in = problem_inputs(p); in->name != NULL; in++)
            add_option(table, &count, in->name,
                       in->argument != NULL ? required_argument : no_argument);
        for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
            add_option(table, &count, p->axes[a], required_argument);
    }
    return count;
}

static bool unknown_option(const char *word, const struct option *table, size_t count,
                           struct error *error)
{
    const char *best = NULL;
    unsigned least = ~0u;
    char name[128];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (size_t i = 0; i < count && strncmp(name, "--", 2) == 0; i++) {
        unsigned distance = edit_distance(name + 2, table[i].name);
        if (distance < least) {
            least = distance;
            best = table[i].name;
        }
    }
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, "--", 2) == 0 && strcmp(name + 2, table[i].name) == 0)
            return error_set(error, "%s takes no value", name);
    if (best != NULL && least <= 3)
        return error_set(error, "there is no option %s; did you mean --%s?", name, best);
    return error_set(error, "there is no option %s; rungs --help lists them", name);
}

static bool add_word(const char *words[], size_t *count, const char *word, struct error *error)
{
    if (*count == MAX_WORDS)
        return error_set(error, "more than %d of the same kind: %s", MAX_WORDS, word);
    words[(*count)++] = word;
    return true;
}

static bool take_option(struct options *o, int which, const char *name, const char *value,
                        struct error *error)
{
    size_t count;

    if (which >= O_FROM && which <= O_AGAINST)
        o->sweeps = name;
    switch (which) {
    case O_EXCLUDE: return add_word(o->excluded, &o->excluded_count, value, error);
    case O_SIZE: return add_word(o->sizes, &o->size_count, value, error);
    case O_FORMAT: return parse_format(value, &o->format, error);
    case O_MAX_TIME: return parse_seconds(value, name, &o->max_time, error);
    case O_TIMEOUT: return parse_seconds(value, name, &o->timeout, error);
    case O_HELP: o->help = true; return true;
    case O_ONCE: o->once = true; return true;
    case O_COUNTERS: o->counters = true; return true;
    case O_CAPTURE:
        o->capture = 0.0;
        return value == NULL || parse_seconds(value, name, &o->capture, error);
    case O_TOOL: o->tool = value; return true;
    case O_NO_COLOR: terminal_no_colour(); return true;
    case O_NO_PLOTS: o->no_plots = true; return true;
    case O_GPU: o->gpu = true; return true;
    case O_SIM: o->gpu = false; return true;
    case O_OUT: o->out = value; return true;
    case O_OVERSUBSCRIBE: o->oversubscribe = true; return true;
    case O_QUICK: o->profile = profile_quick; return true;
    case O_PUBLISH: o->profile = profile_publish; return true;
    case O_SEED:
        if (!options_count(value, strlen(value), &count))
            return error_set(error, "--seed takes a whole number, not \"%s\"", value);
        o->seed = count;
        return true;
    case O_THREADS:
        if (!parse_steps(value, name, &o->thread_steps, error))
            return false;
        o->threads = o->thread_steps.value[o->thread_steps.count - 1];
        if (o->thread_steps.count == 1) /* what all rungs get is no axis */
            o->thread_steps.count = 0;
        else
            o->scales = "--threads with several values";
        return true;
    case O_DEVICES:
        o->scales = "--devices";
        return parse_steps(value, name, &o->device_steps, error);
    case O_ORDER:
        o->serial = strcmp(value, "serial") == 0;
        if (!o->serial && strcmp(value, "latin") != 0)
            return error_set(error, "--order is latin or serial, not \"%s\"", value);
        return true;
    case O_FAIL_ON: return parse_fail_on(value, &o->fail_slower, error);
    case O_AS: return parse_pictures(value, &o->pictures, error);
    case O_FORCE: o->force = true; return true;
    case O_FROM: o->from = value; return true;
    case O_TO: o->to = value; return true;
    case O_STEP: return parse_step(value, &o->step, error);
    case O_OF: return add_word(o->of, &o->of_count, value, error);
    case O_AGAINST: return add_word(o->against, &o->against_count, value, error);
    case O_RESUME: o->resume = value; return true;
    case O_PROBLEM:
        if (o->setting_count == MAX_WORDS)
            return error_set(error, "too many options: --%s", name);
        o->settings[o->setting_count++] = (struct setting){name, value != NULL ? value : ""};
        return true;
    default: return error_set(error, "--%s: not an option", name);
    }
}

/* Of an option that was given (else NULL): is the command one of the two that take it? */
static bool is_for(const struct options *o, const char *option, const char *one, const char *other,
                   struct error *error)
{
    if (option == NULL || o->help || o->command == NULL || strcmp(o->command, one) == 0 ||
        strcmp(o->command, other) == 0 || strcmp(o->command, "help") == 0)
        return true;
    return error_set(error, "%s is for %s%s%s, not for %s", option, one, one != other ? " and " : "",
                     one != other ? other : "", o->command);
}

bool options_parse(int argc, char **argv, struct options *o, struct error *error)
{
    struct option table[MAX_OPTIONS];
    size_t count = all_options(table);
    int which, index;

    *o = (struct options){.argc = argc, .argv = argv, .profile = profile_default, .seed = 1,
                          .threads = topology_cores(), .timeout = 60.0,
                          .fail_slower = NAN, .capture = NAN, .step = 2.0};
    opterr = 0;
    for (;;) {
        int at = optind;
        index = -1;
        which = getopt_long(argc, argv, ":x:h", table, &index);
        if (which == -1)
            break;
        const char *word = argv[optind > at ? optind - 1 : at];
        if (which == ':')
            return error_set(error, "%s needs a value", word);
        if (which == '?' && strncmp(word, "--", 2) != 0 && optopt > 0 && optopt < O_SIZE)
            return error_set(error, "there is no option -%c; rungs --help lists them", optopt);
        if (which == '?')
            return unknown_option(word, table, count, error);
        const char *name = index >= 0 ? table[index].name : which == 'x' ? "exclude" : "help";
        if (!take_option(o, which, name, optarg, error))
            return false;
    }
    if (o->max_time > 0.0) /* over the profile's, wherever it stands */
        o->profile.max_time = o->max_time;
    if (optind < argc)
        o->command = argv[optind++];
    if (o->sweeps != NULL && !o->help && o->command != NULL && strcmp(o->command, "sweep") != 0 &&
        strcmp(o->command, "help") != 0)
        return error_set(error, "--%s is an option of sweep, not of %s", o->sweeps, o->command);
    if (!is_for(o, o->scales, "bench", "bench", error) ||
        !is_for(o, o->resume != NULL ? "--resume" : NULL, "bench", "sweep", error))
        return false;
    while (optind < argc)
        if (!add_word(o->patterns, &o->pattern_count, argv[optind++], error))
            return false;
    return true;
}
