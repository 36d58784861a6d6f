/* The files that draw with letters. */
#ifndef RUNGS_VIEW_TEXT_H
#define RUNGS_VIEW_TEXT_H

#include "harness/view/view.h"

/* Draws one request of a warp over memory. */
void text_request(FILE *out, const json_t *document, const json_t *kernel, const json_t *request);

/* Draws copies and kernels, a row for each stream; nothing if all are in one stream. */
void text_streams(FILE *out, const json_t *document);

#endif
