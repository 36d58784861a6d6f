/*
 * An exercise, as its master file says it: workshop/NN_name.c or .cu, the only file that an author
 * edits.  docs/add-an-exercise.md describes the format.
 *
 * A master is code that compiles, and is the solution if no symbol is defined.  It begins with a
 * comment, the card; the starter and the wrong versions are alternatives between #if lines.
 */
#ifndef RUNGS_EXERCISE_H
#define RUNGS_EXERCISE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/error.h"
#include "harness/model/problem.h"
#include "workshop/lab/mistake.h"

enum { MAX_EXERCISES = 32, MAX_NOTES = 24, HINTS = 4, MAX_LAB_SIZES = 24 };

/* A value that a counter must keep to. */
struct gate {
    char metric[40];
    bool at_most; /* else at least */
    double limit;
    char kind[32];  /* of mistake, if it does not */
    char text[320]; /* what it means, to a beginner */
};

/* What the learner writes into the file as "answer NAME: ...". */
struct answer {
    char name[32], want[64];
    double factor; /* a number may be off by it; 1: it may not */
    char text[320];
};

/* One wrong version: the kind of mistake that must be found, and what to say. */
struct wrong {
    char name[40], kind[32];
    char text[600];
};

/* What the exercise itself has to say about a kind of mistake; `words`: if these are in its facts. */
struct saying {
    char kind[32], words[64];
    char text[400];
};

/* Words in the learner's text that are a mistake if none of the others is there. */
struct clue {
    char words[32];
    char others[160]; /* separated by commas */
    char kind[32];
    char text[320];
};

struct exercise {
    int number;
    char name[48];   /* "03_first_kernel" */
    char master[96]; /* "workshop/03_first_kernel.cu" */
    char source[96]; /* the learner's: "learn/saxpy/03_first_kernel.cu" */
    char full[80];   /* as a variant: "saxpy/03_first_kernel" */
    bool cuda;
    const struct problem *problem;
    int minutes;
    int devices; /* simulated ones; 0: one */
    char title[48], concept[96];
    char now[200], goal[200], why[320];
    char story[1600], task[1200], extra[800], discuss[600];
    char hint[HINTS][1200]; /* the last is empty: made of the solution */
    struct size sizes[MAX_LAB_SIZES];
    size_t size_count;
    struct size counted; /* at which the counters are read; no label: at none */
    struct size timed;   /* at which the clock is read; no label: it is not */
    /* Rungs of the ladder, or "starter" or "solution": how much faster than base is the learner's,
       and is ours? */
    char base[96], ours[96];
    bool with_copies;    /* compared by whole times, though there may be others */
    double share;        /* of ours that the learner's is to reach; 0: it is shown, not judged */
    char slow[400];      /* what it means if it does not, or what the times show */
    struct gate gate[8];
    size_t gates;
    struct answer answer[4];
    size_t answers;
    struct wrong wrong[MAX_NOTES];
    size_t wrongs;
    struct saying saying[MAX_NOTES];
    size_t sayings;
    struct clue clue[2];
    size_t clues;
    char starter[32]; /* the kind of mistake that the starter is found to make */
    char *code;       /* the master behind the card */
};

/* All masters, in order; their folder is workshop/.  False: one cannot be read, the error names it. */
bool exercises_read(struct error *error);
size_t exercises(const struct exercise **list);

/* By number ("3", "03") or name ("03_first_kernel"); NULL with an error. */
const struct exercise *exercise_find(const char *word, struct error *error);

/* The text of a version: "STARTER", "WRONG_no_guard", "" for the solution.  For free(). */
char *exercise_text(const struct exercise *e, const char *version);

/* What the starter lacks: the solution's lines in its gaps, with "..." between two; at most `room`
   bytes. */
void exercise_gaps(const struct exercise *e, char *text, size_t room);

/* The first that fits; NULL: none. */
const char *exercise_saying(const struct exercise *e, const struct mistake *m);

#endif
