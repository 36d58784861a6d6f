#define _GNU_SOURCE
#include "harness/options.h"

#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/machine.h"
#include "harness/nearest.h"
#include "harness/registry.h"

enum { O_EXCLUDE = 'x', O_HELP = 'h', O_SIZE = 256, O_QUICK, O_MAX_TIME, O_SEED, O_THREADS,
       O_TIMEOUT, O_FORMAT, O_OUT, O_ORDER, O_PROBLEM };

static const struct option common_options[] = {
    {"exclude", required_argument, NULL, O_EXCLUDE},
    {"help", no_argument, NULL, O_HELP},
    {"size", required_argument, NULL, O_SIZE},
    {"quick", no_argument, NULL, O_QUICK},
    {"max-time", required_argument, NULL, O_MAX_TIME},
    {"seed", required_argument, NULL, O_SEED},
    {"threads", required_argument, NULL, O_THREADS},
    {"timeout", required_argument, NULL, O_TIMEOUT},
    {"format", required_argument, NULL, O_FORMAT},
    {"out", required_argument, NULL, O_OUT},
    {"order", required_argument, NULL, O_ORDER},
};

enum { COMMON = sizeof common_options / sizeof *common_options, MAX_OPTIONS = 128 };

/* --- numbers ---------------------------------------------------------------------------------- */

static bool parse_seconds(const char *text, const char *option, double *value, struct error *error)
{
    char *end;

    *value = strtod(text, &end);
    if (*end == 's')
        end++;
    if (end == text || *end != '\0' || !(*value > 0.0) || !isfinite(*value))
        return error_set(error, "--%s takes seconds above 0, not \"%s\"", option, text);
    return true;
}

/* A whole number: 1000, 2^20, 1e6 */
static bool parse_count(const char *text, size_t bytes, size_t *value)
{
    char copy[64], *end;
    double x;

    if (bytes == 0 || bytes >= sizeof copy || *text == '-')
        return false;
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    char *caret = strchr(copy, '^');
    if (caret != NULL) {
        *caret = '\0';
        double base = strtod(copy, &end);
        if (end == copy || *end != '\0')
            return false;
        double power = strtod(caret + 1, &end);
        if (end == caret + 1 || *end != '\0')
            return false;
        x = pow(base, power);
    } else {
        x = strtod(copy, &end);
        if (end == copy || *end != '\0')
            return false;
    }
    if (!(x >= 0.0 && x <= 0x1p53) || x != floor(x))
        return false;
    *value = (size_t)x;
    return true;
}

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
        for (const struct input *in = p->inputs; in != NULL && in->name != NULL; in++)
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
            return error_set(error, table[i].has_arg == required_argument
                                        ? "%s needs a value"
                                        : "%s takes no value",
                             name);
    if (best != NULL && least <= 3)
        return error_set(error, "there is no option %s; did you mean --%s?", name, best);
    return error_set(error, "there is no option %s; rungs --help lists them", name);
}

static bool parse_format(const char *text, enum format *format, struct error *error)
{
    static const struct {
        const char *name;
        enum format format;
    } formats[] = {{"table", FORMAT_TABLE}, {"md", FORMAT_MARKDOWN}, {"csv", FORMAT_CSV},
                   {"json", FORMAT_JSON}};

    for (size_t i = 0; i < 4; i++)
        if (strcmp(text, formats[i].name) == 0) {
            *format = formats[i].format;
            return true;
        }
    return error_set(error, "--format is table, md, csv or json, not \"%s\"", text);
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

    switch (which) {
    case O_EXCLUDE: return add_word(o->excluded, &o->excluded_count, value, error);
    case O_SIZE: return add_word(o->sizes, &o->size_count, value, error);
    case O_FORMAT: return parse_format(value, &o->format, error);
    case O_MAX_TIME: return parse_seconds(value, name, &o->profile.max_time, error);
    case O_TIMEOUT: return parse_seconds(value, name, &o->timeout, error);
    case O_HELP: o->help = true; return true;
    case O_OUT: o->out = value; return true;
    case O_QUICK: return true; /* see options_parse */
    case O_SEED:
        if (!parse_count(value, strlen(value), &count))
            return error_set(error, "--seed takes a whole number, not \"%s\"", value);
        o->seed = count;
        return true;
    case O_THREADS:
        if (!parse_count(value, strlen(value), &count) || count < 1 || count > 4096)
            return error_set(error, "--threads takes a number from 1 to 4096, not \"%s\"", value);
        o->threads = (int)count;
        return true;
    case O_ORDER:
        o->serial = strcmp(value, "serial") == 0;
        if (!o->serial && strcmp(value, "latin") != 0)
            return error_set(error, "--order is latin or serial, not \"%s\"", value);
        return true;
    case O_PROBLEM:
        if (o->setting_count == MAX_WORDS)
            return error_set(error, "too many options: --%s", name);
        o->settings[o->setting_count++] = (struct setting){name, value != NULL ? value : ""};
        return true;
    default: return error_set(error, "--%s: not an option", name);
    }
}

