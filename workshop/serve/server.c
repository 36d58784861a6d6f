/*
 * The program rungs-serve, which `rungs lab serve` starts: a page in a browser in place of a terminal.
 *
 * It is a program of its own, so that the library for HTTP is in no process that measures or judges.  It touches no file
 * and runs no learner's program.  What the page may do is a table of `rungs lab` commands: answer.c.
 */
/* needs: libmicrohttpd */
#define _GNU_SOURCE
#include <errno.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/serve/address.h"
#include "workshop/serve/answer.h"
#include "workshop/serve/command.h"
#include "workshop/serve/gate.h"

enum {
    MOST_CONNECTIONS = 32,
    MOST_HEAD = 16 << 10, /* bytes of a request's line and headers */
    PATIENCE = 20,        /* seconds without a byte */
};

static char token[TOKEN_DIGITS + 1];
static struct address here;

/* --- one request ------------------------------------------------------------------------------ */

/* Returns the status with which a request is refused, or 0.  `path` gets what stands behind the token. */
static unsigned refused(struct MHD_Connection *connection, const char *url, const char **path)
{
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    const char *origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ORIGIN);
    const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);

    *path = gate_behind_token(url, token);
    if (*path == NULL || !gate_host(host, here.open, here.name) || !gate_origin(origin, host))
        return MHD_HTTP_FORBIDDEN;
    if (length != NULL && strtoull(length, NULL, 10) > MOST_BODY)
        return MHD_HTTP_CONTENT_TOO_LARGE;
    return 0;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status)
{
    return answer_line(connection, status,
                       status == MHD_HTTP_FORBIDDEN
                           ? "refused: use the whole link that build-sim/rungs lab serve has printed\n"
                           : "refused: a file may have 256 KiB at most\n");
}

/* Keeps a piece of the body.  Returns false if the body becomes too long, which ends the connection. */
static bool keep(struct request_in *r, const char *piece, size_t bytes)
{
    char *longer = r->bytes + bytes <= MOST_BODY ? realloc(r->body, r->bytes + bytes) : NULL;

    if (longer == NULL)
        return false;
    memcpy(longer + r->bytes, piece, bytes);
    r->body = longer;
    r->bytes += bytes;
    return true;
}

/* The library calls this when the headers are there, then for each piece of the body, then at its end. */
static enum MHD_Result handle(void *none, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *piece, size_t *bytes, void **state)
{
    struct request_in *r = *state;
    const char *path;

    (void)none, (void)version;
    if (r == NULL) {
        const unsigned status = refused(connection, url, &path);
        if (status != 0)
            return refuse(connection, status);
        *state = r = calloc(1, sizeof *r);
        return r != NULL ? MHD_YES : MHD_NO;
    }
    if (*bytes > 0) {
        const bool kept = keep(r, piece, *bytes);
        *bytes = 0;
        return kept ? MHD_YES : MHD_NO;
    }
    r->method = method;
    r->path = gate_behind_token(url, token);
    /* No time limit for the answer: a judged program has one of its own, and a build for a GPU takes minutes. */
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0U);
    return answer(connection, r);
}

static void forget(void *none, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code)
{
    struct request_in *r = *state;

    (void)none, (void)connection, (void)code;
    if (r != NULL)
        free(r->body);
    free(r);
}

/* A path is compared as it was sent: what it needs has no letter that must be written as %xx. */
static size_t leave_as_it_is(void *none, struct MHD_Connection *connection, char *text)
{
    (void)none, (void)connection;
    return strlen(text);
}

/* --- the server ------------------------------------------------------------------------------- */

static struct MHD_Daemon *begin(void)
{
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION;

    if (here.socket.ss_family == AF_INET6)
        flags |= MHD_USE_IPv6;
    return MHD_start_daemon(flags, 0, NULL, NULL, handle, NULL, MHD_OPTION_SOCK_ADDR, &here.socket,
                            MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS,
                            MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                            (size_t)MOST_HEAD, MHD_OPTION_NOTIFY_COMPLETED, forget, NULL,
                            MHD_OPTION_UNESCAPE_CALLBACK, leave_as_it_is, NULL, MHD_OPTION_END);
}

/* Tries the usual port, and then any that is free, unless the user has named one. */
static struct MHD_Daemon *start(struct error *error)
{
    struct MHD_Daemon *daemon = begin();

    if (daemon == NULL && errno == EADDRINUSE && !here.port_given) {
        address_set_port(&here, 0);
        daemon = begin();
    }
    if (daemon == NULL)
        error_set(error, "cannot listen at %s: %s", here.name, strerror(errno));
    return daemon;
}

static int fail(const struct error *error)
{
    fprintf(stderr, "rungs: %s\n", error->text);
    return 2;
}

/* Blocks the signals that end the server in all threads: this one waits for them. */
static void block(sigset_t *ends)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

    sigemptyset(ends);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(ends, numbers[i]);
    sigprocmask(SIG_BLOCK, ends, NULL);
    signal(SIGPIPE, SIG_IGN); /* a browser that is closed is no reason to end */
}

int main(int argc, char **argv)
{
    struct error error;
    sigset_t ends;
    int number;

    if (argc < 2 || argc > 3) {
        error_set(&error, "rungs-serve is started by build-sim/rungs lab serve");
        return fail(&error);
    }
    command_begin(argv[1]);
    block(&ends);
    if (!address_find(argv[2], &here, &error) || !gate_make_token(token, &error))
        return fail(&error);
    struct MHD_Daemon *daemon = start(&error);
    if (daemon == NULL)
        return fail(&error);
    const uint16_t port = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    if (here.open)
        fprintf(stderr, "warning: --listen %s opens the page to the network, without encryption: anyone with the "
                        "link can run programs on this machine as you\n", here.name);
    printf("open this link in a browser; it is the key to this seat:\n");
    address_print_links(&here, port, token);
    printf("Ctrl-C ends it\n");
    fflush(stdout);
    sigwait(&ends, &number);
    MHD_quiesce_daemon(daemon);
    command_stop();
    MHD_stop_daemon(daemon);
    printf("\nbuild-sim/rungs lab serve continues here, with another link\n");
    return 0;
}
