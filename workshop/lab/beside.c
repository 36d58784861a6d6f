/* What a learner does with a version of their own: compare, bench, profile, keep. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/commands/command.h"
#include "harness/model/registry.h"
#include "workshop/lab/folder.h"
#include "workshop/lab/gates.h"
#include "workshop/lab/lab.h"
#include "workshop/lab/learned.h"
#include "workshop/lab/show.h"
#include "workshop/lab/text.h"
#include "workshop/lab/typed.h"
#include "workshop/lab/version.h"

static const struct exercise *passed_one(const struct lab_call *c, struct error *error)
{
    const struct exercise *e = lab_exercise(c, 0, error);
    char file[160];

    if (e == NULL)
        return NULL;
    folder_passed(e, file, sizeof file);
    if (learned_of(e)->passed > 0 && access(file, F_OK) == 0)
        return e;
    error_set(error, "%02d has not passed yet: %s run %02d", e->number, typed(), e->number);
    return NULL;
}

int lab_compare(const struct lab_call *c)
{
    struct error error;
    const struct exercise *e = passed_one(c, &error);
    char yours[160], command[512];

    if (e == NULL)
        return usage_error(&error);
    folder_passed(e, yours, sizeof yours);
    for (int level = 1; level < HINTS; level++)
        show_hint(e, level, &(struct mistake){.kind = ""});
    printf("\nyours (-) beside the solution (+):\n");
    fflush(stdout);
    snprintf(command, sizeof command, "diff -u --label yours --label solution %s -", yours);
    FILE *diff = popen(command, "w");
    char *ours = exercise_text(e, "");
    if (diff != NULL && ours != NULL)
        fputs(ours, diff);
    int status = diff != NULL ? pclose(diff) : -1;
    if (status == 0)
        printf("they are the same\n");
    free(ours);
    if (e->discuss[0] != '\0') {
        printf("\nto discuss:\n");
        text_print(stdout, e->discuss, 2);
    }
    return STATUS_OK;
}

/* variants/saxpy/cuda_lab_03.cu */
static void variant_name(const struct exercise *e, char *file, size_t room)
{
    snprintf(file, room, "variants/%s/%s_lab_%02d%s", problem_name(e->problem),
             e->cuda ? "cuda" : "cpu", e->number, e->cuda ? ".cu" : ".c");
}

int lab_keep(const struct lab_call *c)
{
    struct error error;
    const struct exercise *e = passed_one(c, &error);
    char from[160], to[160];

    if (e == NULL)
        return usage_error(&error);
    folder_passed(e, from, sizeof from);
    variant_name(e, to, sizeof to);
    char *text = text_read(from, &error);
    bool good = text != NULL && text_write(to, text, &error);
    free(text);
    if (!good)
        return usage_error(&error);
    printf("%s is a variant now, as you have passed with it; delete the file to take it out again\n", to);
    return STATUS_OK;
}

/* The simulator has no clock, so it counts. */
static int count_among_others(const struct exercise *e)
{
    struct error error;

    printf("the simulator has no clock: this counts memory requests; with a GPU, %s bench %02d --gpu takes times\n",
           typed(), e->number);
    fflush(stdout);
    execlp("sh", "sh", "-c", "make -s SIM=1 build-sim/rungs && exec build-sim/rungs count \"$0/cuda_*\"",
           problem_name(e->problem), (char *)NULL);
    error_set(&error, "sh: %s", strerror(errno));
    return usage_error(&error);
}

/* Benchmarks the learner's variant among those of its problem, by the program of that place.  The simulator's program
   has all variants of the CPU, compiled as elsewhere, so nothing else need be built for these. */
int lab_bench(const struct lab_call *c)
{
    struct error error;
    const struct exercise *e = passed_one(c, &error);
    char patterns[80], size[80] = "";

    if (e == NULL)
        return usage_error(&error);
    if (lab_keep(c) != STATUS_OK)
        return STATUS_USAGE;
    if (e->cuda && c->place != ON_CARD)
        return count_among_others(e);
    if (e->cuda && access("build/rungs", X_OK) != 0)
        printf("building build/rungs first, which takes many minutes with nvcc\n");
    fflush(stdout);
    snprintf(patterns, sizeof patterns, "%s%s", problem_name(e->problem), e->cuda ? "" : "/cpu_*");
    if (e->timed.label != NULL) /* where the idea shows */
        snprintf(size, sizeof size, "--size=%s%s", exercise_axis(e, e->timed.label), e->timed.label);
    const char *script =
        e->cuda ? "make -s CUDA_ARCH=native build/rungs && exec build/rungs bench --quick \"$0\" ${1:+\"$1\"}"
                : "make -s SIM=1 NVCC= build-sim/rungs && exec build-sim/rungs bench --quick \"$0\" ${1:+\"$1\"}";
    execlp("sh", "sh", "-c", script, patterns, size, (char *)NULL);
    error_set(&error, "sh: %s", strerror(errno));
    return usage_error(&error);
}

/* Prints the counters of the starter's kernels beside those of the learner's.  A starter whose question is about its
   own kernels has them alone. */
static bool tell_table(const struct exercise *e, const char *program, struct mistake *m, struct error *error)
{
    static const char *const starter = "STARTER", *const whose[] = {"starter", "yours"};
    char source[200], first[200];
    const bool alone = strcmp(e->starter, "not-answered") == 0 && e->gates == 0;

    version_source(e, starter, source, sizeof source);
    build_program(source, IN_SIMULATOR, first, sizeof first);
    const char *const programs[] = {first, program};
    return (alone || version_build(e, &starter, 1, IN_SIMULATOR, error)) &&
           gates_table(e, programs + alone, whose + alone, alone ? 1 : 2, m, error);
}

/* Builds the learner's file, runs it once and prints the simulator's counters. */
static bool tell_counters(const struct exercise *e, struct error *error)
{
    static char said[8192];
    char program[160];
    const char *source = e->source;
    struct mistake m = {.kind = ""};

    build_program(source, IN_SIMULATOR, program, sizeof program);
    if (!build_ready(IN_SIMULATOR, error))
        return false;
    if (!build_sources(&source, 1, IN_SIMULATOR, said, sizeof said))
        build_mistake(said, source, &m);
    else if (!tell_table(e, program, &m, error) || (!mistaken(&m) && !gates_tell(e, program, &m, error)))
        return false;
    for (int i = 0; i < m.facts; i++)
        printf("      %s\n", m.fact[i]);
    if (mistaken(&m))
        printf("  kind  %s\n", show_kind(m.kind));
    return true;
}

int lab_profile(const struct lab_call *c)
{
    struct error error;
    const struct exercise *e = lab_exercise(c, 0, &error);
    char program[160];

    if (e == NULL)
        return usage_error(&error);
    if (!e->cuda || e->counted.label == NULL) {
        error_set(&error, "%02d runs no kernel whose counters could be shown", e->number);
        return usage_error(&error);
    }
    if (c->place == IN_SIMULATOR)
        return tell_counters(e, &error) ? STATUS_OK : usage_error(&error);
    build_program(e->source, ON_CARD, program, sizeof program);
    printf("the first shows the time line (copies, kernels, gaps), the second one kernel's counters:\n\n"
           "  make -s CUDA_ARCH=native %s\n"
           "  nsys profile --stats=true %s run %s\n"
           "  ncu --launch-skip 5 --launch-count 1 --set full %s run %s\n",
           program, program, e->full, program, e->full);
    return STATUS_OK;
}
