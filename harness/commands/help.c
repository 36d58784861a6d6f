/* rungs help, rungs COMMAND --help and the man page's list of options, all from the table of options. */
#include "harness/commands/command.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/commands/option_table.h"
#include "harness/machine/machine.h"
#include "harness/model/registry.h"

enum { INDENT = 27, WIDTH = 80, MANY = 3 /* the general help lists options of so many commands */ };

static void print_option(FILE *out, const struct option_row *row)
{
    char spelled[64];

    option_table_spell(row, spelled, sizeof spelled);
    int column = fprintf(out, "  %-*s ", INDENT - 3, spelled);
    terminal_wrap(out, row->help, (size_t)column, INDENT, WIDTH);
    fputc('\n', out);
}

static bool is_common(const struct option_row *row)
{
    int count = 1;

    for (const char *at = row->commands; at != NULL && (at = strchr(at, ' ')) != NULL; at++)
        count++;
    return row->commands == NULL || count >= MANY;
}

static void print_options(FILE *out, const struct command *command)
{
    const struct option_row *rows;

    option_table(&rows);
    for (size_t i = 0; i < option_table_own(); i++)
        if (command == NULL ? is_common(&rows[i]) : option_table_is_of(&rows[i], command->name))
            print_option(out, &rows[i]);
}

/* Prints the problems, with their options for the user's data and for sizes. */
static void print_inputs(FILE *out, bool files)
{
    const struct problem *const *problems;
    size_t count = registry_problems(&problems);

    for (size_t i = 0; i < count; i++) {
        const struct problem *p = problems[i];
        fprintf(out, "\n%s: %s\n", problem_name(p), p->formula);
        for (const struct input *in = problem_inputs(p); in->name != NULL && files; in++)
            print_option(out, &(struct option_row){.name = in->name, .argument = in->argument,
                                                   .help = in->help});
        fputs("  sizes:", out);
        for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
            fprintf(out, " --%s %s", p->axes[a], p->words[a] != NULL ? "WORD" : "N");
        fputs("\n", out);
    }
}

static void print_usage(FILE *out, const struct command *command)
{
    if (command != NULL) {
        fprintf(out, "usage: rungs %s\n%s.\n", command->usage, command->about);
        if (command->help[0] != '\0')
            fprintf(out, "\n%s", command->help);
        if (command->more_help != NULL)
            command->more_help(out);
        return;
    }
    fputs("usage: rungs COMMAND [PATTERN...] [OPTION...]\n\n", out);
    for (const struct command *const *c = commands; *c != NULL; c++)
        fprintf(out, "  %-10s %s\n", (*c)->name, (*c)->about);
}

void help_print(FILE *out, const struct command *command)
{
    const bool takes_variants = command == NULL || strstr(command->words, "VARIANT") != NULL;

    print_usage(out, command);
    if (takes_variants)
        fputs("\nA PATTERN names variants: knn (all of this problem), knn/cpu_naive, 'knn/cpu_*', or cpu_naive\n"
              "(of every problem).\n", out);
    fputs(command == NULL ? "\nCommon options (rungs COMMAND --help lists all options of a command):\n"
                          : "\nOptions:\n", out);
    print_options(out, command);
    if (takes_variants && command != &command_list)
        print_inputs(out, command != &command_sweep);
    fputs("\nExit status: 0 success, 1 a variant failed, 2 wrong usage or input, 3 compare found a\n"
          "regression, 4 nothing could be measured or drawn, 128+N interrupted by signal N.\n",
          out);
}

/* --- the man page ----------------------------------------------------------------------------- */

/* Escapes "--", which roff would print as a dash. */
static void print_roff(FILE *out, const char *text)
{
    char escaped[1024];
    size_t used = 0;

    for (; *text != '\0' && used + 4 < sizeof escaped; text++) {
        if (strncmp(text, "--", 2) == 0) {
            memcpy(escaped + used, "\\-\\-", 4);
            used += 4;
            text++;
        } else {
            escaped[used++] = *text;
        }
    }
    escaped[used] = '\0';
    terminal_wrap(out, escaped, 0, 0, WIDTH);
    fputc('\n', out);
}

static void print_roff_option(FILE *out, const struct option_row *row)
{
    fputs(".It ", out);
    if (row->letter != 0)
        fprintf(out, "Fl %c , ", row->letter);
    fprintf(out, "Fl -%s", row->name);
    if (row->argument != NULL && row->argument[0] == '[')
        fprintf(out, " Ns Op = Ns Ar %.*s", (int)strlen(row->argument) - 2, row->argument + 1);
    else if (row->argument != NULL)
        fprintf(out, " Ar %s", row->argument);
    fputc('\n', out);
    for (const char *at = row->commands; at != NULL; at = strchr(at, ' ')) {
        at += *at == ' ';
        fprintf(out, "%s%.*s", at == row->commands ? ".Pq Cm " : " , ", (int)strcspn(at, " "), at);
    }
    if (row->commands != NULL)
        fputc('\n', out);
    print_roff(out, row->help);
}

/* Prints the options of each problem: the user's data, and axes. */
static void print_roff_problems(FILE *out)
{
    const struct problem *const *problems;
    const size_t count = registry_problems(&problems);

    for (size_t i = 0; i < count; i++) {
        const struct problem *p = problems[i];
        fprintf(out, ".El\n.Pp\nOptions of\n.Cm %s :\n.Bl -tag -width Ds\n", problem_name(p));
        for (const struct input *in = problem_inputs(p); in->name != NULL; in++)
            print_roff_option(out, &(struct option_row){.name = in->name, .argument = in->argument,
                                                        .help = in->help});
        for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
            print_roff_option(out, p->words[a] != NULL
                ? &(struct option_row){.name = p->axes[a], .argument = "WORD", .help = "which of several kinds"}
                : &(struct option_row){.name = p->axes[a], .argument = "N", .help = "size along this axis"});
    }
}

static void print_roff_list(FILE *out)
{
    const struct option_row *rows;

    option_table(&rows);
    for (size_t i = 0; i < option_table_own(); i++)
        print_roff_option(out, &rows[i]);
    print_roff_problems(out);
}

/* --- the commands ----------------------------------------------------------------------------- */

static int run(const struct options *o)
{
    const struct command *command = NULL;
    struct error error;

    if (o->patterns.count > 0 && strcmp(o->patterns.word[0], "man-options") == 0) {
        print_roff_list(stdout);
        return STATUS_OK;
    }
    if (o->patterns.count > 0 && (command = command_find(o->patterns.word[0], &error)) == NULL)
        return usage_error(&error);
    help_print(stdout, command);
    return STATUS_OK;
}

static int print_version(const struct options *o)
{
    (void)o;
    printf("rungs %s (%s)\n", build_version, build_commit);
    return STATUS_OK;
}

const struct command command_help = {
    .name = "help",
    .usage = "help [COMMAND]",
    .about = "explain a command, or list all of them",
    .help = "",
    .words = "COMMAND",
    .run = run,
};

const struct command command_version = {
    .name = "version",
    .usage = "version",
    .about = "print the version of this program",
    .help = "",
    .words = "",
    .run = print_version,
};
