/* The profilers, which are programs of others: where they are, and what they say when they are run. */
#ifndef RUNGS_TOOL_H
#define RUNGS_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"

enum { TOOL_PATH = 512, TOOL_WORDS = 160 };

/* A command that is put together word by word, which belong to whoever adds them. */
struct command_line {
    const char *words[TOOL_WORDS + 1]; /* ends in NULL */
    size_t count;
};

void command_add(struct command_line *c, const char *word);
void command_add_all(struct command_line *c, const char *const words[]); /* ends in NULL */
/* As a shell would take it, to be shown. */
void command_line_text(const struct command_line *c, char *text, size_t bytes);

/* On the PATH, or in one of the places where NVIDIA's packages put it.  False: nowhere. */
bool tool_find(const char *name, char path[TOOL_PATH]);

/* Runs it to its end, with what it says on both outputs in the file `log`, or what it says on its
   standard output in `out`, if that is not NULL.  Returns its exit status, 128 + n if signal n ended
   it, or -1 and an error. */
int tool_run(const struct command_line *c, const char *log, const char *out, struct error *error);

/* Is the text in the file?  `line`, unless it is NULL, gets the last line that it is in and that is
   not empty. */
bool tool_said(const char *log, const char *what, char *line, size_t bytes);

#endif
