/* rungs profile: one call of one variant under a profiler, and what there is to learn from it. */
#ifndef RUNGS_PROFILE_H
#define RUNGS_PROFILE_H

#include "harness/base/error.h"
#include "harness/profile/tool.h"

struct target {
    struct command_line run; /* `rungs run` of the variant at its size, but for --capture */
    char variant[96];            /* "knn/cuda_warp" */
    bool brief;               /* only what the facts need, and no report */
    char report[TOOL_PATH];   /* the report's file, without its ending */
    char scratch[TOOL_PATH];  /* a folder for what is thrown away */
    char log[TOOL_PATH];      /* in it: what was said */
};

enum profiled {
    PROFILED,         /* it was, and the facts are printed */
    PROFILED_NOT,     /* there is no such tool, or it may not, and a line has said so */
    PROFILED_WRONG,   /* the variant has failed, and a line has said so */
    PROFILED_NOTHING, /* it could not run here, or refused */
    PROFILED_ERROR
};

/* Adds that, and --capture or --capture=SECONDS. */
void target_add(struct target *t, struct command_line *c, const char *capture);

/* What became of the run, by its exit status and what it has said.  PROFILED: it went well. */
enum profiled target_outcome(const struct target *t, int status);

/* The variant, the sizes that it ran at, and where: "saxpy/cuda_naive  n=65536  NVIDIA H200". */
void target_print(const struct target *t, const char *device);

/* Says on standard output which command is about to be run. */
void target_show(const struct command_line *c);

enum profiled profile_ncu(struct target *t, struct error *error);
enum profiled profile_nsys(struct target *t, struct error *error);
enum profiled profile_perf(struct target *t, struct error *error);

#endif
