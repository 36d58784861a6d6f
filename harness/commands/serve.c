/* rungs serve: calls one variant for the program at the other end of standard input, which uses librungs.so
   (harness/library/rungs.h). */
#define _GNU_SOURCE
#include "harness/commands/command.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/commands/select.h"
#include "harness/commands/sizes.h"
#include "harness/library/messages.h"
#include "harness/model/registry.h"
#include "harness/worker/parent.h"

/* --- messages ----------------------------------------------------------------------------------- */

/* Sends a line; with a file, if that is not -1. */
static bool send_line(int file, const char *line)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec text = {.iov_base = (void *)(uintptr_t)line, .iov_len = strlen(line)};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};

    memset(&control, 0, sizeof control);
    if (file >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *with = CMSG_FIRSTHDR(&message);
        with->cmsg_level = SOL_SOCKET;
        with->cmsg_type = SCM_RIGHTS;
        with->cmsg_len = CMSG_LEN(sizeof file);
        memcpy(CMSG_DATA(with), &file, sizeof file);
    }
    return sendmsg(STDIN_FILENO, &message, MSG_NOSIGNAL) >= 0;
}

__attribute__((format(printf, 1, 2))) static bool reply(const char *format, ...)
{
    char line[MESSAGE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return send_line(-1, line);
}

/* Waits for a request.  False: the other end is closed, or the user has interrupted. */
static bool hear(char *line, size_t bytes)
{
    ssize_t got;

    do
        got = recv(STDIN_FILENO, line, bytes - 1, 0);
    while (got < 0 && errno == EINTR && !interrupted());
    line[got > 0 ? got : 0] = '\0';
    return got > 0;
}

static bool show_inputs(int file, void *context, struct error *error)
{
    char line[MESSAGE_BYTES];

    (void)context;
    return (send_line(file, "inputs") && hear(line, sizeof line) && strcmp(line, "mapped") == 0) ||
           error_set(error, "the program that uses librungs.so has ended");
}

/* --- requests ----------------------------------------------------------------------------------- */

static bool fail(const struct entrant *e)
{
    const struct fate *fate = &e->result->fate;

    return reply("failed %s%s%s", outcome_names[fate->outcome], fate->reason[0] != '\0' ? ": " : "", fate->reason);
}

static bool call(struct cell *c, struct entrant *e)
{
    struct reply answer;

    return e->state == ENTRANT_IN && entrant_do(c, e, OP_CALL, &answer) ? reply("ok %.9g", answer.seconds) : fail(e);
}

static bool judge(struct cell *c, struct entrant *e)
{
    struct error error;

    if (e->state != ENTRANT_IN)
        return fail(e);
    if (!cell_solve(c, &error) || !arena_show(c->arena, e->worker.output_file, &error))
        return reply("failed %s", error.text);
    cell_judge_answer(c, e);
    const double worst = isnan(e->result->error) ? 0.0 : e->result->error; /* outputs without an element have no error */
    return e->state == ENTRANT_IN ? reply("ok %.9g", worst) : fail(e);
}

/* Answers requests until the other end is closed. */
static void answer_requests(struct cell *c, struct entrant *e)
{
    char line[MESSAGE_BYTES];
    bool there = true;

    while (there && hear(line, sizeof line)) {
        if (strcmp(line, "call") == 0)
            there = call(c, e);
        else if (strcmp(line, "judge") == 0)
            there = judge(c, e);
        else
            there = reply("failed there is no request %s", line);
    }
}

/* --- the command -------------------------------------------------------------------------------- */

/* Opens the case.  Its outputs are poisoned once, so that one that no call writes is seen. */
static bool serve(struct cell *c, struct error *error)
{
    struct entrant *e = c->entrants;

    if (!cell_open(c, error))
        return false;
    cell_prepare(c);
    const char *text = arena_layout(c->arena)->text;
    if (text[0] == '\0') {
        reply("failed %s does not describe its arrays", problem_name(c->problem));
    } else if (e->state != ENTRANT_IN || !cell_poison(c, e)) {
        fail(e);
    } else {
        char line[MESSAGE_BYTES];
        snprintf(line, sizeof line, "ready %s", text);
        if (send_line(e->worker.output_file, line))
            answer_requests(c, e);
    }
    cell_close(c);
    return true;
}

static int run(const struct options *o)
{
    const struct card *variants[MAX_VARIANTS];
    struct planned size;
    struct error error;
    size_t sizes;
    const size_t count = select_variants(o, variants, MAX_VARIANTS, &error);

    if (count > 1)
        error_set(&error, "serve takes one variant, but %zu match: %s, %s ...", count, variants[0]->name.full,
                  variants[1]->name.full);
    if (count != 1)
        return usage_error(&error);
    const struct group g = group_first(variants, count);
    struct arena *arena = arena_create(&error);
    if (arena == NULL || !sizes_asked(o, g.problem, "S", &size, 1, &sizes, &error))
        return usage_error(&error);

    struct cell c = {.arena = arena, .problem = g.problem, .seed = o->seed, .timeout = o->timeout};
    arena_before_seal(arena, show_inputs, NULL);
    worker_unplaced = true; /* the program may have others open, which run at the same time */
    cell_enlist(&c, g.variants, g.count, o->threads);
    cell_label(&c, size.label, size.dims);
    const bool served = serve(&c, &error);
    cell_dismiss(&c);
    return served ? STATUS_OK : usage_error(&error);
}

const struct command command_serve = {
    .name = "serve",
    .usage = "serve PROBLEM/VARIANT [--size SIZE] [--threads N]",
    .about = "call a variant for another program; librungs.so starts this",
    .help = "The program has the other end of a socket that is this one's standard input.  It fills the\n"
            "inputs, asks for calls and reads the outputs, in memory that both share.  docs/embed.md\n"
            "explains librungs.so, and harness/library/messages.h the messages.\n",
    .words = "VARIANT",
    .run = run,
};
