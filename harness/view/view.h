/*
 * Pictures of a kernel's memory accesses, from the simulator's trace (docs/simulator.md): a warp over memory, two
 * threads in a race, threads that wait, copies and kernels in streams.
 *
 * The trace becomes one document, from which both the terminal's picture and the page are drawn:
 *
 *     {"title": "stencil/cuda_naive  rows=64 ...",
 *      "mistake": {"text": "...", "at": "FILE:LINE", "block": [x,y,z], "shape": [x,y,z], "thread": N,
 *                  "race": {...}}, or null,
 *      "access": the access that is the mistake, as a request; or null,
 *      "threads": the last accesses of the threads of a race,
 *      "waits": where each thread of the block waits, or null,
 *      "kernels": [{"kernel": ..., "lines": the counters of each source line, "metrics": those of the kernel,
 *                   "warp": {...}, "steps": [the requests of this warp]}],
 *      "works": the copies and kernels of each phase,
 *      "host": of a program without kernels, in place of the others: for each array in which turn of which thread each element
 *              is used, [{"name": "z", "bytes": 4, "written": true, "turns": [N, ...], "threads": [N, ...]}], -1: never,
 *      "sources": {"FILE:LINE": "the line"}}
 *
 * An access has "in_bytes": true if places in its array are said in bytes, and not in elements.
 */
#ifndef RUNGS_VIEW_H
#define RUNGS_VIEW_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "harness/base/error.h"

/* Reads a trace.  NULL with an error: it holds nothing that can be drawn. */
json_t *view_read(const char *trace, const char *title, struct error *error);

/* Returns the index of the step to begin with: of the line with most to gain. */
size_t view_first_step(const json_t *kernel);

/* Is there anything to draw: a step, an access, threads, streams?  A mistake of the host has none. */
bool view_has_steps(const json_t *document);

/* Draws the mistake, or the costliest access of each kernel, with letters. */
void view_text(FILE *out, const json_t *document);

/* Writes the page; an older file of this name is replaced. */
bool view_page(const char *file, const json_t *document, struct error *error);

/* --- for the drawing files -------------------------------------------------------------------- */

/* source.c: finds a line of the source; "": it cannot be read.  `place`: "FILE:LINE". */
void source_line(const char *place, char *text, size_t bytes);
/* Finds the name of the array that a line allocates: "z", of "cudaMalloc(&d->z, n)"; "": unknown. */
void source_array(const char *line, char *name, size_t bytes);

const char *view_word(const json_t *object, const char *name); /* "": none */
long long view_number(const json_t *object, const char *name);
long long view_at(const json_t *list, size_t i);

#endif
