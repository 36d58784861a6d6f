/* rungs build: compiles variants outside the source tree, by the rules in common/variant.mk. */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/home.h"
#include "harness/commands/command.h"
#include "harness/model/registry.h"

/* Returns whether the last part of a path is a name: not that of ".", "bench/.." or "". */
static bool is_named(const char *folder)
{
    const char *slash = strrchr(folder, '/'), *name = slash != NULL ? slash + 1 : folder;

    return strcmp(name, "") != 0 && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* Returns whether a path has no character with a meaning for make or its shell: the rules of common/variant.mk quote none. */
static bool is_plain(const char *path)
{
    for (const char *c = path; *c != '\0'; c++)
        if ((unsigned char)*c < 0x80 && !isalnum((unsigned char)*c) && strchr("/._-+,@^", *c) == NULL)
            return false;
    return true;
}

/* Returns the target that make builds from a file: "saxpy/mine.card" from "saxpy/mine.cu", a shared object
   from a problem.c.  NULL with an error: not a source and not a shared object.  For free(). */
static char *card_of(const char *file, struct error *error)
{
    static const char *const endings[] = {".c", ".cpp", ".cu", ".f90", ".rs", ".zig", ".so"};
    const char *dot = strrchr(file, '.'), *slash = strrchr(file, '/');
    char *card = malloc(strlen(file) + sizeof ".card");
    char folder[1024];

    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - file) : 0, file);
    if (access(file, R_OK) != 0) {
        error_set(error, "%s: %s", file, strerror(errno));
    } else if (!is_plain(file)) {
        error_set(error, "%s: make cannot build a path that contains a blank or another sign than / . _ - + , @ ^", file);
    } else if (slash == NULL || !is_named(folder)) {
        error_set(error, "%s: a variant must be in a folder named after its problem, e.g. saxpy/%s", file,
                  slash != NULL ? slash + 1 : file);
    } else if (access(folder, W_OK | X_OK) != 0) {
        error_set(error, "%s: build writes into this folder: %s", folder, strerror(errno));
    } else {
        for (size_t i = 0; i < sizeof endings / sizeof *endings && dot != NULL; i++)
            if (card != NULL && strcmp(dot, endings[i]) == 0) {
                sprintf(card, "%.*s.%s", (int)(dot - file), file,
                        strcmp(slash, "/problem.c") == 0 ? "so" : "card");
                return card;
            }
        error_set(error, "%s: build takes .c, .cpp, .cu, .f90, .rs, .zig and .so files", file);
    }
    free(card);
    return NULL;
}

static bool is_object(const char *file)
{
    return strcmp(strrchr(file, '.'), ".so") == 0;
}

/* Runs make.  The user sees its messages and the compiler's. */
static int run_make(char *words[])
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        unsetenv("MAKEFLAGS"); /* rungs may itself run under make */
        unsetenv("MAKELEVEL");
        execvp("make", words);
        fprintf(stderr, "rungs: make: %s\n", strerror(errno));
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return STATUS_USAGE;
    return status == 0 ? STATUS_OK : STATUS_FAILED;
}

/* Names what would stop every command that gets this folder, and removes such a card: the file is not built. */
static int look_at(char *const targets[], size_t count)
{
    struct error error;
    int status = STATUS_OK;

    for (size_t i = 0; i < count; i++)
        if (access(targets[i], F_OK) == 0 && !registry_accepts(targets[i], &error)) { /* make has named the others */
            fprintf(stderr, "rungs: %s\n", error.text);
            if (!is_object(targets[i]))
                remove(targets[i]);
            status = STATUS_FAILED;
        }
    return status;
}

static int run(const struct options *o)
{
    /* -B: whatever the times of files are, because flags and libraries may have changed as well; -k: one file that fails
       does not stop the others; -Otarget: the messages of a file stay together */
    char *words[2 * MAX_WORDS + 9] = {"make", "-s", "-B", "-k", "-Otarget", "--no-print-directory", "-f"};
    char makefile[1100], jobs[16];
    struct error error;
    size_t n = 7;

    if (o->patterns.count == 0) {
        error_set(&error, "build takes files: rungs build saxpy/mine.c");
        return usage_error(&error);
    }
    snprintf(makefile, sizeof makefile, "%s", home_file("variant.mk"));
    words[n++] = makefile;
    snprintf(jobs, sizeof jobs, "-j%d", get_nprocs());
    words[n++] = jobs;
    const size_t first = n;
    for (size_t i = 0; i < o->patterns.count; i++)
        if ((words[n] = card_of(o->patterns.word[i], &error)) != NULL)
            n++;
        else
            break;
    const size_t targets = n - first;
    for (size_t i = 0; i < targets; i++)
        if (is_object(o->patterns.word[i])) { /* of another tool: only its card is made */
            words[n++] = "-o";
            words[n++] = (char *)(uintptr_t)o->patterns.word[i];
        }
    int status = targets == o->patterns.count ? run_make(words) : usage_error(&error);
    if (targets == o->patterns.count && look_at(words + first, targets) != STATUS_OK)
        status = STATUS_FAILED;
    for (size_t i = 0; i < targets; i++)
        free(words[first + i]);
    return status;
}

const struct command command_build = {
    .name = "build",
    .usage = "build FILE...",
    .about = "compile variants (PROBLEM/NAME.c, .cpp, .cu, .f90, .rs, .zig, .so) and problems",
    .help = "Takes PROBLEM/NAME.c, .cpp, .cu, .f90, .rs, .zig or .so, and PROBLEM/problem.c for a problem of your own.\n"
            "Writes a shared object and its description (.card) beside each file.  Then name the folder\n"
            "that contains PROBLEM/: rungs bench --variants FOLDER, or RUNGS_PATH=FOLDER for all commands.\n",
    .words = "FILE",
    .run = run,
};
