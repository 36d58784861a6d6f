/*
 * How long a run takes with more ranks than were measured: the scaling formula, checked.
 *
 *     T(P) = S * share(P) + messages(P) * alpha + bytes(P) / beta
 *
 * and log2(P) * (2 alpha + 1 KiB / beta) for the order that starts a run on all ranks and the barrier that ends it.
 *
 * S is the run with one rank.  share, messages and bytes are those of the variant's pattern (harness/records/traffic.h),
 * alpha and beta those of the network (rungs ceilings --ranks 2).  A curve is strong scaling, of one size, or weak
 * scaling, where P ranks have P times the size along its first axis.
 *
 * At each measured number of ranks the formula is compared with the measured time.  If it is off by more than 25 % at any,
 * the curve is refused: it has measured points only.
 */
#ifndef RUNGS_FORECAST_H
#define RUNGS_FORECAST_H

#include "harness/records/records.h"

/* The network between ranks. */
struct network {
    double alpha;          /* seconds that a message takes, however short */
    double beta;           /* bytes a second, each way */
    double alpha_width, beta_width; /* of their 95 % intervals, as shares of them; INFINITY: too few rounds; 0: given */
    struct rank_facts mpi; /* how it was measured; hosts 0: it was not, the user gave both numbers */
};

/* Finds them in a file of rungs ceilings --ranks.  False: it does not have both. */
bool network_find(const struct records *p, struct network *n);

/* Reads "alpha=1.5us,beta=12.5GB". */
bool network_parse(const char *text, struct network *n, struct error *error);

struct forecast_point {
    int ranks;
    double measured; /* seconds; NaN: it is extrapolated */
    double formula;
    double work, wait; /* its two terms: the busiest rank's arithmetic; messages */
};

enum { FORECAST_POINTS = 64, FORECAST_MOST = 4096 };

struct forecast {
    const struct records *of;
    const struct result *base; /* with one rank */
    bool weak;
    size_t count;
    struct forecast_point points[FORECAST_POINTS]; /* by ranks */
    double worst;      /* the largest share by which the formula is off; NaN: it was not compared */
    int worst_at;      /* with so many ranks */
    bool accepted;
    char reason[160];  /* why it is refused */
    int ends;          /* strong, accepted: from so many ranks on, half the time needs more than four times the ranks; 0: not
                          up to the last point */
    int last;          /* accepted: the formula holds up to so many ranks, as far as it was asked for */
    int waits;         /* accepted: from so many ranks on, messages take longer than the arithmetic; 0: not up to there */
};

/* The share by which the formula may be off at measured ranks. */
extern const double FORECAST_OFF;

/* Makes the curve of `base`, one of the results of a file.  `most`: the largest number of ranks. */
void forecast_make(struct forecast *f, const struct records *p, const struct result *base, bool weak,
                   const struct network *n, int most);

/* Returns whether a result begins a curve: of a variant by MPI, with one rank, timed.  Of weak scaling: and measured
   with more ranks at sizes as many times as large. */
bool forecast_begins(const struct records *p, const struct result *r, bool weak);

/* Returns how many times faster than with one rank a point is, weak: times the ranks.  From measured times where there
   are any. */
double forecast_speedup(const struct forecast *f, const struct forecast_point *at);

#endif
