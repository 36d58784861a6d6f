/* EXERCISE
title: Measure it
problem: saxpy
concept: what lies between two time stamps
minutes: 30
story:
  The program below has a benchmark of its own. It says how many bytes a second a device moves, and how many the processor
  moves, when they compute z = a*x + y. Its figures are wrong. On two cores, it may say that a loop over a million elements
  takes no time.

  The device is a thread here, so that this works on any machine, and it behaves as a GPU does: it has memory of its own,
  start() only queues the work and returns at once, and the first start of all makes the device ready, which takes long. Now and then
  a call takes far longer than the others, as on a real machine, on which other programs run.
task:
  Mend device_seconds, host_seconds and bytes_moved, until their figures agree with those of the lab. It measures the same
  things, and says how far apart you are.
  - device_seconds: the time of one z = a*x + y on the device, alone, once the program is running: the least of CALLS times,
  each with two stamps of its own, because whatever else runs on the machine only adds to a time. A single time, or a mean, may have a
  late call in it.
  - host_seconds: the time of the same loop on the processor. Compilers do not compute what nothing uses.
  - bytes_moved: the bytes that must be read and written for n elements.
now: three figures, and none of them is right
goal: both times within a factor of 2 of the lab's, and the bytes exact
why: machines are never quite quiet, so two times that agree better than that are luck
sizes: 0 1 31 257 4096 10007
count: 1048576
figure device_seconds: run within 2 | The lab times start() and wait_for_device() together, many times, with the data on the device. Yours should be the same.
figure bytes_moved: 12 each | For each element, x and y are read and z is written: 3 floats of 4 bytes.
figure host_seconds: saxpy/cpu_naive within 2 | The lab times the variant saxpy/cpu_naive, whose loop is the same.
clue: without float z[ | float *z | timed-too-much | The file has no array z of the processor's any more. Is the loop between the two stamps z[i] = a * x[i] + y[i]? A sum of these values takes longer, because each addition waits for the one before.
starter: timed-too-much
hint 1:
  What has happened when start() returns? What does each function do that is called between the two stamps, and is all of it
  the work?
hint 2:
  device_seconds: which call returns only when the device is done? Which calls belong before the first stamp? What is special
  about the first start? host_seconds: who reads z?
hint 3:
  copy x and y to the device
  start once, and wait: this is not timed
  CALLS times: first stamp; start, and wait; second stamp; keep the least difference
  for the processor: after the second stamp, put some element of z into `seen`, which the compiler must keep
say timed-too-little: without contents |
  The work needs its data. put() copies them to the device, before the first stamp.
say timed-too-little: exactly 0 |
  With which value does the search for the least begin? 0 is less than any time: begin with INFINITY.
say timed-too-little: negative |
  The time between two stamps is the second minus the first: end - begin.
say timed-too-much: a rate |
  The function returns the seconds between two stamps. The report divides bytes by them.
say timed-too-little: nothing waits |
  start() only queues. Which call waits until the device is done? It belongs before the second stamp.
say timed-too-little: nothing reads z |
  The compiler has left the loop out: it takes no time because it is not there. Use a result, behind the second stamp: `seen` is
  volatile, so what is written there must be computed.
say timed-too-little: has left the loop out |
  A compiler does not compute what nothing comes of. A variable that is only cast to (void), or never used, is no use of z. Put an element of z
  into `seen` behind the second stamp: it is volatile, so what is written there must be computed.
say timed-too-little: neither a loop nor a call |
  First stamp, then the loop that computes z, then the second stamp.
say timed-too-little: start() was given |
  A call of start() computes as many elements as it is told. It should be all of them.
say timed-too-little: divided by |
  How many calls lie between the two stamps of that pair? If it is one, its time is divided by nothing.
say timed-too-little: host_seconds |
  Do the stamps stand around the whole loop, and does it compute all n elements? Is z used behind the second stamp, or has the
  compiler left a part of the loop out? Is the time divided by more calls than the two stamps have between them?
say timed-too-little:
  Is all of the work between the stamps, n elements? Is the time that of one call? A second is a second: not a millisecond,
  and not divided by more calls than were made.
say timed-too-much: copies |
  Copies to and from the device are not the work. They belong before the first stamp, or behind the second.
say timed-too-much: seconds? |
  The figure is in seconds, as now() is.
say timed-too-much: sum of their times |
  What has to be returned is the time of one call: the least of these times, or their sum divided by their number.
say timed-too-much: the mean of |
  Now and then a call takes far longer, and a mean has these calls in it. So time each call by itself, and keep the least time.
say timed-too-much: no other time |
  Now and then a call takes far longer, and a single time may be that of such a call. Time CALLS calls, and keep the least time.
say timed-too-much: it is the time of pair |
  Now and then a call takes far longer, and that may be any of them. So compare all times, and keep the least.
say timed-too-much: infinite |
  The search must keep the smaller one of what it has and the time of the pair: fmin(), or if (seconds < least) least = seconds. It
  returns what it has kept.
say timed-too-much: greatest |
  Other programs make single times longer, and none makes one shorter. So keep the least one: begin with INFINITY, and take fmin().
say timed-too-much: a loop in a loop |
  The figure is the time of one call: the stamps stand around one, inside of the loop over the calls. Or the time is divided by their number.
say timed-too-much: the work is only one of them |
  Only the loop that computes z belongs between the stamps. The others stand before the first one, or behind the second.
say timed-too-much: this as well |
  Only the work belongs between the stamps: the rest stands before the first one, or behind the second.
say timed-too-much: host_seconds |
  What else lies between the two stamps: malloc, filling the arrays, a print? Is the time that of one loop?
say timed-too-much:
  Is it the time of one call, and the least of CALLS? If several calls lie between two stamps, divide by their number. Other
  programs make single times longer.
say no-warm-up:
  The first start makes the device ready. A program does that once, so it should not be in a time that stands for each call.
say no-figure:
  report() prints the three figures. Leave it as it is, and let each function return a number.
say wrong-bytes: 3 numbers of 8 bytes |
  Of which type are x, y and z, and of which is what sizeof is asked for?
say wrong-bytes: fewer |
  Go through the formula: which arrays are read, which are written, and how many bytes has a float?
say wrong-bytes:
  Each array is moved once. For n elements, not for a second: the report divides by the time.
wrong no_wait: timed-too-little | What has happened when start() returns?
wrong waits_late: timed-too-little | When was the second stamp taken?
wrong copies_inside: timed-too-much | What does a copy to the device have to do with the work?
wrong cold: no-warm-up | What does the first start do that others do not?
wrong sum: timed-too-much | How many calls are between the stamps?
wrong sum_of_pairs: timed-too-much | The time of how many calls is that?
wrong mean: timed-too-much | Which of the times are in a mean?
wrong first: timed-too-much | Which of the times may be that of a late call?
wrong mean_of_one_pair: timed-too-much | What does a late call do to the time of all calls together?
wrong void_only: timed-too-little | Does anything come of a variable that is cast to void?
wrong around_nothing: timed-too-little | What lies between the two stamps?
wrong never_less: timed-too-much | Which of two is kept, INFINITY or a time?
wrong a_third: timed-too-little | How many elements does the device compute?
wrong milliseconds: timed-too-much | How many seconds is that?
wrong doubles: wrong-bytes | How many bytes has a float?
wrong removed: timed-too-little | Who reads z?
wrong sums_inside: timed-too-much | What is computed between the stamps, and what is asked for?
wrong fills_inside: timed-too-much | What else is between the stamps?
wrong two_arrays: wrong-bytes | Which arrays does the formula need?
wrong elements: wrong-bytes | How many bytes has a float?
wrong per_second: wrong-bytes | Of what is the function the number of bytes?
extra:
  Measure ten times, and print the least, the median and the largest time. Start something else meanwhile. Which of the three
  would you publish, and what would you say with it?
discuss:
  "Our GPU version is 500 times as fast." Which questions does a reader have to ask, now that you have seen this file?
*/
/*
 * 26 Measure it: a benchmark of z = a*x + y on a device, to be mended.
 */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/saxpy.h"
