#include "harness/worker/sample.h"

#include <math.h>

#include "harness/base/clock.h"
#include "harness/worker/verify.h"

/* A GPU's events have a resolution of half a microsecond, which is 0.3 % of this interval. */
static const double DEVICE_SAMPLE_TIME = 200e-6;
/* A run this long depends neither on the contents of the cache nor on how it was launched. */
static const double LONG_RUN = 10e-3;
static const double LONGEST_LEAD = 1e-3;

/* --- the variant's phases ------------------------------------------------------------------------ */

void stage_do(const struct stage *s, enum activity which, void (*function)(const void *))
{
    if (function == NULL)
        return;
    s->ledger->activity = which;
    if (s->device->enter != NULL)
        s->device->enter(activity_names[which]);
    function(s->problem);
    if (s->device->leave != NULL)
        s->device->leave();
    s->ledger->activity = IN_HARNESS;
}

static void run(const struct stage *s, unsigned long times)
{
    for (unsigned long i = 0; i < times; i++)
        stage_do(s, IN_RUN, s->variant->run);
}

static void upload_run_download(const struct stage *s)
{
    stage_do(s, IN_UPLOAD, s->variant->upload);
    stage_do(s, IN_RUN, s->variant->run);
    stage_do(s, IN_DOWNLOAD, s->variant->download);
    s->device->sync();
}

/* Returns whether a cycle consumes what no upload restores. */
static bool needs_reset(const struct stage *s)
{
    return s->variant->reset != NULL && s->variant->upload == NULL;
}

static void reset_whole(const struct stage *s)
{
    if (!needs_reset(s))
        return;
    stage_do(s, IN_RESET, s->variant->reset);
    s->device->sync();
}

void stage_cycle(const struct stage *s)
{
    reset_whole(s);
    upload_run_download(s);
}

unsigned long stage_again(const struct stage *s)
{
    if (s->variant->upload == NULL)
        return 0;
    stage_do(s, IN_RESET, s->variant->reset);
    stage_do(s, IN_RUN, s->variant->run);
    stage_do(s, IN_DOWNLOAD, s->variant->download);
    s->device->sync();
    return 1;
}

void stage_copies(const struct stage *s)
{
    stage_do(s, IN_UPLOAD, s->variant->upload);
    stage_do(s, IN_DOWNLOAD, s->variant->download);
    s->device->sync();
}

/* --- end to end, by the host's clock ---------------------------------------------------------- */

/* Returns the seconds of this many cycles; if each must be reset first, there is only one.  `last`:
   when the last cycle began. */
static double time_cycles(const struct stage *s, unsigned long reps, double *last)
{
    reset_whole(s);
    double start = clock_now();

    for (unsigned long r = 1; r < reps; r++)
        upload_run_download(s);
    *last = reps > 1 ? clock_now() : start;
    upload_run_download(s);
    return clock_now() - start;
}

/* --- phases, by the device's clock ------------------------------------------------------------ */

/* How a run by itself is timed; calibrated before the first block of a case. */
static struct {
    bool known;
    bool once;          /* one run is long enough to be timed alone */
    unsigned long runs; /* one after another between two stamps */
    double lead;        /* seconds that the device is kept busy while they are queued */
} resident;

enum { UPLOAD_BEGINS, UPLOAD_ENDS, HOT_BEGINS, HOT_ENDS, COLD_BEGINS, COLD_ENDS, DOWNLOAD_BEGINS,
       DOWNLOAD_ENDS };

/* Restores what the last run has consumed. */
static void reset_run(const struct stage *s)
{
    stage_do(s, IN_RESET, s->variant->reset);
}

/* Stamps before and after the runs, all of which are queued when the first one begins. */
static void stamp_runs(const struct stage *s, int begins, int ends, unsigned long times)
{
    if (s->device->lead != NULL && !resident.once)
        s->device->lead(resident.lead);
    s->device->mark(begins);
    run(s, times);
    s->device->mark(ends);
}

static void time_phases(const struct stage *s, struct samples *out, unsigned i)
{
    const struct device *d = s->device;
    const bool cold = !resident.once && d->evict != NULL;

    d->mark(UPLOAD_BEGINS);
    stage_do(s, IN_UPLOAD, s->variant->upload);
    d->mark(UPLOAD_ENDS);
    if (!resident.once) {
        run(s, 1); /* so that the first timed run has the same start as the later ones */
        d->sync();
        reset_run(s);
    }
    stamp_runs(s, HOT_BEGINS, HOT_ENDS, resident.runs);
    if (cold) {
        reset_run(s); /* before the cache is emptied, because it may fill the cache */
        d->evict();
        d->sync();
        stamp_runs(s, COLD_BEGINS, COLD_ENDS, 1);
    }
    d->mark(DOWNLOAD_BEGINS);
    stage_do(s, IN_DOWNLOAD, s->variant->download);
    d->mark(DOWNLOAD_ENDS);
    d->sync();
    out->time[PHASE_RUN][i] = d->seconds(HOT_BEGINS, HOT_ENDS) / (double)resident.runs;
    if (cold)
        out->time[PHASE_COLD][i] = d->seconds(COLD_BEGINS, COLD_ENDS);
    if (s->variant->upload != NULL)
        out->time[PHASE_UPLOAD][i] = d->seconds(UPLOAD_BEGINS, UPLOAD_ENDS);
    if (s->variant->download != NULL)
        out->time[PHASE_DOWNLOAD][i] = d->seconds(DOWNLOAD_BEGINS, DOWNLOAD_ENDS);
}

