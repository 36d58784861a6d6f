/* Mistakes that the text shows by itself, of a program whose results are wrong. */
#ifndef RUNGS_LAB_WORDING_H
#define RUNGS_LAB_WORDING_H

#include "workshop/lab/mistake.h"
#include "workshop/lab/token.h"

/* Looks for one of them in the text without its comments, and puts its facts before those that were found. */
void wording_look(const char *text, struct mistake *m);

/* Each adds the facts of one, and returns false if there is none: two arguments that are exchanged, a line whose indentation says more
   than its brackets, a loop from below 0 of a number that has no sign, a pointer that a function sets for itself only, a number of
   thread 0 that a shuffle hands on to one warp, images that take turns by a number that does not, and a thread that leaves its loop with the first element of a kind. */
bool wording_arguments(const struct tokens *t, struct mistake *m);
bool wording_indent(const struct tokens *t, struct mistake *m);
bool wording_sign(const struct tokens *t, struct mistake *m);
bool wording_own_copy(const struct tokens *t, struct mistake *m);
bool wording_handed_on(const struct tokens *t, struct mistake *m);
bool wording_parity(const struct tokens *t, struct mistake *m);
bool wording_leaves_loop(const struct tokens *t, struct mistake *m);

/* --- reading tokens --------------------------------------------------------------------------- */

/* Prints a token with "%.*s". */
#define WORDING_TEXT(t, i) (int)((t)->list[i].end - (t)->list[i].at), (t)->text + (t)->list[i].at

/* A function that the file defines: its name, the brackets of its parameters and of its body, as tokens. */
struct function {
    size_t name, open, close, begin, end;
};

/* Finds the next function whose name is token `from` or one behind it.  Returns false if there is none. */
bool wording_function(const struct tokens *t, size_t from, struct function *f);

/* Returns the token that ends the argument or parameter which begins at i: a comma, or the bracket that closes the list. */
size_t wording_argument_end(const struct tokens *t, size_t i);

#endif
