/* Finds out why a worker ended, from its exit status, its note and its last output. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/worker/calls.h"
#include "harness/worker/exit_cause.h"
#include "harness/worker/parent.h"
#include "harness/worker/protocol.h"

/* Before the first reply the worker loads the variant, which runs its constructors. */
const char *worker_doing(const struct worker *w, const struct ledger *note)
{
    return !w->answered && note->activity == IN_HARNESS ? "its start" : activity_names[note->activity];
}

/* Reads the end of the file. */
void worker_last_line(int file, char *text, size_t bytes)
{
    char tail[512];
    off_t end = lseek(file, 0, SEEK_END);
    off_t start = end > (off_t)sizeof tail - 1 ? end - (off_t)sizeof tail + 1 : 0;
    ssize_t got = end > 0 ? pread(file, tail, sizeof tail - 1, start) : 0;

    tail[got > 0 ? got : 0] = '\0';
    text_last_line(tail, text, bytes);
}

static const char *signal_name(int number)
{
    switch (number) {
    case SIGSEGV: return "segmentation fault";
    case SIGBUS: return "bus error";
    case SIGFPE: return "arithmetic exception";
    case SIGILL: return "illegal instruction";
    case SIGABRT: return "abort";
    case SIGSYS: return "forbidden system call";
    default: return strsignal(number);
    }
}

/* Adds the line of the source where a signal came from, if it came from the variant's own code and has debugging information. */
static void add_line(struct worker *w, const struct ledger *note)
{
    char file[1100], command[1200], line[200] = "";

    text_quote(w->variant->file, file, sizeof file);
    snprintf(command, sizeof command, "addr2line -s -e %s %#zx 2>/dev/null", file, note->code);
    FILE *in = note->code != 0 ? popen(command, "re") : NULL;
    if (in == NULL)
        return;
    if (fgets(line, sizeof line, in) != NULL && line[0] != '?')
        text_add(w->fate.reason, sizeof w->fate.reason, ", %.*s", (int)strcspn(line, " \n"), line);
    pclose(in);
}

/* The kernel counts the processes that it has ended for lack of memory. */
static void why_killed(struct worker *w, const char *phase)
{
    if (memory_kills() > w->kills)
        fate_set(&w->fate, OUTCOME_MEMORY, "killed in %s by the kernel: out of memory", phase);
    else
        fate_set(&w->fate, OUTCOME_CRASH,
                 "killed in %s by SIGKILL, sent by itself or from outside; memory had not run out", phase);
}

static void why_refused(struct worker *w, const char *phase, const struct ledger *note)
{
    const int number = (int)(intptr_t)note->address;
    const char *name = note->signal == SIGSYS ? calls_name(number) : NULL;

    if (name != NULL && (strcmp(name, "clone") == 0 || strcmp(name, "fork") == 0 || strcmp(name, "vfork") == 0))
        fate_set(&w->fate, OUTCOME_BREACH, "starts a process of its own in %s", phase);
    else if (name != NULL)
        fate_set(&w->fate, OUTCOME_BREACH, "makes the forbidden system call %s in %s", name,
                 phase);
    else
        fate_set(&w->fate, OUTCOME_BREACH, "makes a forbidden system call in %s", phase);
}

static void why_signalled(struct worker *w, int number, const struct ledger *note, const char *said)
{
    const char *phase = worker_doing(w, note);
    const struct slot *inside = NULL;
    const struct layout *layout = arena_open_layout();
    const char *place = NULL;

    if (number == SIGKILL) {
        why_killed(w, phase);
        return;
    }
    if (number == SIGSYS) {
        why_refused(w, phase, note);
        return;
    }
    if ((number == SIGSEGV || number == SIGBUS) && note->signal == number && layout != NULL)
        place = arena_locate(layout, note->address, &inside);
    if (place != NULL && inside != NULL && !inside->output && !note->wrote &&
        strcmp(phase, "prepare") == 0) /* in other phases, inputs can be read */
        fate_set(&w->fate, OUTCOME_BREACH, "reads its input %s in prepare, before the inputs are there",
                 place);
    else if (place != NULL && inside != NULL && !inside->output)
        fate_set(&w->fate, OUTCOME_BREACH, "writes its input %s in %s", place, phase);
    else if (place != NULL)
        fate_set(&w->fate, OUTCOME_BREACH, "%s %s in %s", note->wrote ? "writes" : "reads", place,
                 phase);
    else if (note->signal == SIGSEGV)
        fate_set(&w->fate, OUTCOME_CRASH, "%s in %s at address %#zx", signal_name(number), phase,
                 (size_t)note->address);
    else
        fate_set(&w->fate, OUTCOME_CRASH, "%s in %s%s%s", signal_name(number), phase,
                 said[0] != '\0' ? ": " : "", said);
}

