/* Parses the command line by the table of options. */
#define _GNU_SOURCE
#include "harness/commands/options.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/commands/command.h"
#include "harness/commands/defaults.h"
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
        if (r->letter == 0 || strchr(g->letters, r->letter) != NULL) /* several rows of one name share it */
            continue;
        *letter++ = r->letter;
        if (r->argument != NULL)
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

/* getopt refuses the word. */
static bool unknown_option(const char *word, struct error *error)
{
    char name[128];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    if (strncmp(name, "--", 2) == 0 && option_table_find(name + 2, NULL) != NULL)
        return error_set(error, "%s takes no value", name);
    return option_table_unknown(word, error);
}

/* An axis of one letter is an option with two dashes. */
static bool unknown_letter(char letter, struct error *error)
{
    const char name[] = {letter, '\0'};

    if (option_table_find(name, NULL) != NULL)
        return error_set(error, "there is no option -%c; did you mean --%c?", letter, letter);
    return error_set(error, "there is no option -%c; rungs --help lists the options", letter);
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
            return unknown_letter((char)optopt, error);
        if (which == '?')
            return unknown_option(word, error);
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

/* Wherever --quick or --thorough stands: what is said of time and passes counts. */
static void complete_preset(struct options *o)
{
    if (o->max_time > 0.0)
        o->preset.max_time = o->max_time;
    if (o->passes > 0)
        o->preset.passes = o->passes;
}

static bool is_given(const struct given *given, const struct option_row *row)
{
    for (size_t i = 0; i < given->count; i++)
        if (strcmp(option_table_find(given->list[i].name, NULL)->name, row->name) == 0)
            return true;
    return false;
}

/* The records show defaults behind the words that the user typed, so they say how to repeat the run. */
static void record_default(struct options *o, const struct option_row *row, const char *value)
{
    char *word = NULL;
    const int length = value != NULL ? asprintf(&word, "--%s=%s", row->name, value)
                                     : asprintf(&word, "--%s", row->name);

    if (length < 0 || o->defaults.count == MAX_WORDS)
        abort();
    o->defaults.word[o->defaults.count++] = word;
}

/* Stores the user's defaults of the command's options that the command line does not have. */
static bool store_defaults(struct options *o, const struct given *given, struct error *error)
{
    const struct option_row *rows;
    const size_t count = option_table(&rows);
    struct user_default d;

    if (!defaults_read(error))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!option_table_is_of(&rows[i], o->command->name) || is_given(given, &rows[i]) ||
            !defaults_find(&rows[i], &d))
            continue;
        if (!defaults_take(&rows[i], &d, o, error))
            return false;
        record_default(o, &rows[i], d.value);
    }
    complete_preset(o);
    o->max_time = 0.0; /* a preset that is typed brings its own */
    o->passes = 0;
    return true;
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
    complete_preset(o);
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
    for (size_t i = 0; i < given.count; i++) {
        o->help |= strcmp(given.list[i].name, "help") == 0;
        o->version |= strcmp(given.list[i].name, "version") == 0;
    }
    if (o->help || o->version || o->command == NULL || o->command == &command_help)
        return true;
    return (o->command == &command_config || store_defaults(o, &given, error)) && store(o, &given, error);
}
