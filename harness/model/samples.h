/* What is timed of a variant, and the times that one turn of it brings. */
#ifndef RUNGS_SAMPLES_H
#define RUNGS_SAMPLES_H

enum { MAX_SAMPLES = 32 };

enum phase {
    PHASE_E2E,      /* upload, run and download together, by the host's clock */
    PHASE_RUN,      /* by the device's clock: data on the device, and in its cache if they fit */
    PHASE_COLD,     /* the same with nothing in the cache */
    PHASE_UPLOAD,   /* by the device's clock */
    PHASE_DOWNLOAD, /* likewise */
    PHASES
};

extern const char *const phase_names[PHASES]; /* as in records: "e2e", "run", ... */

/* One block. */
struct samples {
    unsigned count;
    unsigned long runs; /* behind each figure of PHASE_RUN */
    double time[PHASES][MAX_SAMPLES]; /* seconds a cycle; NaN: it has no such phase, or it was not
                                         worth the while */
};

#endif
