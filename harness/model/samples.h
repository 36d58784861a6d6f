/* The phases of a call that are timed, and the times of one block. */
#ifndef RUNGS_SAMPLES_H
#define RUNGS_SAMPLES_H

enum { MAX_SAMPLES = 32 };

enum phase {
    PHASE_E2E,      /* upload, run and download together, by the host's clock */
    PHASE_RUN,      /* by the device's clock: data on the device, and in its cache if they fit */
    PHASE_COLD,     /* the same, with none of the data in the cache */
    PHASE_UPLOAD,   /* by the device's clock */
    PHASE_DOWNLOAD, /* by the device's clock */
    PHASES
};

extern const char *const phase_names[PHASES]; /* their names in records: "e2e", "run", ... */

/* The samples of one block. */
struct samples {
    unsigned count;
    unsigned long runs; /* averaged in each time of PHASE_RUN */
    double time[PHASES][MAX_SAMPLES]; /* seconds for one cycle; NaN: no such phase, or it was not
                                         measured */
};

#endif
