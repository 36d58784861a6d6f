/*
 * Stars: a set of at most three, for a right result, for structure, and for speed.  A star that was
 * won is never lost.  The second is won in the simulator and the third on a GPU, so it takes both to
 * win all.
 */
#ifndef RUNGS_LAB_STARS_H
#define RUNGS_LAB_STARS_H

#include "workshop/lab/build.h"
#include "workshop/lab/exercise.h"

enum { STAR_RIGHT = 1, STAR_STRUCTURE = 2, STAR_SPEED = 4, STARS = 3 };

/* Room for "right+structure+speed", as in progress.tsv. */
enum { STARS_WORDS = 24 };

/* Return the stars that an exercise has, and those of them that a run at this place can win. */
unsigned stars_of(const struct exercise *e);
unsigned stars_at(const struct exercise *e, enum place place);

/* Writes "*.*": for each possible star, in order, whether it is won. */
void stars_draw(unsigned won, unsigned possible, char text[STARS + 1]);

/* Writes "right+speed", or "-" for none. */
void stars_write(unsigned won, char text[STARS_WORDS]);

/* Reads what stars_write writes, or a count, as in older files: that many stars, in order.  Returns false for
   other text. */
bool stars_read(const char *text, unsigned *won);

/* Writes a line for each star that is missing after a run at this place, and how to win it. */
void stars_missing(const struct exercise *e, enum place place, unsigned won, char *text, size_t room);

#endif