static void why_exited(struct worker *w, int status, const struct ledger *note, const char *said)
{
    const char *phase = worker_doing(w, note);

    if (status == WORKER_NO_MEMORY && note->wanted > 0)
        fate_set(&w->fate, OUTCOME_MEMORY, "asks for %.3g GiB more in %s; %.3g GiB are allowed",
                 (double)note->wanted / 0x1p30, phase, (double)note->allowed / 0x1p30);
    else if (status == WORKER_WROTE_INPUT)
        fate_set(&w->fate, OUTCOME_BREACH, "assigns to an input in %s: %s", phase, said);
    else if (status == WORKER_NOT_INSTALLED)
        fate_set(&w->fate, OUTCOME_SKIPPED, "%s", said);
    else if (status == WORKER_NOT_ITS_CARD)
        fate_set(&w->fate, OUTCOME_BREACH, "%s", said);
    else if (status == WORKER_NO_DEVICE_MEMORY || (status == WORKER_NO_MEMORY && said[0] != '\0'))
        fate_set(&w->fate, OUTCOME_MEMORY, "%s", said);
    else if (status == WORKER_BROKEN && !w->answered)
        fate_set(&w->fate, OUTCOME_SKIPPED, "the worker could not start%s%s",
                 said[0] != '\0' ? ": " : "", said);
    else if (w->answered && (status == WORKER_BROKEN || (status == 0 && note->activity == 0)))
        fate_set(&w->fate, OUTCOME_CRASH, "closes the worker's own files");
    else if (status != 0 && said[0] != '\0')
        fate_set(&w->fate, OUTCOME_CRASH, "exits in %s: %s", phase, said);
    else
        fate_set(&w->fate, OUTCOME_CRASH, "exits with status %d in %s", status, phase);
}

struct ledger worker_ledger(const struct worker *w)
{
    struct ledger note;

    if (w->output_file <= 0 || pread(w->output_file, &note, sizeof note, 0) != (ssize_t)sizeof note || note.activity < 0 ||
        note.activity >= ACTIVITIES)
        note = (struct ledger){0};
    return note;
}

/* `said`: what it has printed last. */
static void why_ended(struct worker *w, int status, const struct ledger *note, const char *said)
{
    if (WIFSIGNALED(status)) {
        why_signalled(w, WTERMSIG(status), note, said);
        add_line(w, note);
    } else {
        why_exited(w, WEXITSTATUS(status), note, said);
    }
}

bool worker_postmortem(struct worker *w, int status)
{
    const struct ledger note = worker_ledger(w);
    char said[256];

    worker_last_line(w->stderr_file, said, sizeof said);
    why_ended(w, status, &note, said);
    return false;
}

/* Rank 0 leaves its note where every worker does. */
bool worker_postmortem_of_rank(struct worker *w, const struct last_words *rank)
{
    const struct ledger note = rank->rank == 0 ? worker_ledger(w) : rank->note;
    char reason[sizeof w->fate.reason];

    why_ended(w, rank->status, &note, rank->said);
    snprintf(reason, sizeof reason, "%s", w->fate.reason);
    if (rank->ranks > 0)
        fate_set(&w->fate, w->fate.outcome, "rank %d of %d: %s", rank->rank, rank->ranks, reason);
    return false;
}
