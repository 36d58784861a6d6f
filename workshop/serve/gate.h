/*
 * Which requests are let in.  The learner's programs run as the user who has started the server, so a request must
 * show the token, and must come from this server's own page.
 */
#ifndef RUNGS_GATE_H
#define RUNGS_GATE_H

#include <stdbool.h>

#include "harness/base/error.h"

enum { TOKEN_DIGITS = 32 }; /* hexadecimal: 128 random bits */

/* Makes a token.  Returns false with an error if the kernel has no random numbers. */
bool gate_make_token(char token[TOKEN_DIGITS + 1], struct error *error);

/* Returns what follows "/TOKEN/" in the path of a request, or NULL if the token is another one.  The time it takes does
   not depend on where the two differ. */
const char *gate_behind_token(const char *path, const char *token);

/* Returns whether a Host header names this server: localhost, an address of this machine or, if the server is `open` to
   the network, any numeric address or its own name.  A page of another site that has changed the address of its name to
   ours (DNS rebinding) still sends its own name. */
bool gate_host(const char *host, bool open, const char *own_name);

/* Returns whether an Origin header, if there is one, is the site that the Host header names.  A browser sends it with
   every request that changes something. */
bool gate_origin(const char *origin, const char *host);

#endif