bool options_parse(int argc, char **argv, struct options *o, struct error *error)
{
    struct option table[MAX_OPTIONS];
    size_t count = all_options(table);
    int which, index;

    *o = (struct options){.argc = argc, .argv = argv, .profile = profile_default, .seed = 1,
                          .threads = machine_cores(), .timeout = 60.0};
    for (int i = 1; i < argc; i++) /* first, so that --max-time wins wherever it stands */
        if (strcmp(argv[i], "--quick") == 0)
            o->profile = profile_quick;
    opterr = 0;
    for (;;) {
        int at = optind;
        index = -1;
        which = getopt_long(argc, argv, ":x:h", table, &index);
        if (which == -1)
            break;
        if (which == '?' || which == ':')
            return unknown_option(argv[optind > at ? optind - 1 : at], table, count, error);
        const char *name = index >= 0 ? table[index].name : which == 'x' ? "exclude" : "help";
        if (!take_option(o, which, name, optarg, error))
            return false;
    }
    if (optind < argc)
        o->command = argv[optind++];
    while (optind < argc)
        if (!add_word(o->patterns, &o->pattern_count, argv[optind++], error))
            return false;
    return true;
}

/* --- which rungs ------------------------------------------------------------------------------ */

/* "knn/cpu_*", "knn" for all of its rungs, "cpu_naive" for that of every problem. */
static bool matches(const char *pattern, const struct name *name)
{
    if (strchr(pattern, '/') != NULL)
        return fnmatch(pattern, name->full, 0) == 0;
    return fnmatch(pattern, name->problem, 0) == 0 || fnmatch(pattern, name->variant, 0) == 0;
}

static bool wanted(const struct options *o, const struct name *name)
{
    bool in = o->pattern_count == 0;

    for (size_t i = 0; i < o->pattern_count; i++)
        in |= matches(o->patterns[i], name);
    for (size_t i = 0; i < o->excluded_count; i++)
        in &= !matches(o->excluded[i], name);
    return in;
}

/* Every pattern must match something: a misspelt one among several is no less a mistake. */
static bool all_patterns_match(const struct options *o, const struct variant *const *variants,
                               size_t count, struct error *error)
{
    for (size_t i = 0; i < o->pattern_count + o->excluded_count; i++) {
        const char *pattern =
            i < o->pattern_count ? o->patterns[i] : o->excluded[i - o->pattern_count];
        bool any = false;
        for (size_t v = 0; v < count && !any; v++) {
            const struct name name = variant_name(variants[v]);
            any = matches(pattern, &name);
        }
        if (!any)
            return error_set(error, "no rung is called %s; did you mean %s?", pattern,
                             registry_nearest(pattern));
    }
    return true;
}

/* A problem's own options would be silently ignored by the others. */
static bool settings_fit(const struct options *o, const struct problem *p, struct error *error)
{
    for (size_t i = 0; i < o->setting_count; i++) {
        const char *name = o->settings[i].name;
        bool known = false;
        for (const struct input *in = p->inputs; in != NULL && in->name != NULL; in++)
            known |= strcmp(in->name, name) == 0;
        for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
            known |= strcmp(p->axes[a], name) == 0;
        if (!known)
            return error_set(error, "%s has no option --%s; name the problem that it is for",
                             problem_name(p), name);
    }
    return true;
}

size_t options_select(const struct options *o, const struct variant *list[], size_t room,
                      struct error *error)
{
    const struct variant *const *variants;
    size_t count = registry_variants(&variants), chosen = 0;

    if (!all_patterns_match(o, variants, count, error))
        return 0;
    for (size_t i = 0; i < count && chosen < room; i++) {
        const struct name name = variant_name(variants[i]);
        if (!wanted(o, &name))
            continue;
        if (!settings_fit(o, registry_problem(name.problem), error))
            return 0;
        list[chosen++] = variants[i];
    }
    if (chosen == 0)
        error_set(error, "nothing is left to do: everything is excluded");
    return chosen;
}

/* --- which sizes ------------------------------------------------------------------------------ */

static bool set_axis(const struct problem *p, const char *axis, size_t axis_length,
                     const char *value, size_t value_length, size_t dims[], struct error *error)
{
    for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
        if (strlen(p->axes[a]) == axis_length && strncmp(p->axes[a], axis, axis_length) == 0)
            return parse_count(value, value_length, &dims[a]) ||
                   error_set(error, "%s takes a whole number from 0 on, not \"%.*s\"", p->axes[a],
                             (int)value_length, value);
    return error_set(error, "%s has no size called %.*s", problem_name(p), (int)axis_length, axis);
}

static const struct size *named_size(const struct problem *p, const char *name, size_t length)
{
    for (const struct size *s = p->bench_sizes; s->label != NULL; s++)
        if (strlen(s->label) == length && strncasecmp(s->label, name, length) == 0)
            return s;
    return NULL;
}

