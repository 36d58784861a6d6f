/*
 * Stars: a set of at most three, for what is right, for its structure, and for its speed.  What a run
 * has won is never lost; the simulator has the second one to give and a card the third, so it takes
 * both to win all.
 */
#ifndef RUNGS_LAB_STARS_H
#define RUNGS_LAB_STARS_H

#include "workshop/lab/build.h"
#include "workshop/lab/exercise.h"

enum { STAR_RIGHT = 1, STAR_STRUCTURE = 2, STAR_SPEED = 4, STARS = 3 };

/* "right+structure+speed", as progress.tsv has it. */
enum { STARS_WORDS = 24 };

/* Those that an exercise has; and those of them that a run at this place can win. */
unsigned stars_of(const struct exercise *e);
unsigned stars_at(const struct exercise *e, enum place place);

/* "*.*": in order, won or not, of those that are possible. */
void stars_draw(unsigned won, unsigned possible, char text[STARS + 1]);

/* "right+speed"; "-" of none. */
void stars_write(unsigned won, char text[STARS_WORDS]);

/* Also a bare count, as older files have: the first ones, in order.  False: neither. */
bool stars_read(const char *text, unsigned *won);

/* After a run at this place: what is still to be won, and how, a line each; empty: nothing is. */
void stars_missing(const struct exercise *e, enum place place, unsigned won, char *text, size_t room);

#endif
