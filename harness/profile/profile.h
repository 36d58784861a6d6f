/* rungs profile: runs one call of one variant under a profiler and prints what the profiler found. */
#ifndef RUNGS_PROFILE_H
#define RUNGS_PROFILE_H

#include "harness/base/error.h"
#include "harness/profile/tool.h"

struct target {
    struct command_line run; /* `rungs run` of the variant at its size, without --capture */
    char variant[96];            /* "knn/cuda_warp" */
    bool brief;               /* only what the printed facts need; no report file */
    char report[TOOL_PATH];   /* the report's file, without its extension */
    char scratch[TOOL_PATH];  /* a folder for temporary files */
    char log[TOOL_PATH];      /* in it: the program's output */
};

enum profiled {
    PROFILED,         /* the facts are printed */
    PROFILED_NOT,     /* the tool is missing or not permitted; a line says so */
    PROFILED_WRONG,   /* the variant failed; a line says so */
    PROFILED_NOTHING, /* the variant could not run here, or refused */
    PROFILED_ERROR
};

/* Adds the target's command, and --capture or --capture=SECONDS. */
void target_add(struct target *t, struct command_line *c, const char *capture);

/* Returns how the run ended, from its exit status and its output.  PROFILED: without an error. */
enum profiled target_outcome(const struct target *t, int status);

/* Prints the variant, the sizes that it ran at, and the device: "saxpy/cuda_naive  n=65536  NVIDIA
   H200". */
void target_print(const struct target *t, const char *device);

/* Prints the command that will run. */
void target_show(const struct command_line *c);

enum profiled profile_ncu(struct target *t, struct error *error);
enum profiled profile_nsys(struct target *t, struct error *error);
enum profiled profile_perf(struct target *t, struct error *error);

#endif
