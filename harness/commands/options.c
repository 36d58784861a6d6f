/* Parsing: which options were given, which command they are for, and what they say. */
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

enum { MAX_OPTIONS = 192, LETTERS = 256 /* what getopt returns beyond: a row of the table */ };

/* What getopt needs: each name once, and the letters. */
struct grammar {
    struct option names[MAX_OPTIONS + 1];
    char letters[2 * MAX_OPTIONS + 2];
};

/* What was given, in order. */
struct given {
    size_t count;
    struct setting list[4 * MAX_WORDS];
};

static void make_grammar(struct grammar *g)
{
    const struct option_row *rows;
    size_t count = option_table(&rows);
    char *letter = g->letters + 1; /* behind a colon */

    for (size_t i = 0, n = 0; i < count && n < MAX_OPTIONS; i++) {
        const struct option_row *r = &rows[i];
        if (option_table_find(r->name, NULL) != r)
            continue;
        g->names[n] = (struct option){r->name, no_argument, NULL, LETTERS + (int)i};
        if (r->argument != NULL)
            g->names[n].has_arg = r->argument[0] == '[' ? optional_argument : required_argument;
        n++;
        if (r->letter != 0)
            *letter++ = r->letter;
        if (r->letter != 0 && r->argument != NULL)
            *letter++ = ':';
    }
}

/* The name that getopt's answer stands for. */
static const char *name_of(int which)
{
    const struct option_row *rows;
    size_t count = option_table(&rows), i = which >= LETTERS ? (size_t)(which - LETTERS) : 0;

    while (which < LETTERS && i + 1 < count && rows[i].letter != which)
        i++;
    return rows[i].name;
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
            best = o->name;
        }
    }
    if (best != NULL && least <= 3)
        return error_set(error, "there is no option %s; did you mean --%s?", name, best);
    return error_set(error, "there is no option %s; rungs --help lists them", name);
}

/* Getopt's verdict on all words; those that are no options end up behind the others. */
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
            return error_set(error, "there is no option -%c; rungs --help lists them", optopt);
        if (which == '?')
            return unknown_option(word, &g, error);
        if (given->count == sizeof given->list / sizeof *given->list)
            return error_set(error, "too many options: %s", word);
        given->list[given->count++] = (struct setting){name_of(which), optarg};
    }
    return true;
}

/* An option that the command does not take: those that do are named. */
static bool not_of(const char *name, const char *command, struct error *error)
{
    const struct option_row *rows;
    size_t count = option_table(&rows);
    char all[200] = "", list[240];

    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
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
        const struct option_given one = {row, s->value, (char *)o + row->field};
        if (!row->take(&one, error))
            return false;
    }
    if (o->max_time > 0.0) /* over the profile's, wherever they stand */
        o->profile.max_time = o->max_time;
    if (o->passes > 0)
        o->profile.passes = o->passes;
    return true;
}

/* The first word is the command. */
static bool take_words(struct options *o, char **word, struct error *error)
{
    if (*word != NULL && (o->command = command_find(*word++, error)) == NULL)
        return false;
    for (; *word != NULL; word++) {
        if (o->patterns.count == MAX_WORDS)
            return error_set(error, "more than %d of the same kind: %s", MAX_WORDS, *word);
        o->patterns.word[o->patterns.count++] = *word;
    }
    return true;
}

bool options_parse(int argc, char **argv, struct options *o, struct error *error)
{
    struct given given = {.count = 0};

    *o = (struct options){.argc = argc, .argv = argv, .profile = profile_default, .seed = 1,
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
