/* The subcommands of rungs lab, and what they share. */
#ifndef RUNGS_LAB_H
#define RUNGS_LAB_H

#include "harness/commands/options.h"
#include "workshop/lab/exercise.h"
#include "workshop/lab/verdict.h"

/* What a subcommand gets: the words behind its name, and where exercises run. */
struct lab_call {
    const char *const *words;
    size_t count;
    enum place place;
    const struct options *options;
};

/* Returns the current exercise: the one touched last, or if it has passed the next one to do. */
const struct exercise *lab_current(void);

/* Returns the exercise that word i names, or the current one if there is no word i; NULL with an error. */
const struct exercise *lab_exercise(const struct lab_call *c, size_t i, struct error *error);

/* Judges the learner's file, shows the verdict, and records it. */
bool lab_judge(const struct exercise *e, enum place place, struct lab_verdict *v,
               struct error *error);

/* Shows a hint, of this level or (0) the next, and records it.  With `sure` the last level is shown without asking. */
bool lab_hint(const struct exercise *e, int level, bool sure, struct error *error);

/* Writes the progress.  If that fails it prints a warning, and the session goes on. */
void lab_save(void);

/* Returns whether there is an NVIDIA GPU. */
bool lab_has_card(void);

int lab_watch(const struct lab_call *c);     /* watch.c */
int lab_compare(const struct lab_call *c);   /* beside.c */
int lab_bench(const struct lab_call *c);
int lab_profile(const struct lab_call *c);
int lab_keep(const struct lab_call *c);
int lab_view(const struct lab_call *c);      /* view.c */
int lab_submit(const struct lab_call *c);    /* room.c */
int lab_room(const struct lab_call *c);
int lab_board(const struct lab_call *c);
int lab_doctor(const struct lab_call *c);    /* doctor.c */
int lab_serve(const struct lab_call *c);     /* serve.c */
int lab_data(const struct lab_call *c);
int lab_write(const struct lab_call *c);
int lab_dev(const struct lab_call *c);       /* dev.c */

#endif
