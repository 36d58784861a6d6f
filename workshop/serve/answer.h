/* Answers a request that was let in: finds its route, and sends a file of the page or what a command says. */
#ifndef RUNGS_SERVE_ANSWER_H
#define RUNGS_SERVE_ANSWER_H

#include <microhttpd.h>
#include <stddef.h>

enum { MOST_BODY = 1 << 18 }; /* bytes of a learner's file */

/* A request: what stands behind the token in its path, and its body. */
struct request_in {
    const char *method, *path;
    char *body; /* grows up to MOST_BODY; the caller frees it */
    size_t bytes;
};

enum MHD_Result answer(struct MHD_Connection *connection, const struct request_in *r);

/* Sends one line of text with this status. */
enum MHD_Result answer_line(struct MHD_Connection *connection, unsigned status, const char *line);

#endif
