/*
 * An exercise, read from its master: workshop/NN_name.c or .cu, the only file that an author edits.
 * docs/add-an-exercise.md describes the format.
 *
 * A master is code that compiles, and is the solution if no symbol is defined.  It begins with a
 * comment, the card.  The starter and the wrong versions are alternatives between #if lines.
 */
#ifndef RUNGS_EXERCISE_H
#define RUNGS_EXERCISE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/variant.h"
#include "harness/base/error.h"
#include "harness/model/problem.h"
#include "workshop/lab/mistake.h"

enum { MAX_EXERCISES = 32, MAX_NOTES = 64, HINTS = 4, MAX_LAB_SIZES = 24, MAX_ANSWERS = 4, MAX_CLUES = 16,
       MAX_FIGURES = 4, MAX_RIGHTS = 8 };

/* A bound that a counter must keep. */
struct gate {
    char metric[40];
    bool at_most; /* else at least */
    double limit;
    char kind[32];  /* of mistake, if it is not kept */
    char text[320]; /* what that means, for a beginner */
};

/* A figure that the learner's own benchmark prints: figures.h. */
struct figure {
    char name[32];
    double each;    /* bytes for each element; 0: it is a time, in seconds, */
    char of[48];    /* "run": of the learner's run; or of this variant */
    double factor;  /* by which it may differ from the lab's */
    char text[320]; /* what the lab measures */
};

/* What the learner writes into the file as "answer NAME: ...". */
struct answer {
    char name[32], want[160];
    double factor; /* by which a number may be off; 1: it must be exact */
    char text[320];
};

/* One wrong version: the kind of mistake that must be found, and what to say. */
struct wrong {
    char name[40], kind[32];
    char text[600];
};

/* A version that is right, though it looks otherwise: it must pass. */
struct right {
    char name[40], text[300]; /* text: what is unusual about it */
};

/* What the exercise itself says about a kind of mistake, if `words` (or "") stand in one of the facts. */
struct saying {
    char kind[32], words[64];
    char text[400];
};

/* Words in the learner's text that are a mistake if none of the others is in it. */
struct clue {
    char words[48];
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
    int devices; /* simulated GPUs; 0: one */
    char title[48], concept[96];
    char track[24];  /* that it belongs to; "": the first */
    char now[200], goal[200], why[320];
    char story[1600], task[1200], extra[800], discuss[600];
    char hint[HINTS][1200]; /* the last is empty: it is made from the solution */
    struct size sizes[MAX_LAB_SIZES];
    size_t size_count;
    bool awkward;        /* the second data at each size are those on which usual ways go wrong */
    enum math math;      /* the precision by which results are judged; not given: float32 */
    struct size counted; /* at which the counters are read; no label: at none */
    struct size timed;   /* at which the clock is read; no label: it is not */
    /* Names of variants, or "starter" or "solution".  Speed is measured against base; ours says how fast the
       exercise's idea can be. */
    char base[96], ours[96];
    bool with_copies;    /* compared by end-to-end times */
    double share;        /* of our speed that the learner must reach; 0: times are shown, not judged */
    char slow[400];      /* what it means if it is not reached, or what the times show */
    struct gate gate[8];
    size_t gates;
    struct figure figure[MAX_FIGURES];
    size_t figures;
    struct answer answer[MAX_ANSWERS];
    size_t answers;
    bool answers_first;  /* they are judged before the structure: its gates would give them away */
    struct wrong wrong[MAX_NOTES];
    size_t wrongs;
    struct right right[MAX_RIGHTS];
    size_t rights;
    struct saying saying[MAX_NOTES];
    size_t sayings;
    struct clue clue[MAX_CLUES];
    size_t clues;
    char starter[32]; /* the kind of mistake that the starter must be found to make */
    char *code;       /* the master behind the card */
};

/* Reads all masters in workshop/, in order.  Returns false if one cannot be read; the error names it. */
bool exercises_read(struct error *error);
size_t exercises(const struct exercise **list);

/* Returns how many exercises belong to the track of list[first] from there on.  So the first track is exercises_of_track(0),
   and the next one begins behind it. */
size_t exercises_of_track(size_t first);

/* Finds one by number ("3", "03") or name ("03_first_kernel").  Returns NULL with an error if there is none. */
const struct exercise *exercise_find(const char *word, struct error *error);

/* Returns "n=" for a size that is a bare number, else "". */
const char *exercise_axis(const struct exercise *e, const char *label);

/* Returns the text of a version: "STARTER", "WRONG_no_guard", "" for the solution.  The caller frees it. */
char *exercise_text(const struct exercise *e, const char *version);

/* Copies what the starter lacks: the solution's lines in its gaps, with "..." between two gaps; at most `room`
   bytes. */
void exercise_gaps(const struct exercise *e, char *text, size_t room);

/* Returns the first `say` text that fits, or NULL. */
const char *exercise_saying(const struct exercise *e, const struct mistake *m);

#endif
