/* Finds the command and runs it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/step.h"
#include "harness/commands/command.h"
#include "harness/commands/variables.h"
#include "harness/model/registry.h"
#include "harness/worker/confine.h"

/* Ends with an error if standard output could not be written completely. */
static int end(int status)
{
    struct error error;

    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    error_set(&error, "cannot write to standard output");
    return usage_error(&error);
}

/* Finds the variants.  A command that takes no variant runs without them. */
static bool find_variants(const struct options *o, struct error *error)
{
    const bool needed = strstr(o->command->words, "VARIANT") != NULL;

    return (registry_find_variants(o->folders.word, o->folders.count, error) || !needed) &&
           (registry_order(error) || !needed);
}

/* Opens missing standard files.  Without them, the first file opened would become standard output.  Writing to that in its place
   fails, so that a table which goes nowhere is an error. */
static void open_standard_files(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", file == STDOUT_FILENO ? O_RDONLY : O_RDWR) < 0)
            return;
}

int main(int argc, char **argv)
{
    static struct options options;
    struct error error;

    open_standard_files();
    memory_waits();
    step_catch_faults();
    char **typed = calloc((size_t)argc + MAX_WORDS + 1, sizeof *typed);
    if (typed == NULL)
        return STATUS_USAGE;
    memcpy(typed, argv, (size_t)argc * sizeof *typed);
    if (!registry_order(&error) || !options_parse(argc, argv, &options, &error)) {
        free(typed);
        return usage_error(&error);
    }
    memcpy(typed + argc, options.defaults.word, options.defaults.count * sizeof *typed);
    options.argc = argc + (int)options.defaults.count;
    options.argv = typed;
    if (options.version)
        options.command = &command_version;
    if (options.command == NULL || options.help) {
        help_print(options.help ? stdout : stderr, options.command);
        return end(options.help ? STATUS_OK : STATUS_USAGE);
    }
    variables_name_misspelt();
    if (options.oversubscribe)
        setenv("RUNGS_OVERSUBSCRIBE", "1", 1); /* the workers pass it on to their variants */
    else
        unsetenv("RUNGS_OVERSUBSCRIBE");
    if (!find_variants(&options, &error))
        return usage_error(&error);
    interrupt_catch(step_leave);
    const int status = options.command->run(&options);
    confine_sweep();
    return end(status);
}