#include "common/variant.h"

enum { CALLS = 20, MOST = 1 << 20 /* elements, of the benchmark */ };

static float *d_x, *d_y, *d_z; /* in the device's memory */

static double now(void);                                /* the time, in seconds; two calls are a pair of stamps */
static void put(float *to, const float *from, size_t n); /* copies n floats to the device's memory */
static void start(size_t n, float a);                   /* queues d_z = a*d_x + d_y on the device */
static void wait_for_device(void);                      /* returns when all that was queued is done */

static float z[MOST];       /* the processor's result */
static volatile float seen; /* what is written here must be computed */

/* Returns the seconds of one d_z = a*d_x + d_y on the device: the least of CALLS. */
static double device_seconds(size_t n, float a, const float *x, const float *y)
{
#if STARTER
    double begin = now();
    put(d_x, x, n);
    put(d_y, y, n);
    start(n, a);
    double end = now();

    return end - begin;
}
#elif WRONG_sum
    put(d_x, x, n);
    put(d_y, y, n);
    start(n, a);
    wait_for_device();
    double begin = now();
    for (int call = 0; call < CALLS; call++) {
        start(n, a);
        wait_for_device();
    }
    double end = now();

    return end - begin;
}
#elif WRONG_mean_of_one_pair
    put(d_x, x, n);
    put(d_y, y, n);
    start(n, a);
    wait_for_device();
    double begin = now();
    for (int call = 0; call < CALLS; call++) {
        start(n, a);
        wait_for_device();
    }
    double end = now();

    return (end - begin) / CALLS;
}
#elif WRONG_cold
    put(d_x, x, n);
    put(d_y, y, n);
    double begin = now();
    for (int call = 0; call < CALLS; call++) {
        start(n, a);
        wait_for_device();
    }
    double end = now();

    return (end - begin) / CALLS;
}
#elif WRONG_sum_of_pairs || WRONG_mean
    double least = 0;

