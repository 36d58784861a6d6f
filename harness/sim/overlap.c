/*
 * Which copies may overlap with other work of their device: those not ordered relative to a kernel or to
 * a copy in the other direction.
 *
 * For each piece of work and each stream, the last work that must precede it is known: what its stream
 * has waited for, what the events that it waits for have, and what the calling thread has.  Only copies
 * from and to page-locked memory count, because the others block the host.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/trace.h"
#include "harness/sim/traffic.h"

enum { MAX_STREAMS = 32, MAX_WORK = 4096 };

/* For each stream, the last work that precedes. */
struct past {
    unsigned long last[MAX_STREAMS];
};

struct work {
    unsigned long order;
    int phase, device, stream;
    enum sim_work_kind kind;
    uint64_t bytes;
    const char *name;
    struct past past;
};

/* What an event stands for. */
struct mark {
    unsigned long order;
    struct past past;
};

static const struct cudasim_stream *streams[MAX_STREAMS];
static struct past stream_past[MAX_STREAMS];
static __thread struct past host_past;
static struct work *work;
static struct mark *marks;
static size_t work_count, mark_count;

/* Returns the line of a place in the program.  Finding it takes long. */
static int line_of(const void *at)
{
    enum { MOST = 16 };
    static struct {
        const void *at;
        int line;
    } known[MOST];
    size_t i = 0;

    while (i < MOST - 1 && known[i].at != NULL && known[i].at != at)
        i++;
    if (known[i].at != at) {
        const char *colon = strrchr(sim_line(at), ':');
        known[i].line = colon != NULL ? atoi(colon + 1) : 0;
        known[i].at = at;
    }
    return known[i].line;
}

/* Returns whether it is asked what could overlap if the host waited for nothing, or did not wait in this line. */
static bool is_no_wait(void)
{
    static int asked = -1;

    if (asked < 0) {
        const char *value = getenv("RUNGS_SIM_NO_WAITS");
        asked = value != NULL ? atoi(value) : 0;
    }
    return asked == 1 || (asked > 1 && line_of(sim_entered) == asked);
}

/* -1: too many streams. */
static int number_of(const struct cudasim_stream *s)
{
    int i = 0;

    while (i < MAX_STREAMS && streams[i] != NULL && streams[i] != s)
        i++;
    if (i == MAX_STREAMS || (sim_watching & (WATCH_REQUESTS | WATCH_ORDER)) == 0)
        return -1;
    streams[i] = s;
    return i;
}

static void join(struct past *p, const struct past *other)
{
    for (int i = 0; i < MAX_STREAMS; i++)
        p->last[i] = p->last[i] > other->last[i] ? p->last[i] : other->last[i];
}

/* The legacy stream waits for the other streams of its device, except nonblocking ones, and they for
   it. */
static void join_legacy(int stream)
{
    const struct cudasim_stream *s = streams[stream];

    for (int i = 0; i < MAX_STREAMS && streams[i] != NULL && !s->nonblocking; i++)
        if (streams[i]->device == s->device && !streams[i]->nonblocking &&
            (s->legacy || streams[i]->legacy))
            join(&stream_past[stream], &stream_past[i]);
}

void sim_overlap_put(struct cudasim_stream *s, const struct sim_work *w,
                     enum sim_work_kind kind, size_t bytes, const char *name)
{
    int stream = s->capture == NULL ? number_of(s) : -1;

    if (work == NULL && stream >= 0)
        work = malloc(MAX_WORK * sizeof *work);
    if (stream < 0 || work == NULL)
        return;
    sim_place_queues();
    if (s->legacy && kind != OTHER_WORK) /* what blocks the host anyway is no matter of streams */
        sim_place_default(sim_entered);
    join(&stream_past[stream], &host_past);
    join_legacy(stream);
    if (work_count < MAX_WORK)
        work[work_count++] = (struct work){w->order, w->phase, s->device, stream, kind, bytes,
                                           name, stream_past[stream]};
    stream_past[stream].last[stream] = w->order;
    if ((sim_watching & WATCH_ORDER) == 0)
        return;
    sim_unordered_put(sim_overlap_number(w->order));
    sim_finish(s);
}