static void set_label(struct planned *size, const char *label)
{
    snprintf(size->label, sizeof size->label, "%s", label);
}

/* The axes' own options, over whatever size it is. */
static bool apply_settings(const struct options *o, const struct problem *p, size_t dims[],
                           struct error *error)
{
    for (size_t i = 0; i < o->setting_count; i++) {
        const struct setting *s = &o->settings[i];
        for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
            if (strcmp(p->axes[a], s->name) == 0 &&
                !set_axis(p, s->name, strlen(s->name), s->value, strlen(s->value), dims, error))
                return false;
    }
    return true;
}

/* One --size: names and explicit parts, separated by commas: "S,M" or "m=70000,n=9000,k=5". */
static bool read_sizes(const struct problem *p, const char *text, struct planned *sizes,
                       size_t room, size_t *count, struct error *error)
{
    struct planned given = {.label = "given"};
    bool any_axis = false;

    memcpy(given.dims, p->bench_sizes[0].dims, sizeof given.dims);
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        const char *equals = memchr(text, '=', length);
        if (*count == room)
            return error_set(error, "too many sizes");
        if (equals != NULL) {
            size_t axis = (size_t)(equals - text);
            if (!set_axis(p, text, axis, equals + 1, length - axis - 1, given.dims, error))
                return false;
            any_axis = true;
        } else {
            const struct size *s = named_size(p, text, length);
            if (s == NULL)
                return error_set(error, "%s has no size called \"%.*s\"; S, M, L and XL are, or"
                                 " %s=NUMBER", problem_name(p), (int)length, text, p->axes[0]);
            set_label(&sizes[*count], s->label);
            memcpy(sizes[(*count)++].dims, s->dims, sizeof s->dims);
        }
        text += length + (text[length] == ',');
    }
    if (any_axis && *count < room)
        sizes[(*count)++] = given;
    return any_axis || *count > 0 || error_set(error, "--size is empty");
}

size_t options_sizes(const struct options *o, const struct problem *p, const char *defaults,
                     struct planned *sizes, size_t room, struct error *error)
{
    size_t count = 0;
    size_t before[MAX_AXES];

    error->text[0] = '\0';
    for (size_t i = 0; i < o->size_count; i++)
        if (!read_sizes(p, o->sizes[i], sizes, room, &count, error))
            return 0;
    if (o->size_count == 0 && defaults != NULL &&
        !read_sizes(p, defaults, sizes, room, &count, error))
        return 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(before, sizes[i].dims, sizeof before);
        if (!apply_settings(o, p, sizes[i].dims, error))
            return 0;
        if (memcmp(before, sizes[i].dims, sizeof before) != 0)
            set_label(&sizes[i], "given");
        const char *why = p->impossible != NULL ? p->impossible(sizes[i].dims) : NULL;
        if (why != NULL) {
            error_set(error, "%s: %s", problem_name(p), why);
            return 0;
        }
    }
    return count;
}

/* --- users' data ------------------------------------------------------------------------------ */

static const char *setting(const struct options *o, const char *name)
{
    for (size_t i = o->setting_count; i-- > 0;) /* the last one counts */
        if (strcmp(o->settings[i].name, name) == 0)
            return o->settings[i].value;
    return NULL;
}

bool options_brings_data(const struct options *o, const struct problem *p)
{
    for (const struct input *in = p->inputs; in != NULL && in->name != NULL; in++)
        if (setting(o, in->name) != NULL)
            return true;
    return false;
}

void *options_open(const struct options *o, const struct problem *p, struct planned *size,
                   struct error *error)
{
    const char *given[MAX_INPUTS] = {NULL};
    size_t asked[MAX_AXES];

    for (size_t i = 0; i < MAX_INPUTS && p->inputs[i].name != NULL; i++)
        given[i] = setting(o, p->inputs[i].name);
    set_label(size, "file");
    memcpy(size->dims, p->bench_sizes[0].dims, sizeof size->dims);
    if (o->size_count > 0) {
        size_t count = 0;
        struct planned from_option;
        if (!read_sizes(p, o->sizes[0], &from_option, 1, &count, error))
            return NULL;
        memcpy(size->dims, from_option.dims, sizeof size->dims);
    }
    if (!apply_settings(o, p, size->dims, error))
        return NULL;
    memcpy(asked, size->dims, sizeof asked);

    void *opened = p->open(given, size->dims, error);
    if (opened == NULL)
        return NULL;
    for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
        if (setting(o, p->axes[a]) != NULL && asked[a] != size->dims[a]) {
            error_set(error, "--%s %zu: the files have %zu", p->axes[a], asked[a], size->dims[a]);
            p->close(opened);
            return NULL;
        }
    const char *why = p->impossible != NULL ? p->impossible(size->dims) : NULL;
    if (why != NULL) {
        error_set(error, "%s: %s", problem_name(p), why);
        p->close(opened);
        return NULL;
    }
    return opened;
}
