#include "harness/measure/at_work.h"

static double used_before(const struct tree_threads *before, pid_t id)
{
    for (size_t i = 0; i < before->count; i++)
        if (before->thread[i].id == id)
            return (double)before->thread[i].used;
    return 0.0; /* it has started since */
}

int at_work_count(const struct tree_threads *before, const struct tree_threads *after, double used, int ended)
{
    static const double SHARE = 0.25; /* a compiler's or a collector's thread does less beside the one that computes */
    double time[TREE_ROOM], living = 0.0, busiest = 0.0;
    int count = 0;

    for (size_t i = 0; i < after->count; i++) {
        time[i] = (double)after->thread[i].used - used_before(before, after->thread[i].id);
        living += time[i];
        busiest = time[i] > busiest ? time[i] : busiest;
    }
    for (size_t i = 0; i < after->count; i++)
        count += busiest > 0.0 && time[i] >= SHARE * busiest;
    /* Half of all: the two clocks are not read at one time, and most variants end no thread. */
    return busiest > 0.0 && used - living > 0.5 * used && count < ended ? ended : count;
}

void at_work_begin(struct at_work *w, struct entrant *e)
{
    tree_threads(worker_process(&e->worker), &w->before);
    w->used = worker_cpu(&e->worker);
}

void at_work_end(const struct at_work *w, struct entrant *e, int given)
{
    struct result *r = e->result;
    struct tree_threads after;

    if (e->state != ENTRANT_IN || !card_on_cpu(e->worker.variant))
        return;
    tree_threads(worker_process(&e->worker), &after);
    const double used = worker_cpu(&e->worker) - w->used;
    /* That they work at the same time cannot be seen, so the variant has to say so. */
    const int ended = e->worker.variant->traits & TRAIT_CORES ? given : 1;
    const int seen = at_work_count(&w->before, &after, used * 1e9, ended);
    r->at_work = seen > r->at_work ? seen : r->at_work;
    r->threads = seen > r->threads ? seen : r->threads;
}
