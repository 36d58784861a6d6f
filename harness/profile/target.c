#include "harness/profile/profile.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/terminal.h"

void target_add(struct target *t, struct command_line *c, const char *capture)
{
    command_add_all(c, t->run.words);
    command_add(c, capture);
}

void target_show(const struct command_line *c)
{
    char text[4096];

    command_line_text(c, text, sizeof text);
    printf("$ ");
    terminal_lines(stdout, text);
    printf("\n");
    fflush(stdout);
}

/* The output of `rungs run` begins with the variant and its size, with two spaces before and after it. */
void target_print(const struct target *t, const char *device)
{
    char line[1024], size[128] = "";
    const char *begin;

    if (tool_said(t->log, t->variant, line, sizeof line) &&
        (begin = strstr(line, t->variant)) != NULL) {
        begin += strlen(t->variant) + strspn(begin + strlen(t->variant), " ");
        const char *end = strstr(begin, "  ");
        snprintf(size, sizeof size, "  %.*s", end != NULL ? (int)(end - begin) : 0, begin);
    }
    printf("%s%s%s%s\n", t->variant, size, device[0] != '\0' ? "  " : "", device);
}

/* Prints the output of `rungs run` without the names of the program and the variant. */
static void say_failure(const struct target *t, const char *line)
{
    const char *name = strstr(line, t->variant);

    fprintf(stderr, "rungs: %s\n", name != NULL ? name : line);
}

enum profiled target_outcome(const struct target *t, int status)
{
    char line[1024];

    if (tool_said(t->log, "captured", NULL, 0))
        return PROFILED;
    if (tool_said(t->log, "rungs: ", line, sizeof line)) {
        fprintf(stderr, "%s\n", strstr(line, "rungs: "));
        return PROFILED_ERROR;
    }
    if (tool_said(t->log, t->variant, line, sizeof line) && strstr(line, ": ") != NULL) {
        say_failure(t, line);
        return strstr(line, "  refused") != NULL || strstr(line, "  no device") != NULL
                   ? PROFILED_NOTHING
                   : PROFILED_WRONG;
    }
    if (interrupted())
        return PROFILED_NOTHING;
    if (!tool_said(t->log, "==ERROR==", line, sizeof line) &&
        !tool_said(t->log, "", line, sizeof line))
        snprintf(line, sizeof line, "it printed nothing");
    fprintf(stderr, "rungs: %s: the profiler ended with status %d: %s\n", t->variant, status, line);
    return PROFILED_WRONG;
}
