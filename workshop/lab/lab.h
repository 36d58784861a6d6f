/* The subcommands of rungs lab, and what they share. */
#ifndef RUNGS_LAB_H
#define RUNGS_LAB_H

#include "harness/commands/options.h"
#include "workshop/lab/exercise.h"
#include "workshop/lab/verdict.h"

/* What a subcommand gets: the words behind it, and where exercises run. */
struct lab_call {
    const char *const *words;
    size_t count;
    enum place place;
    const struct options *options;
};

/* The exercise that the learner is at: the one touched last, or the first after it not yet passed. */
const struct exercise *lab_current(void);

/* The exercise that word i names, else the current one; NULL with an error. */
const struct exercise *lab_exercise(const struct lab_call *c, size_t i, struct error *error);

/* Judges the learner's file, shows the verdict, and notes it down. */
bool lab_judge(const struct exercise *e, enum place place, struct lab_verdict *v,
               struct error *error);

/* The next hint, or this level; notes it down.  `sure`: the last level needs no question. */
bool lab_hint(const struct exercise *e, int level, bool sure, struct error *error);

/* The progress is written; if it cannot be, a line says so and the learner goes on. */
void lab_save(void);

/* Is there an NVIDIA card? */
bool lab_has_card(void);

int lab_watch(const struct lab_call *c);     /* watch.c */
int lab_compare(const struct lab_call *c);   /* beside.c */
int lab_bench(const struct lab_call *c);
int lab_profile(const struct lab_call *c);
int lab_keep(const struct lab_call *c);
int lab_submit(const struct lab_call *c);    /* room.c */
int lab_room(const struct lab_call *c);
int lab_board(const struct lab_call *c);
int lab_doctor(const struct lab_call *c);    /* doctor.c */
int lab_dev(const struct lab_call *c);       /* dev.c */

#endif
