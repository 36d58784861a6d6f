/*
 * A variant in another language, as the harness sees it: what librungs-worker.so offers.
 *
 * An interpreter loads the library, and hands it one function a phase: rungs_serve() then does what the
 * harness asks until the process ends.  Sampler and clock are the same C code for every language.
 * common/python/rungs.py is such a launcher.  docs/other-languages.md says how to write another.
 */
#ifndef RUNGS_FOREIGN_H
#define RUNGS_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RUNGS_ABI = 3 };

/* Where run works. */
enum {
    RUNGS_CPU,
    RUNGS_GPU,       /* in CUDA's primary contexts, for whose work the harness waits before it reads its clock */
    RUNGS_GPU_STREAM /* on CUDA's default stream: events may time it */
};

/*
 * Phases that are objects of an interpreter, each called without an argument: a call through the interpreter's own
 * functions costs half of one through a function that was made of an object.  NULL: no such phase.
 */
struct rungs_objects {
    int (*enter)(void);           /* takes the interpreter's lock; Python's PyGILState_Ensure */
    void (*leave)(int entered);   /* PyGILState_Release */
    void *(*call)(void *object);  /* PyObject_CallNoArgs; never returns NULL, because the object ends the process first */
    void (*drop)(void *returned); /* Py_DecRef */
    void *refresh;                /* called before a phase where scalars of the case may have changed */
    void *upload, *reset, *run, *download;
};

/* All but run may be NULL.  `problem` is the address of the case, which rungs_case() describes. */
struct rungs_phases {
    uint32_t abi, bytes; /* RUNGS_ABI, and sizeof this struct */
    uint32_t device;     /* RUNGS_CPU ... */
    const char *(*refuse)(const void *problem); /* why not these sizes; NULL: it can */
    void (*prepare)(const void *problem);
    void (*upload)(const void *problem);
    void (*reset)(const void *problem);
    void (*run)(const void *problem);
    void (*download)(const void *problem);
    void (*release)(void);
    const struct rungs_objects *objects; /* in place of upload, reset, run and download; NULL: none */
};

/* Does what the harness asks of the variant `name` ("saxpy/py_numpy"), which may have `memory` bytes of its own
   (0: no limit).  Never returns. */
RUNGS_EXPORT void rungs_serve(const char *name, size_t memory, const struct rungs_phases *phases);

/* Returns the open case as JSON (harness/model/members.h); "": the problem does not describe it. */
RUNGS_EXPORT const char *rungs_case(void);

/* Why a process ends: exit statuses, which the harness reads. */
enum {
    RUNGS_FAILED = 1,          /* an exception of the variant */
    RUNGS_WROTE_INPUT = 120,   /* the variant assigned to an input */
    RUNGS_NOT_INSTALLED = 121, /* a package is missing, or does not load */
    RUNGS_NOT_ITS_CARD = 122,  /* the file is not what its card says, e.g. has no run */
    RUNGS_NO_DEVICE_MEMORY = 123,
    RUNGS_NO_MEMORY = 124
};

/* Writes the reason to standard error, and ends the process at once: no exit handler of a runtime can hang. */
RUNGS_EXPORT void rungs_leave(int status, const char *reason);

#ifdef __cplusplus
}
#endif
#endif
