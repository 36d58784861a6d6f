/* The name of a seat, under which a learner's progress lies in the folder that all seats share. */
#ifndef RUNGS_SEAT_H
#define RUNGS_SEAT_H

#include <stdbool.h>

enum { SEAT_ROOM = 64 };

/* Writes the name of this seat: RUNGS_SEAT; or what FOLDER/seats has for USER@HOST, USER or HOST; or USER-HOST.  It names
   files, so other characters than letters of any alphabet, digits, - and _ become -. */
void seat_name(const char *folder, char name[SEAT_ROOM]);

/* Copies the name of the next seat in FOLDER/seats from line *line on, and moves *line behind it.  Returns false at the
   end, or if there is no such file. */
bool seat_listed(const char *folder, int *line, char name[SEAT_ROOM]);

#endif
