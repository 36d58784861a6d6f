/* How far apart two words are, for "did you mean". */
#ifndef RUNGS_NEAREST_H
#define RUNGS_NEAREST_H

/* Letters to insert, delete or replace to make one of the other (V. Levenshtein, 1966).  Words
   longer than 127 letters are compared up to there. */
unsigned edit_distance(const char *a, const char *b);

#endif
