/* The trace's file, and the mistake at its end. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/trace.h"

static const char *path; /* NULL: no trace is wanted */

static struct {
    enum sim_space space;
    enum sim_action action;
    const char *p;
    size_t bytes; /* 0: none */
} suspect;

static struct {
    bool there, same_block;
    unsigned thread, site;
    struct cudasim_shape block;
} other;

void sim_trace_start(void)
{
    path = getenv("RUNGS_SIM_TRACE");
}

/* Is there a mistake in the file, of an earlier case? */
static bool has_mistake(void)
{
    static const char begins[] = "{\"trace\":\"mistake\"";
    char start[sizeof begins] = "";
    FILE *in = fopen(path, "r");

    if (in == NULL)
        return false;
    const bool read = fread(start, 1, sizeof begins - 1, in) == sizeof begins - 1;
    fclose(in);
    return read && strcmp(start, begins) == 0;
}

FILE *sim_trace_open(bool mistake)
{
    return path != NULL && (mistake || !has_mistake()) ? fopen(path, "w") : NULL;
}

void sim_trace_suspect(enum sim_space space, const void *p, size_t bytes, enum sim_action action)
{
    suspect.space = space;
    suspect.action = action;
    suspect.p = p;
    suspect.bytes = bytes;
}

void sim_trace_other(unsigned thread, unsigned site, struct cudasim_shape block, bool same_block)
{
    other.block = block;
    other.there = true;
    other.same_block = same_block;
    other.thread = thread;
    other.site = site;
}

/* --- names ------------------------------------------------------------------------------------ */

static uintptr_t shared_array(FILE *out, uintptr_t address)
{
    const size_t offset = sim_shared_offset((const void *)address),
                 dynamic = (size_t)(address - (uintptr_t)cudasim_dynamic_shared);
    const struct sim_symbol *s = sim_symbol_at(true, offset);

    if (dynamic < SHARED_BYTES_ASKED) {
        fprintf(out, "\"array\":{\"name\":\"\",\"bytes\":%zu}", sim_block.launch->shared);
        return (uintptr_t)cudasim_dynamic_shared;
    }
    if (s == NULL)
        s = sim_symbol_near(offset);
    fprintf(out, "\"array\":{\"name\":\"%s\",\"bytes\":%zu}", s != NULL ? sim_symbol_name(s) : "",
            s != NULL ? s->bytes : 0);
    return address - offset + (s != NULL ? s->start : offset);
}

static uintptr_t global_array(FILE *out, uintptr_t address)
{
    const struct sim_array *a = sim_simulated((const void *)address) ? sim_array_near((const void *)address) : NULL;
    static const void *last;
    static char line[sizeof(struct sim_text)];

    if (a == NULL) {
        fputs("\"array\":{\"name\":\"\",\"bytes\":0}", out);
        return address / 128 * 128;
    }
    if (a->made != last) /* addr2line takes long */
        snprintf(line, sizeof line, "%s", sim_line(a->made));
    last = a->made;
    fprintf(out, "\"array\":{\"name\":\"\",\"made\":\"%s\",\"bytes\":%zu}", line, a->bytes);
    return (uintptr_t)a->start;
}

uintptr_t sim_trace_array(FILE *out, enum sim_space space, uintptr_t address)
{
    const uintptr_t start = space == SHARED ? shared_array(out, address)
                            : space == GLOBAL ? global_array(out, address)
                                              : (fputs("\"array\":{\"name\":\"\",\"bytes\":0}", out), address / 128 * 128);

    fprintf(out, ",\"base\":%u", (unsigned)(start % 128)); /* where sectors and banks begin */
    return start;
}

/* --- a mistake -------------------------------------------------------------------------------- */

