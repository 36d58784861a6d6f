/* The profilers: external programs, where they are, and how they are run. */
#ifndef RUNGS_TOOL_H
#define RUNGS_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"

enum { TOOL_PATH = 512, TOOL_WORDS = 160 };

/* A command, assembled word by word.  It does not own the words. */
struct command_line {
    const char *words[TOOL_WORDS + 1]; /* ends in NULL */
    size_t count;
};

void command_add(struct command_line *c, const char *word);
void command_add_all(struct command_line *c, const char *const words[]); /* ends in NULL */
/* Writes the command as a shell would read it. */
void command_line_text(const struct command_line *c, char *text, size_t bytes);

/* Finds a program on the PATH or where NVIDIA's packages put it.  False: not found. */
bool tool_find(const char *name, char path[TOOL_PATH]);

/* Runs a command until it ends.  Both outputs go to the file `log`; or, if `out` is not NULL, the
   standard output goes there.  Returns the exit status, 128 + n if signal n ended it, or -1 with the
   error set. */
int tool_run(const struct command_line *c, const char *log, const char *out, struct error *error);

/* Returns whether the file contains the text.  `line`, unless NULL, gets the last line that contains
   it. */
bool tool_said(const char *log, const char *what, char *line, size_t bytes);

#endif
