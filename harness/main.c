/* The command line's first word, and what goes for all of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/commands/command.h"
#include "harness/interrupt.h"
#include "harness/machine.h"
#include "harness/memory.h"
#include "harness/nearest.h"
#include "harness/registry.h"
#include "harness/worker.h"

static const struct command *const commands[] = {
    &command_list, &command_check, &command_bench, &command_sweep, &command_run,
    &command_ceilings, &command_compare, &command_selftest, &command_show, &command_plot,
    &command_report, &command_profile, &command_lab, NULL,
};

static const char options_help[] =
    "\nPatterns name rungs: knn (all of them), knn/cpu_naive, 'knn/cpu_*', cpu_naive (in every\n"
    "problem).  Options:\n"
    "  -x, --exclude PATTERN    leave these out\n"
    "  --size SIZES             S, M, L, XL or explicit: S,M  m=70000,n=9000,k=5  n=2^20\n"
    "  --quick                  fewer rounds, wider intervals\n"
    "  --publish                ten launches of every worker, narrower intervals\n"
    "  --max-time SECONDS       for one rung at one size (default 0.8); a call predicted to take\n"
    "                           longer is skipped\n"
    "  --seed N                 of the generated data (default 1)\n"
    "  --threads N              for the rungs that use several (default: all cores); bench takes\n"
    "                           several values, 1,2,4, and shows what more threads bring\n"
    "  --devices N,...          bench: the first so many, for the rungs that use all GPUs\n"
    "  --resume FILE            bench, sweep: go on with the records of a run that was ended\n"
    "  --timeout SECONDS        after which a call counts as hung (default 60)\n"
    "  --oversubscribe          let cuda_managed and cuda_unified ask for more managed memory than\n"
    "                           the device has free, which they refuse; it can hang the device\n"
    "  --format FORMAT          table, md, csv or json\n"
    "  --once                   ceilings: only if this machine's are not known yet\n"
    "  --out FILE               records (bench, check, selftest, sweep; never overwritten) or the\n"
    "                           answer (run)\n"
    "  --counters               run, in the simulator: requests, sectors, bank conflicts, copies\n"
    "  --capture[=SECONDS]      run: calls for a profiler that waits for them\n"
    "  --tool TOOL              profile: ncu, nsys, perf or sim\n"
    "  --no-color               no colour on a terminal; the variable NO_COLOR does the same\n";

static void print_inputs(FILE *out)
{
    const struct problem *const *problems;
    size_t count = registry_problems(&problems);

    for (size_t i = 0; i < count; i++) {
        const struct problem *p = problems[i];
        fprintf(out, "\n%s: %s\n", problem_name(p), p->formula);
        for (const struct input *in = problem_inputs(p); in->name != NULL; in++)
            fprintf(out, "  --%s%s%-*s %s\n", in->name, in->argument != NULL ? " " : "",
                    (int)(21 - strlen(in->name)), in->argument != NULL ? in->argument : "",
                    in->help);
        fputs("  sizes:", out);
        for (size_t a = 0; a < MAX_AXES && p->axes[a] != NULL; a++)
            fprintf(out, " --%s N", p->axes[a]);
        fputs("\n", out);
    }
}

static void print_help(FILE *out, const struct command *command)
{
    if (command != NULL) {
        fprintf(out, "usage: rungs %s\n%s.\n\n%s", command->usage, command->about, command->help);
    } else {
        fputs("usage: rungs COMMAND [PATTERN...] [OPTION...]\n\n", out);
        for (size_t i = 0; commands[i] != NULL; i++)
            fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->about);
    }
    if (command != NULL && command->options != NULL)
        fprintf(out, "\nOptions:\n%s", command->options);
    else
        fputs(options_help, out);
    if (command != &command_list && (command == NULL || command->options == NULL))
        print_inputs(out);
    fputs("\nExit status: 0 all is well, 1 a rung failed, 2 wrong usage or input, 3 a comparison\n"
          "found a regression, 4 nothing could be measured or drawn, 128+N ended by signal N.\n", out);
}

static const struct command *find_command(const char *name, struct error *error)
{
    const struct command *nearest = &command_list;

    for (size_t i = 0; commands[i] != NULL; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        if (edit_distance(name, commands[i]->name) < edit_distance(name, nearest->name))
            nearest = commands[i];
    }
    error_set(error, "there is no command %s; did you mean %s?", name, nearest->name);
    return NULL;
}

/* What was printed and did not arrive must not pass for success. */
static int end(int status)
{
    struct error error;

    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    error_set(&error, "standard output could not be written");
    return usage_error(&error);
}

int main(int argc, char **argv)
{
    static struct options options;
    struct error error;

    if (argc == 4 && strcmp(argv[1], "--worker") == 0)
        worker_main(argv + 2);
    memory_waits();
    if (argc == 2 && strcmp(argv[1], "--version") == 0)
        argv[1] = "version";
    char **typed = calloc((size_t)argc + 1, sizeof *typed);
    if (typed == NULL)
        return STATUS_USAGE;
    memcpy(typed, argv, (size_t)argc * sizeof *typed);
    if (!registry_order(&error) || !options_parse(argc, argv, &options, &error)) {
        free(typed);
        return usage_error(&error);
    }
    options.argv = typed;
    if (options.command != NULL && strcmp(options.command, "help") == 0) {
        options.command = options.pattern_count > 0 ? options.patterns[0] : NULL;
        options.help = true;
    }
    if (options.command != NULL && strcmp(options.command, "version") == 0) {
        printf("rungs %s (%s)\n", build_version, build_commit);
        return end(STATUS_OK);
    }
    if (options.command == NULL) {
        print_help(options.help ? stdout : stderr, NULL);
        return end(options.help ? STATUS_OK : STATUS_USAGE);
    }
    const struct command *command = find_command(options.command, &error);
    if (command == NULL)
        return usage_error(&error);
    if (options.help) {
        print_help(stdout, command);
        return end(STATUS_OK);
    }
    if (options.counters && command != &command_run) {
        error_set(&error, "--counters is for rungs run");
        return usage_error(&error);
    }
    if (!isnan(options.capture) && command != &command_run) {
        error_set(&error, "--capture is for rungs run");
        return usage_error(&error);
    }
    if (options.tool != NULL && command != &command_profile) {
        error_set(&error, "--tool is for rungs profile");
        return usage_error(&error);
    }
    if (options.no_plots && command != &command_report) {
        error_set(&error, "--no-plots is for rungs report");
        return usage_error(&error);
    }
    if (options.gpu && command != &command_lab) {
        error_set(&error, "--gpu is for rungs lab");
        return usage_error(&error);
    }
    if (options.pictures != 0 && command != &command_plot) {
        error_set(&error, "--as is an option of plot, not of %s", command->name);
        return usage_error(&error);
    }
    if (options.oversubscribe)
        setenv("RUNGS_OVERSUBSCRIBE", "1", 1); /* the rungs ask for it, in their workers */
    if (command != &command_compare && (!isnan(options.fail_slower) || options.force)) {
        error_set(&error, "--fail-on and --force are options of compare, not of %s", command->name);
        return usage_error(&error);
    }
    interrupt_catch();
    return end(command->run(&options));
}
