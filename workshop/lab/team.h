/* A variable that all threads of an OpenMP team share, and each of them writes to: a race that hardly ever shows in a result. */
#ifndef RUNGS_LAB_TEAM_H
#define RUNGS_LAB_TEAM_H

#include "workshop/lab/mistake.h"

/* Looks for one in a C program without comments.  Sets the mistake, and keeps the facts that were found before. */
void team_look(const char *text, struct mistake *m);

/* Of a program in which one thread works: looks for a condition that keeps thread 0 out. */
void team_look_idle(const char *text, struct mistake *m);

#endif