void sim_overlap_mark(const struct cudasim_stream *s, unsigned long order)
{
    int stream = number_of(s);

    if (marks == NULL && stream >= 0)
        marks = malloc(MAX_WORK * sizeof *marks);
    if (stream < 0 || marks == NULL)
        return;
    join_legacy(stream);
    stream_past[stream].last[stream] = order;
    marks[mark_count++ % MAX_WORK] = (struct mark){order, stream_past[stream]};
}

static const struct past *past_of(unsigned long order)
{
    for (size_t i = mark_count; i > 0 && i + MAX_WORK > mark_count; i--)
        if (marks[(i - 1) % MAX_WORK].order == order)
            return &marks[(i - 1) % MAX_WORK].past;
    return NULL;
}

void sim_overlap_wait(const struct cudasim_stream *s, unsigned long order)
{
    int stream = number_of(s);
    const struct past *past = past_of(order);

    if (stream >= 0 && past != NULL)
        join(&stream_past[stream], past);
}

/* Returns whether this is behind a kernel for which the host has not waited yet. */
static bool awaits_kernel(const struct past *p)
{
    for (const struct work *w = work; w < work + work_count; w++)
        if (w->kind == KERNEL && w->order <= p->last[w->stream] && w->order > host_past.last[w->stream])
            return true;
    return false;
}

void sim_overlap_host_event(unsigned long order)
{
    const struct past *past = past_of(order);

    sim_place_waits(sim_entered, past != NULL && awaits_kernel(past));
    if (past != NULL && !is_no_wait())
        join(&host_past, past);
}

void sim_overlap_host(const struct cudasim_stream *s)
{
    int stream = number_of(s);

    if (stream < 0 || is_no_wait())
        return;
    join_legacy(stream);
    sim_place_waits(sim_entered, awaits_kernel(&stream_past[stream]));
    join(&host_past, &stream_past[stream]);
}

/* --- what may go on at once ------------------------------------------------------------------- */

static bool is_before(const struct work *a, const struct work *b)
{
    return a->order <= b->past.last[a->stream];
}

size_t sim_overlap_number(unsigned long order)
{
    size_t i = work_count;

    while (i > 0 && work[i - 1].order != order)
        i--;
    return i;
}

bool sim_overlap_ordered(size_t earlier, size_t later)
{
    return is_before(&work[earlier - 1], &work[later - 1]);
}

bool sim_overlap_same_device(size_t a, size_t b)
{
    return work[a - 1].device == work[b - 1].device;
}

const char *sim_overlap_name(size_t number)
{
    static char text[2][80]; /* two are told at a time */
    static int last;
    const struct work *w = &work[number - 1];
    char *at = text[last = 1 - last];

    if (w->kind == KERNEL)
        snprintf(at, sizeof text[0], "kernel %.*s", (int)strcspn(w->name + 1, ")"), w->name + 1);
    else
        snprintf(at, sizeof text[0], "copy %s", w->name);
    return at;
}

static bool may_overlap(const struct work *one)
{
    for (const struct work *w = work; w < work + work_count; w++)
        if (w->device == one->device && w->phase == one->phase && w->kind != one->kind &&
            w->kind != OTHER_WORK && w->kind != COPY_PEER && !is_before(w, one) && !is_before(one, w))
            return true;
    return false;
}

/* For a copy between devices: returns whether a kernel of the device whose stream copies may run meanwhile. */
static bool peer_may_overlap(const struct work *copy)
{
    for (const struct work *w = work; w < work + work_count; w++)
        if (w->kind == KERNEL && w->device == copy->device && w->phase == copy->phase && !is_before(w, copy) &&
            !is_before(copy, w))
            return true;
    return false;
}

