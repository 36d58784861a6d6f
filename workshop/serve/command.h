/*
 * Runs one command of `rungs lab` for the page, as a learner would at a terminal.  The page can do what these commands
 * can do and nothing else: the words come from a table, and the numbers in them have been read as numbers.
 */
#ifndef RUNGS_SERVE_COMMAND_H
#define RUNGS_SERVE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum { COMMAND_WORDS = 8 };

struct command {
    const char *words[COMMAND_WORDS]; /* behind "rungs lab"; NULL ends them */
    const char *input;                /* for its standard input; NULL: nothing */
    size_t input_bytes;
    int columns; /* of the terminal that it writes to; 0: it writes to a pipe */
    bool judges; /* a newer version of the file makes its result worthless */
    bool reads;  /* changes nothing, so others may run beside it */
};

struct said {
    char *text; /* the caller frees it; NULL: the command could not be started */
    size_t bytes;
    int status; /* as a shell has it: 128 + N for signal N */
    bool stopped; /* by command_stop */
};

/* Must be called first: where the program rungs lies. */
void command_begin(const char *rungs);

/* Runs the command and returns what it said.  Commands that change something take turns. */
struct said command_run(const struct command *c);

/* Stops a command that judges, if one runs.  It ends as after Ctrl-C, with all processes that it has started. */
void command_stop(void);

#endif