#else
    double least = INFINITY;

#endif
#if STARTER || WRONG_sum || WRONG_cold || WRONG_mean_of_one_pair
#elif WRONG_copies_inside
    start(n, a);
    wait_for_device();
#else
    put(d_x, x, n);
    put(d_y, y, n);
    start(n, a);
    wait_for_device(); /* the first start, which makes the device ready, is not timed */
#endif
#if STARTER || WRONG_sum || WRONG_cold || WRONG_mean_of_one_pair
#else
    for (int call = 0; call < CALLS; call++) {
        double begin = now();
#endif
#if STARTER || WRONG_sum || WRONG_cold || WRONG_mean_of_one_pair
#elif WRONG_no_wait
        start(n, a);
        double end = now();
        least = fmin(least, end - begin);
    }
    return least;
}
#elif WRONG_waits_late
        start(n, a);
        double end = now();
        wait_for_device();
        least = fmin(least, end - begin);
    }
    return least;
}
#elif WRONG_copies_inside
        put(d_x, x, n);
        put(d_y, y, n);
        start(n, a);
        wait_for_device();
        double end = now();
        least = fmin(least, end - begin);
    }
    return least;
}
#elif WRONG_sum_of_pairs
        start(n, a);
        wait_for_device();
        double end = now();
        least += end - begin;
    }
    return least;
}
#elif WRONG_mean
        start(n, a);
        wait_for_device();
        double end = now();
        least += (end - begin) / CALLS;
    }
    return least;
}
#elif WRONG_first
        start(n, a);
        wait_for_device();
        double end = now();
        least = call == 0 ? end - begin : least;
    }
    return least;
}
#elif WRONG_never_less
        start(n, a);
        wait_for_device();
        double end = now();
        least = fmax(least, end - begin);
    }
    return least;
}
#elif WRONG_a_third
        start(n / 3, a);
        wait_for_device();
        double end = now();
        least = fmin(least, end - begin);
    }
    return least;
}
#elif WRONG_milliseconds
        start(n, a);
        wait_for_device();
        double end = now();
        least = fmin(least, 1000 * (end - begin));
    }
    return least;
}
#else
        start(n, a);
        wait_for_device();
        double end = now();
        least = fmin(least, end - begin);
    }
    return least;
}
#endif

