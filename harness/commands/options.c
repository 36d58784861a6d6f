/* Parses the command line by the table of options. */
#define _GNU_SOURCE
#include "harness/commands/options.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/commands/command.h"
#include "harness/commands/option_table.h"
#include "harness/machine/topology.h"

/* For a long option getopt returns LETTERS + 2 * row, and one more for the row's alias. */
enum { MAX_OPTIONS = 192, LETTERS = 256 };

/* What getopt needs: each name and alias once, and the letters. */
struct grammar {
    struct option names[MAX_OPTIONS + 1];
    char letters[2 * MAX_OPTIONS + 2];
};

/* The options in the order of the command line. */
struct given {
    size_t count;
    struct setting list[4 * MAX_WORDS];
};

static void add_name(struct grammar *g, size_t *count, const struct option_row *row, const char *name,
                     int value)
{
    if (name == NULL || *count == MAX_OPTIONS || option_table_find(name, NULL) != row)
        return;
    g->names[*count] = (struct option){name, no_argument, NULL, value};
    if (row->argument != NULL)
        g->names[*count].has_arg = row->argument[0] == '[' ? optional_argument : required_argument;
    ++*count;
}

static void make_grammar(struct grammar *g)
{
    const struct option_row *rows;
    size_t count = option_table(&rows), names = 0;
    char *letter = g->letters + 1; /* after a colon */

    for (size_t i = 0; i < count; i++) {
        const struct option_row *r = &rows[i];
        add_name(g, &names, r, r->name, LETTERS + 2 * (int)i);
        add_name(g, &names, r, r->alias, LETTERS + 2 * (int)i + 1);
        if (r->letter != 0)
            *letter++ = r->letter;
        if (r->letter != 0 && r->argument != NULL)
            *letter++ = ':';
    }
}

/* Returns the name that getopt's result stands for: an alias if the user typed one. */
static const char *name_of(int which)
{
    const struct option_row *rows;
    size_t count = option_table(&rows), i = which >= LETTERS ? (size_t)(which - LETTERS) / 2 : 0;

    while (which < LETTERS && i + 1 < count && rows[i].letter != which)
        i++;
    return which >= LETTERS && which % 2 != 0 ? rows[i].alias : rows[i].name;
}

static bool unknown_option(const char *word, const struct grammar *g, struct error *error)
{
    const char *best = NULL;
    unsigned least = ~0u;
    char name[128];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (const struct option *o = g->names; o->name != NULL && strncmp(name, "--", 2) == 0; o++) {
        unsigned distance = edit_distance(name + 2, o->name);
        if (distance == 0)
            return error_set(error, "%s takes no value", name);
        if (distance < least) {
            least = distance;
            best = option_table_find(o->name, NULL)->name; /* aliases are not suggested */
        }
    }
    if (best != NULL && least <= 3)
        return error_set(error, "there is no option %s; did you mean --%s?", name, best);
    return error_set(error, "there is no option %s; rungs --help lists the options", name);
}

/* Collects the options.  Getopt moves all other words behind them. */
static bool collect(int argc, char **argv, struct given *given, struct error *error)
{
    struct grammar g = {.letters = ":"};
    int which, at;

    make_grammar(&g);
    opterr = 0;
    for (at = optind; (which = getopt_long(argc, argv, g.letters, g.names, NULL)) != -1;
         at = optind) {
        const char *word = argv[optind > at ? optind - 1 : at];
        if (which == ':')
            return error_set(error, "%s needs a value", word);
        if (which == '?' && strncmp(word, "--", 2) != 0 && optopt > 0 && optopt < LETTERS)
            return error_set(error, "there is no option -%c; rungs --help lists the options", optopt);
        if (which == '?')
            return unknown_option(word, &g, error);
        if (given->count == sizeof given->list / sizeof *given->list)
            return error_set(error, "too many options, at %s", word);
        given->list[given->count++] = (struct setting){name_of(which), optarg};
    }
    return true;
}

/* The command does not take this option: the error names the commands that do. */
static bool not_of(const char *name, const char *command, struct error *error)
{
    const struct option_row *rows;
    size_t count = option_table(&rows);
    const char *called = option_table_find(name, NULL)->name;
    char all[200] = "", list[240];

    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, called) == 0)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", all[0] != '\0' ? " " : "",
                     rows[i].commands);
    option_table_list(all, " and ", list, sizeof list);
    return error_set(error, "--%s is an option of %s, not of %s", name, list, command);
}

static bool store(struct options *o, const struct given *given, struct error *error)
{
    for (size_t i = 0; i < given->count; i++) {
        const struct setting *s = &given->list[i];
        const struct option_row *row = option_table_find(s->name, o->command->name);
        if (row == NULL)
            return not_of(s->name, o->command->name, error);
        const struct option_given one = {row, s->name, s->value, (char *)o + row->field};
        if (!row->take(&one, error))
            return false;
    }
    if (o->max_time > 0.0) /* wherever --quick or --thorough stands */
        o->preset.max_time = o->max_time;
    if (o->passes > 0)
        o->preset.passes = o->passes;
    return true;
}

/* The first word is the command. */
static bool take_words(struct options *o, char **word, struct error *error)
{
    if (*word != NULL && (o->command = command_find(*word++, error)) == NULL)
        return false;
    for (; *word != NULL; word++) {
        if (o->patterns.count == MAX_WORDS)
            return error_set(error, "more than %d words after the command, at \"%s\"", MAX_WORDS, *word);
        o->patterns.word[o->patterns.count++] = *word;
    }
    return true;
}

bool options_parse(int argc, char **argv, struct options *o, struct error *error)
{
    struct given given = {.count = 0};

    *o = (struct options){.argc = argc, .argv = argv, .preset = preset_default, .seed = 1,
                          .threads = topology_cores(), .timeout = 60.0,
                          .fail_slower = NAN, .capture = NAN, .step = 2.0};
    if (!collect(argc, argv, &given, error) || !take_words(o, argv + optind, error))
        return false;
    for (size_t i = 0; i < given.count; i++)
        o->help |= strcmp(given.list[i].name, "help") == 0;
    if (o->help || o->command == NULL || o->command == &command_help)
        return true;
    return store(o, &given, error);
}