static bool has_phases(const struct stage *s)
{
    return s->variant->upload != NULL || s->variant->download != NULL;
}

/* Finds how many runs make an interval that the device's clock resolves, and how long the host takes
   to launch them. */
static void calibrate_runs(const struct stage *s)
{
    double took = INFINITY;

    stage_do(s, IN_UPLOAD, s->variant->upload);
    resident.runs = 1;
    resident.lead = 0.0;
    for (int turn = 0; turn < 4; turn++) {
        s->device->sync();
        if (turn > 0)
            reset_run(s);
        double start = clock_now();
        stamp_runs(s, HOT_BEGINS, HOT_ENDS, resident.runs);
        double enqueued = clock_now() - start;
        s->device->sync();
        took = fmin(took, s->device->seconds(HOT_BEGINS, HOT_ENDS) / (double)resident.runs);
        if (took >= LONG_RUN && (turn > 0 || s->foreign == NULL))
            break;
        if (took >= LONG_RUN) /* another language's runtime makes room in the first run */
            continue;
        resident.once = false;
        resident.lead = fmin(2.0 * enqueued + 20e-6, LONGEST_LEAD);
        if (took < DEVICE_SAMPLE_TIME && s->variant->reset == NULL)
            resident.runs = (unsigned long)(DEVICE_SAMPLE_TIME / fmax(took, 1e-6)) + 1;
    }
    stage_do(s, IN_DOWNLOAD, s->variant->download); /* completes the cycle, so that the next upload
                                                       starts from the usual state */
    s->device->sync();
    resident.known = true;
}

static bool verified; /* the phases of the open case */

/* The first stamps come before the calibration: if they are too near each other, runs would be repeated for very long. */
static bool calibrate_and_verify(const struct stage *s, struct reply *a)
{
    if (!verified && s->foreign != NULL && !verify_stamps(s, 1, a))
        return false;
    calibrate_runs(s);
    if (!verified && s->foreign != NULL && (!verify_stamps(s, resident.runs, a) || !verify_end_of_run(s, a)))
        return false;
    verified = true;
    return true;
}

void sample_open(void)
{
    verified = false;
}

void sample_begin(void)
{
    resident.once = true;
    resident.known = false;
}

/* --- requests --------------------------------------------------------------------------------- */

/* Phases and the whole cycle are timed in separate calls, in turn, because stamps take time
   themselves. */
void sample_block(const struct stage *s, const struct request *q, struct reply *a)
{
    double begun = clock_now(), sampled = 0.0;
    unsigned i;

    if (q->settle)
        a->first = time_cycles(s, 1, &a->last_call);
    if (has_phases(s) && !resident.known && q->samples > 0 && !calibrate_and_verify(s, a))
        return;
    double start = clock_now();

    for (i = 0; i < q->samples && (i == 0 || clock_now() - start < q->seconds); i++) {
        for (int phase = 0; phase < PHASES; phase++)
            a->samples.time[phase][i] = NAN;
        if (has_phases(s))
            time_phases(s, &a->samples, i);
        const double took = time_cycles(s, q->reps, &a->last_call);
        a->samples.time[PHASE_E2E][i] = took / (double)q->reps;
        sampled += took;
    }
    a->samples.count = i;
    a->samples.runs = resident.runs;
    if (has_phases(s) || needs_reset(s))
        a->beside = clock_now() - begun - a->first - sampled;
}

/* Runs until the time is up.  Meanwhile it increases the number of cycles in a sample, at most tenfold
   in one step, until a sample is long enough twice in a row at the best rate seen.  The best rate
   counts because an interrupted sample only seems long, and samples of different lengths cannot be
   compared. */
void sample_warm(const struct stage *s, const struct request *q, struct reply *a)
{
    double start = clock_now(), best = INFINITY, last;
    unsigned long reps = 1;
    int long_enough = 0, calls = 0;

    do {
        best = fmin(best, time_cycles(s, reps, &last) / (double)reps);
        calls++;
        if (best * (double)reps >= q->target || needs_reset(s)) {
            long_enough++;
        } else {
            double factor = best > 0.0 ? 1.2 * q->target / (best * (double)reps) : 10.0;
            reps = (unsigned long)((double)reps * (factor < 10.0 ? factor : 10.0)) + 1;
            long_enough = 0;
        }
    } while (long_enough < 2 || ((calls < 3 || clock_now() - start < q->seconds) &&
                                 clock_now() - start < 10.0 * q->seconds));
    a->seconds = best;
    a->reps = reps;
}
