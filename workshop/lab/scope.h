/* Where a variable of a C source was declared: in a block, outside of all functions, or as static. */
#ifndef RUNGS_LAB_SCOPE_H
#define RUNGS_LAB_SCOPE_H

#include "workshop/lab/token.h"

/* Returns the token that declares the name at i, as it is seen there; 0: none is known. */
size_t scope_declared(const struct tokens *t, size_t i);

/* Returns whether the declaration of the name at i has this word before it: "static". */
bool scope_has(const struct tokens *t, size_t i, const char *word);

/* Returns whether the token stands outside of all functions. */
bool scope_is_outside(const struct tokens *t, size_t i);

/* Returns where the body of the function of this name (token i) begins: at its "{"; 0: this file has no such function. */
size_t scope_body(const struct tokens *t, size_t i);

#endif