static void write_text(FILE *out, const char *text)
{
    for (; *text != '\0' && *text != '\n'; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
}

/* Writes the access, and what other lanes of the warp have accessed in the same request. */
static void write_suspect(FILE *out, const struct sim_lane *lane, const void *at)
{
    unsigned char lanes[WARP];
    uintptr_t address[WARP];
    const unsigned count =
        sim_requests_alike(sim_site_of(at, suspect.space, suspect.action), (unsigned)suspect.bytes, lanes, address);

    fprintf(out, "{\"trace\":\"access\",\"at\":\"%s\",\"space\":\"%s\",\"access\":\"%s\",\"bytes\":%zu,\"lane\":%u,",
            sim_line(at), sim_space_names[suspect.space], sim_action_names[suspect.action], suspect.bytes,
            lane->number % WARP);
    const uintptr_t start = sim_trace_array(out, suspect.space, (uintptr_t)suspect.p);
    fprintf(out, ",\"offset\":%lld,\"lanes\":[", (long long)((uintptr_t)suspect.p - start));
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%s%u", i > 0 ? "," : "", lanes[i]);
    fputs("],\"offsets\":[", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%s%lld", i > 0 ? "," : "", (long long)(address[i] - start));
    fputs("]}\n", out);
}

/* Writes where each thread of the block is. */
static void write_threads(FILE *out)
{
    static const char *const states[] = {[READY] = "runs", [AT_BARRIER] = "barrier", [IN_WARP] = "warp",
                                         [TOGETHER] = "together", [AT_MBARRIER] = "mbarrier",
                                         [AT_CLUSTER] = "cluster", [AT_UNWRITTEN] = "reads", [PAUSED] = "runs", [RETURNED] = "returned"};

    fputs("{\"trace\":\"waits\",\"threads\":[", out);
    for (unsigned i = 0; i < sim_block.threads; i++) {
        const struct sim_lane *l = &sim_block.lane[i];
        const bool waits = l->state != READY && l->state != PAUSED && l->state != RETURNED && l->place != NULL;
        fprintf(out, "%s[\"%s\",\"", i > 0 ? "," : "", states[l->state]);
        if (waits)
            fprintf(out, "%s:%d", l->place->file, l->place->line);
        fputs("\",\"", out);
        if (waits)
            write_text(out, l->place->operation);
        fputs("\"]", out);
    }
    fputs("]}\n", out);
}

/* Writes what led both threads of a race to it.  Of a thread in another block only the one access is known. */
static void write_race(FILE *out, const struct sim_lane *lane)
{
    const struct sim_site *its = &sim_sites[other.site];
    const uintptr_t address = (uintptr_t)suspect.p;

    sim_history_write(out, lane->number, address, suspect.bytes);
    if (other.same_block) {
        sim_history_write(out, other.thread, address, suspect.bytes);
        return;
    }
    fprintf(out, "{\"trace\":\"thread\",\"number\":%u,\"block\":[%u,%u,%u],\"barriers\":%u,\"left_out\":0,"
                 "\"events\":[{\"at\":\"%s\",\"space\":\"%s\",\"access\":\"%s\",\"bytes\":%zu,\"barriers\":%u,"
                 "\"time\":0,\"left_out\":0,", other.thread, other.block.x, other.block.y, other.block.z,
            sim_history_barriers(), sim_line(its->at), sim_space_names[its->space], sim_action_names[its->action],
            suspect.bytes, sim_history_barriers());
    const uintptr_t start = sim_trace_array(out, its->space, address);
    fprintf(out, ",\"offset\":%lld}]}\n", (long long)(address - start));
}

void sim_trace_mistake(const void *at, const struct sim_lane *lane, const char *text)
{
    FILE *out = sim_trace_open(true);

    if (out == NULL)
        return;
    fputs("{\"trace\":\"mistake\",\"text\":\"", out);
    write_text(out, text);
    fputs("\"", out);
    if (lane != NULL)
        fprintf(out, ",\"block\":[%u,%u,%u],\"shape\":[%u,%u,%u],\"thread\":%u", sim_block.index.x, sim_block.index.y,
                sim_block.index.z, sim_block.launch->block.x, sim_block.launch->block.y, sim_block.launch->block.z,
                lane->number);
    if (other.there)
        fprintf(out, ",\"race\":{\"at\":\"%s\",\"access\":\"%s\",\"thread\":%u,\"same_block\":%s}",
                sim_line(sim_sites[other.site].at), sim_action_names[sim_sites[other.site].action], other.thread,
                other.same_block ? "true" : "false");
    fputs("}\n", out);
    if (lane != NULL && suspect.bytes > 0 && at != NULL)
        write_suspect(out, lane, at);
    if (lane != NULL && other.there)
        write_race(out, lane);
    if (lane != NULL && at == NULL)
        write_threads(out);
    fclose(out);
}