/* Returns the seconds of one z = a*x + y on the processor: the least of CALLS. */
static double host_seconds(size_t n, float a, const float *x, const float *y)
{
    double least = INFINITY;

    for (int call = 0; call < CALLS; call++) {
        double begin = now();
#if WRONG_fills_inside
        for (size_t i = 0; i < n; i++)
            z[i] = (float)(i % (size_t)(1000 + call));
        seen = z[n / 3];
#elif WRONG_around_nothing
        double end = now();
#endif
        for (size_t i = 0; i < n; i++)
            z[i] = a * x[i] + y[i];
#if WRONG_sums_inside
        float sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += z[i];
        seen = sum;
#endif
#if WRONG_around_nothing
#else
        double end = now();
#endif
        least = fmin(least, end - begin);
#if STARTER || WRONG_removed
#elif WRONG_void_only
        float result = z[n / 2];
        (void)result;
#else
        seen = z[n / 2];
#endif
    }
    return least;
}

/* Returns the bytes that must be read and written to compute n elements of z. */
static double bytes_moved(size_t n)
{
#if STARTER || WRONG_two_arrays
    return 8.0 * (double)n;
#elif WRONG_doubles
    return 3 * sizeof(double) * (double)n;
#elif WRONG_elements
    return 3.0 * (double)n;
#elif WRONG_per_second
    return 12.0 * (double)n * 1e-9;
#else
    return 12.0 * (double)n;
#endif
}

/* --- the rest: nothing to do here -------------------------------------------------------------- */

/* The device.  Its thread takes jobs from a queue. */
enum { QUEUE = 64, OWN_MEMORY = 128 << 20, LATE_EACH = 19 /* calls, of which two are late */, LATE_BY = 30, LATER_BY = 100 };

static struct {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct job {
        size_t n;
        float a;
    } job[QUEUE];
    unsigned long queued, done;
    bool end, ready;
    char *own; /* memory that it needs itself */
} device = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static double clock_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What was called, in its order, for a picture.  device.lock guards it. */
enum { MOST_CALLED = 160 };
static struct {
    struct called {
        char what; /* when these return: n, now; p, put; s, start; w, wait_for_device; and d: the device has done a job */
        double at;
    } list[MOST_CALLED];
    int count;
} called;

static void add_call(char what, double at)
{
    if (called.count < MOST_CALLED)
        called.list[called.count++] = (struct called){what, at};
}

/* Now and then a call takes LATE_BY or LATER_BY times as long: something else runs on the device. */
static void be_late(unsigned long call, double seconds)
{
    const unsigned long which = call % LATE_EACH;
    const double more = ((which == 8 ? LATER_BY : LATE_BY) - 1) * seconds;

    if (which == 1 || which == 8)
        nanosleep(&(struct timespec){(time_t)more, (long)(1e9 * (more - floor(more)))}, NULL);
}

static void *work(void *unused)
{
    pthread_mutex_lock(&device.lock);
    while (!device.end) {
        if (device.done == device.queued) {
            pthread_cond_wait(&device.changed, &device.lock);
            continue;
        }
        const struct job j = device.job[device.done % QUEUE];
        const unsigned long call = device.done;
        pthread_mutex_unlock(&device.lock);
        const double begin = clock_seconds();
        for (size_t i = 0; i < j.n; i++)
            d_z[i] = j.a * d_x[i] + d_y[i];
        be_late(call, clock_seconds() - begin);
        pthread_mutex_lock(&device.lock);
        device.done++;
        add_call('d', clock_seconds());
        pthread_cond_broadcast(&device.changed);
    }
    pthread_mutex_unlock(&device.lock);
    return unused;
}