uint64_t sim_overlapping(int phase)
{
    uint64_t bytes = 0;

    for (const struct work *w = work; w < work + work_count; w++)
        if (w->phase == phase && (w->kind == COPY_IN || w->kind == COPY_OUT) && may_overlap(w))
            bytes += w->bytes;
    return bytes;
}

uint64_t sim_overlapping_peers(int phase)
{
    uint64_t bytes = 0;

    for (const struct work *w = work; w < work + work_count; w++)
        if (w->phase == phase && w->kind == COPY_PEER && peer_may_overlap(w))
            bytes += w->bytes;
    return bytes;
}

uint64_t sim_overlapping_kernels(int phase)
{
    uint64_t kernels = 0;

    for (const struct work *w = work; w < work + work_count; w++)
        kernels += w->phase == phase && w->kind == KERNEL && may_overlap(w);
    return kernels;
}

uint64_t sim_concurrent_kernels(int phase)
{
    uint64_t kernels = 0;

    for (const struct work *a = work; a < work + work_count; a++) {
        bool concurrent = false;
        for (const struct work *b = work; b < work + work_count && !concurrent; b++)
            concurrent = a->kind == KERNEL && b->kind == KERNEL && a->phase == phase && b->phase == phase &&
                         a->device != b->device && !is_before(a, b) && !is_before(b, a);
        kernels += concurrent;
    }
    return kernels;
}

unsigned sim_streams_used(int phase)
{
    unsigned most = 0;

    for (int device = 0; device < MAX_DEVICES; device++) {
        bool used[MAX_STREAMS] = {false};
        unsigned count = 0;
        for (const struct work *w = work; w < work + work_count; w++)
            if (w->phase == phase && w->device == device && w->kind != OTHER_WORK && !used[w->stream]) {
                used[w->stream] = true;
                count++;
            }
        most = count > most ? count : most;
    }
    return most;
}

/* --- for the trace ---------------------------------------------------------------------------- */

/* Does one engine do both?  Each direction of copies has one, and kernels are shown one after another. */
static bool same_engine(const struct work *a, const struct work *b)
{
    return a->device == b->device && a->kind == b->kind &&
           (a->kind != OTHER_WORK || strcmp(a->name, b->name) == 0);
}

/* The phases of a call follow each other.  Writes each piece of work with the step in which it can be done: after the work that must precede it, and after the
   work that its engine got earlier.  All take one step, because their times are not known. */
void sim_overlap_write(FILE *out)
{
    enum { MOST = 512 };
    static unsigned step[MOST];
    size_t count = work_count < MOST ? work_count : MOST;

    for (size_t i = 0; i < count; i++) {
        const struct work *w = &work[i];
        const bool kernel = w->kind == KERNEL;
        const bool overlaps = w->kind == COPY_PEER ? peer_may_overlap(w) : w->kind != OTHER_WORK && may_overlap(w);
        step[i] = 0;
        for (size_t j = 0; j < i; j++)
            if ((work[j].phase != w->phase || is_before(&work[j], w) || same_engine(&work[j], w)) && step[j] >= step[i])
                step[i] = step[j] + 1;
        fprintf(out, "{\"trace\":\"work\",\"phase\":\"%s\",\"stream\":%d,\"device\":%d,\"kind\":\"%s\",\"name\":\"%.*s\","
                     "\"bytes\":%llu,\"step\":%u,\"overlaps\":%s}\n",
                sim_phase_name(w->phase), w->stream, w->device, kernel ? "kernel" : w->name,
                kernel ? (int)strlen(w->name) - 2 : 0, w->name + kernel, (unsigned long long)w->bytes, step[i],
                !kernel && overlaps ? "true" : "false");
    }
}

void sim_overlap_forget(int first_phase)
{
    size_t kept = 0;

    if ((sim_watching & WATCH_ORDER) != 0)
        return; /* numbers must stay */
    for (size_t i = 0; i < work_count; i++)
        if (work[i].phase < first_phase)
            work[kept++] = work[i];
    work_count = kept;
    sim_places_forget(first_phase);
}
