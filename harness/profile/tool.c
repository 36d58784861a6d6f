#define _GNU_SOURCE
#include "harness/profile/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/interrupt.h"

/* --- commands --------------------------------------------------------------------------------- */

void command_add(struct command_line *c, const char *word)
{
    if (c->count == TOOL_WORDS)
        abort();
    c->words[c->count++] = word;
    c->words[c->count] = NULL;
}

void command_add_all(struct command_line *c, const char *const words[])
{
    for (; *words != NULL; words++)
        command_add(c, *words);
}

void command_line_text(const struct command_line *c, char *text, size_t bytes)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < c->count && used < bytes; i++) {
        const char *word = c->words[i];
        const char *quote = word[0] == '\0' || strpbrk(word, " '\"*?()[]&;<>|$\\") ? "'" : "";
        used += (size_t)snprintf(text + used, bytes - used, "%s%s%s%s", i > 0 ? " " : "", quote, word,
                                 quote);
    }
}

/* --- where they are --------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    return access(path, X_OK) == 0;
}

static bool find_on_path(const char *name, char path[TOOL_PATH])
{
    const char *at = getenv("PATH");

    while (at != NULL && *at != '\0') {
        size_t length = strcspn(at, ":");
        snprintf(path, TOOL_PATH, "%.*s/%s", (int)length, at, name);
        if (length > 0 && is_program(path))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

bool tool_find(const char *name, char path[TOOL_PATH])
{
    static const char *const places[] = {
        "/usr/local/cuda/bin", "/usr/local/cuda-*/bin", "/opt/nvidia/nsight-compute/*",
        "/opt/nvidia/nsight-systems/*/bin", "/opt/nvidia/nsight-systems/*/target-linux-*",
        "/opt/nvidia/hpc_sdk/*/*/compilers/bin", "/usr/lib/nsight-systems/bin"};
    bool found = find_on_path(name, path);

    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
        char pattern[TOOL_PATH];
        glob_t matches;

        snprintf(pattern, sizeof pattern, "%s/%s", places[i], name);
        if (glob(pattern, 0, NULL, &matches) != 0)
            continue;
        for (size_t m = matches.gl_pathc; m-- > 0 && !found;) { /* the newest is the last */
            found = is_program(matches.gl_pathv[m]);
            snprintf(path, TOOL_PATH, "%s", matches.gl_pathv[m]);
        }
        globfree(&matches);
    }
    return found;
}

/* --- run -------------------------------------------------------------------------------------- */

_Noreturn static void become(const struct command_line *c, const char *log, const char *out)
{
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    int errors = open(log, flags, 0666), output = out != NULL ? open(out, flags, 0666) : errors;
    int input = open("/dev/null", O_RDONLY);

    if (errors < 0 || output < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0)
        _exit(127);
    execv(c->words[0], (char *const *)c->words);
    _exit(127);
}

int tool_run(const struct command_line *c, const char *log, const char *out, struct error *error)
{
    int status;
    pid_t child = fork();

    if (child == 0)
        become(c, log, out);
    if (child < 0) {
        error_set(error, "%s: %s", c->words[0], strerror(errno));
        return -1;
    }
    while (waitpid(child, &status, 0) < 0) /* the signal may not be meant for the child */
        if (errno == EINTR && interrupted())
            kill(child, SIGTERM);
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    if (WEXITSTATUS(status) == 127) {
        error_set(error, "%s cannot be run", c->words[0]);
        return -1;
    }
    return WEXITSTATUS(status);
}

bool tool_said(const char *log, const char *what, char *line, size_t bytes)
{
    FILE *in = fopen(log, "r");
    char text[1024];
    bool found = false;

    while (in != NULL && fgets(text, sizeof text, in) != NULL)
        if (strstr(text, what) != NULL && text[strspn(text, " \r\n")] != '\0') {
            found = true;
            text[strcspn(text, "\r\n")] = '\0';
            if (line != NULL)
                snprintf(line, bytes, "%s", text);
        }
    if (in != NULL)
        fclose(in);
    return found;
}