/* What the stamps have seen. */
static struct {
    int stamps, starts, copies; /* copies since the last stamp */
    int puts;                   /* copies to the device so far */
    bool empty;                 /* something was started before x and y were there */
    bool cold;                  /* nothing was started before the last first stamp */
    bool early;                 /* a pair has begun while something ran */
    bool queued, late;          /* nothing has waited since the last start; something has, but behind the stamp */
    bool was_cold, was_busy;    /* a pair has had the first start in it; has ended before anything has waited */
    int copied;                 /* copies in a pair */
    int begun, several;         /* starts before the pair; most of them in one */
    double begin, pair[100];    /* the first stamp; the seconds of each pair */
    int pairs, first;           /* how many; which one has had the first start in it, from 1 */
    size_t elements;            /* of the last start */
} noted;

static double now(void)
{
    const double seconds = clock_seconds();

    pthread_mutex_lock(&device.lock);
    add_call('n', seconds);
    pthread_mutex_unlock(&device.lock);
    if (noted.stamps++ % 2 == 0) {
        noted.begin = seconds;
        noted.cold = noted.starts == 0;
        noted.early = noted.early || noted.queued;
        noted.begun = noted.starts;
    } else {
        if (noted.pairs < 100)
            noted.pair[noted.pairs++] = seconds - noted.begin;
        if (noted.cold && noted.starts > 0 && noted.first == 0)
            noted.first = noted.pairs;
        noted.was_cold = noted.was_cold || (noted.cold && noted.starts > 0);
        noted.was_busy = noted.was_busy || noted.queued;
        noted.copied += noted.copies;
        noted.several = noted.starts - noted.begun > noted.several ? noted.starts - noted.begun : noted.several;
    }
    noted.copies = 0;
    return seconds;
}

static void put(float *to, const float *from, size_t n)
{
    noted.copies++;
    noted.puts++;
    memcpy(to, from, n * sizeof *to);
    pthread_mutex_lock(&device.lock);
    add_call('p', clock_seconds());
    pthread_mutex_unlock(&device.lock);
}

static void wait_for_device(void)
{
    noted.late = noted.late || (noted.queued && noted.was_busy);
    noted.queued = false;
    pthread_mutex_lock(&device.lock);
    while (device.done < device.queued)
        pthread_cond_wait(&device.changed, &device.lock);
    add_call('w', clock_seconds());
    pthread_mutex_unlock(&device.lock);
}

/* Drivers make a device ready at its first use. */
static void make_ready(void)
{
    device.own = malloc(OWN_MEMORY);
    memset(device.own, 1, OWN_MEMORY);
    device.ready = true;
}

static void start(size_t n, float a)
{
    noted.starts++;
    noted.elements = n;
    noted.queued = true;
    noted.empty = noted.empty || (noted.puts < 2 && noted.starts > 1);
    if (!device.ready)
        make_ready();
    pthread_mutex_lock(&device.lock);
    while (device.queued - device.done == QUEUE)
        pthread_cond_wait(&device.changed, &device.lock);
    device.job[device.queued++ % QUEUE] = (struct job){n, a};
    add_call('s', clock_seconds());
    pthread_cond_broadcast(&device.changed);
    pthread_mutex_unlock(&device.lock);
}

/* Prints the seconds of all pairs of stamps that a function has taken. */
static void print_pairs(const char *name)
{
    printf("pairs %s %d %d", name, noted.first, noted.several);
    for (int i = 0; i < noted.pairs; i++)
        printf(" %.12g", noted.pair[i]);
    printf("\n");
}

/* Prints what a function has called, and when, in seconds since the first of it. */
static void print_calls(const char *name)
{
    printf("calls %s", name);
    for (int i = 0; i < called.count; i++)
        printf(" %c%.8f", called.list[i].what, called.list[i].at - called.list[0].at);
    printf("\n");
}

/* Prints the figures, which the lab reads, and what makes them wrong. */
static void report(size_t most)
{
    const size_t n = most < MOST ? most : MOST;
    float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);

    for (size_t i = 0; i < n; i++) {
        x[i] = (float)(i % 1000);
        y[i] = (float)(i % 77);
    }
    memset(&noted, 0, sizeof noted);
    called.count = 0;
    const double on_device = device_seconds(n, 2, x, y), bytes = bytes_moved(n);
    const bool busy = noted.was_busy, early = noted.early && !busy, late = noted.late, cold = noted.was_cold, empty = noted.empty;
    wait_for_device();
    const int copied = noted.copied, several = noted.several, stamps = noted.stamps;
    print_pairs("device_seconds");
    called.count--; /* the wait above */
    print_calls("device_seconds");
    called.count = 0;
    if (noted.elements != n)
        printf("cause timed-too-little start() was given %zu elements, and there are %zu\n", noted.elements, n);
    memset(&noted, 0, sizeof noted);
    const double on_host = host_seconds(n, 2, x, y);
    print_pairs("host_seconds");
    print_calls("host_seconds");

    printf("figure device_seconds %.12g\nfigure bytes_moved %.12g\nfigure host_seconds %.12g\n", on_device, bytes, on_host);
    printf("device %.1f GB/s, processor %.1f GB/s\n", 1e-9 * bytes / on_device, 1e-9 * bytes / on_host);
    if (busy)
        printf("mistake timed-too-little between start() and the second stamp, nothing waits for the device%s\n",
               late ? "; something waits behind it, which is too late" : "");
    if (early)
        printf("mistake timed-too-little something was started before the first stamp, and nothing has waited for it until "
               "then\n");
    if (copied > 0)
        printf("mistake timed-too-much there are copies between the two stamps: %d\n", copied);
    if (cold)
        printf("cause no-warm-up the first start of all lies between the two stamps\n");
    if (stamps % 2 == 1)
        printf("cause timed-too-much %d stamps are no pairs: each call needs a first and a second one of its own\n", stamps);
    else if (several > 1)
        printf("cause timed-too-much there are %d calls of start() between the two stamps, and the time is not that of one\n", several);
    if (empty)
        printf("cause timed-too-little x and y were not copied to the device first, so it reads memory without contents\n");
    free(x);
    free(y);
}

static void prepare(const void *problem)
{
    const struct saxpy *p = problem;

    d_x = malloc(p->n * sizeof(float));
    d_y = malloc(p->n * sizeof(float));
    d_z = malloc(p->n * sizeof(float));
    device.queued = device.done = 0;
    device.end = device.ready = false;
    pthread_create(&device.thread, NULL, work, NULL);
    if (getenv("RUNGS_FIGURES") != NULL) /* the lab sets it; a variant must not print */
        report(p->n);
}

static void upload(const void *problem)
{
    const struct saxpy *p = problem;

    put(d_x, p->x, p->n);
    put(d_y, p->y, p->n);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    start(p->n, p->a);
    wait_for_device();
}

static void download(const void *problem)
{
    const struct saxpy *p = problem;

    memcpy(p->z, d_z, p->n * sizeof *p->z);
}

static void release(void)
{
    wait_for_device();
    pthread_mutex_lock(&device.lock);
    device.end = true;
    pthread_cond_broadcast(&device.changed);
    pthread_mutex_unlock(&device.lock);
    pthread_join(device.thread, NULL);
    free(device.own);
    device.own = NULL;
    free(d_x);
    free(d_y);
    free(d_z);
}

VARIANT(.idea = "on a thread that behaves as a device, with a benchmark of its own, mine",
        .base = "cpu_naive",
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
