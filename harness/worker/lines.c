#define _GNU_SOURCE
#include "harness/worker/lines.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/worker/protocol.h"

enum { INPUTS = 4, OUTPUTS = 5, LONGEST = 512 }; /* the program's descriptors; bytes of an answer */

static const char *program, *file;
static pid_t process;
static FILE *to, *from;
static char refusal[LONGEST];

/* --- the program ---------------------------------------------------------------------------------- */

_Noreturn static void leave(int status, const char *reason, const char *words)
{
    fprintf(stderr, "%s%s\n", reason, words);
    _exit(status);
}

static const char *file_name(void)
{
    const char *slash = strrchr(file, '/');

    return slash != NULL ? slash + 1 : file;
}

/* The first number behind "NAME:" in a report, where NAME is the program's file; 0: it has none. */
static unsigned long line_named(const char *report)
{
    const char *name = file_name();
    unsigned long number = 0;

    for (const char *at = report; number == 0 && (at = strstr(at, name)) != NULL;) {
        at += strlen(name);
        number = *at == ':' ? strtoul(at + 1, NULL, 10) : 0;
    }
    return number;
}

/* Does a line name a place in the program's file, and say more? */
static bool says_where(const char *line)
{
    const char *name = file_name(), *at = strstr(line, name);

    return at != NULL && at[strlen(name) + strspn(at + strlen(name), ":0123456789")] != '\0';
}

/* The line of its own words that names an error.  An interpreter ends its report with the calls that led there, which are
   indented; Lua's name no error, but the file.  A place that only the calls name is put before it. */
static bool find_error(char *line, size_t bytes)
{
    char text[4096], *rest = text;
    const char *error = NULL, *place = NULL, *last = NULL;
    const ssize_t got = pread(STDERR_FILENO, text, sizeof text - 1, 0);

    text[got > 0 ? got : 0] = '\0';
    const unsigned long number = line_named(text);
    for (const char *at; (at = strsep(&rest, "\n")) != NULL;) {
        if (at[0] == '\0' || at[0] == ' ' || at[0] == '\t')
            continue;
        last = at;
        if (error == NULL && strstr(at, "rror") != NULL)
            error = at;
        if (place == NULL && says_where(at))
            place = at;
    }
    const char *best = error != NULL ? error : place != NULL ? place : last;
    if (best != NULL && number > 0 && strstr(best, file_name()) == NULL)
        snprintf(line, bytes, "%s:%lu: %s", file_name(), number, best);
    else if (best != NULL)
        snprintf(line, bytes, "%s", best);
    return best != NULL;
}

_Noreturn static void leave_with_program(void)
{
    int status = 0;
    char reason[300];

    while (waitpid(process, &status, 0) < 0)
        ;
    if (find_error(reason, sizeof reason))
        leave(EXIT_FAILURE, reason, "");
    if (WIFSIGNALED(status))
        snprintf(reason, sizeof reason, "the program is ended by signal %d", WTERMSIG(status));
    else
        snprintf(reason, sizeof reason, "the program ends with status %d", WEXITSTATUS(status));
    if (lseek(STDERR_FILENO, 0, SEEK_END) <= 0)
        leave(EXIT_FAILURE, reason, "");
    _exit(EXIT_FAILURE);
}

/* The end of its input is its sign: a worker may send no signals (harness/worker/calls.h). */
static void stop_program(void)
{
    enum { PATIENCE = 5000 }; /* milliseconds: an interpreter on a busy machine took more than one second to end */

    if (process <= 0)
        return;
    fclose(to);
    for (int i = 0; waitpid(process, NULL, WNOHANG) == 0; i++) {
        if (i == PATIENCE)
            leave(WORKER_NOT_ITS_CARD, "the program goes on after the end of its input", "");
        usleep(1000);
    }
    fclose(from);
    process = 0;
}

_Noreturn static void become_program(const int in[2], const int out[2], int inputs, int outputs)
{
    char path[32];

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* Out of the way of one another first. */
    const int place[] = {STDIN_FILENO, STDOUT_FILENO, INPUTS, OUTPUTS};
    int safe[] = {in[0], out[1], inputs, outputs};
    for (size_t i = 0; i < sizeof safe / sizeof *safe; i++)
        safe[i] = fcntl(safe[i], F_DUPFD_CLOEXEC, 16);
    for (size_t i = 0; i < sizeof safe / sizeof *safe; i++)
        dup2(safe[i], place[i]);
    close(WORKER_SOCKET);
    snprintf(path, sizeof path, "/proc/self/fd/%d", INPUTS);
    setenv("RUNGS_INPUTS", path, 1);
    snprintf(path, sizeof path, "/proc/self/fd/%d", OUTPUTS);
    setenv("RUNGS_OUTPUTS", path, 1);
    execl(program, program, file, (char *)NULL);
    leave(EXIT_FAILURE, program, ": does not start");
}

/* A line there and a line back; the answer stays until the next one. */
static const char *ask(const char *word, const char *rest)
{
    static char line[LONGEST];

    fprintf(to, "%s%s%s\n", word, rest[0] != '\0' ? " " : "", rest);
    if (fflush(to) != 0 || fgets(line, sizeof line, from) == NULL)
        leave_with_program();
    line[strcspn(line, "\n")] = '\0';
    return line;
}

static void must_be_ok(const char *answer)
{
    if (strcmp(answer, "ok") == 0)
        return;
    if (strncmp(answer, "fail ", 5) == 0)
        leave(EXIT_FAILURE, answer + 5, "");
    leave(WORKER_NOT_ITS_CARD, "answers with another line than ok: ", answer);
}

/* --- a case --------------------------------------------------------------------------------------- */

/* With each case anew: its files come by inheritance. */
static void start_program(const int files[])
{
    int in[2], out[2];

    stop_program();
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || (process = fork()) < 0)
        leave(WORKER_BROKEN, "no program could be started", "");
    if (process == 0)
        become_program(in, out, files[0], files[1]);
    close(in[0]);
    close(out[1]);
    to = fdopen(in[1], "w");
    from = fdopen(out[0], "r");
    if (to == NULL || from == NULL)
        abort();
    if (strncmp(ask("rungs", "1"), "rungs 1", strlen("rungs 1")) != 0)
        leave(WORKER_NOT_ITS_CARD, "does not answer \"rungs 1\" to \"rungs 1\"", "");
}

static void open_case(const int files[])
{
    const struct layout *open = arena_open_layout();

    const char *text = open != NULL ? open->text : "";

    refusal[0] = '\0';
    start_program(files);
    if (text[0] == '\0')
        leave(WORKER_NOT_ITS_CARD, "this problem does not say what its case holds", "");
    const char *answer = ask("case", text);
    if (strncmp(answer, "refuse ", 7) == 0)
        snprintf(refusal, sizeof refusal, "%s", answer + 7);
    else
        must_be_ok(answer);
}

/* --- phases --------------------------------------------------------------------------------------- */

static const char *refuse(const void *problem)
{
    (void)problem;
    return refusal[0] != '\0' ? refusal : NULL;
}

static void prepare(const void *problem)
{
    (void)problem;
    must_be_ok(ask("prepare", ""));
}

static void run(const void *problem)
{
    (void)problem;
    must_be_ok(ask("run", ""));
}

static void release(void)
{
    must_be_ok(ask("release", ""));
}

_Noreturn void lines_serve(const char *name, const char *its_program, const char *its_file, size_t memory)
{
    static const struct variant variant = {
        .path = "", .idea = "", .refuse = refuse, .prepare = prepare, .run = run, .release = release};

    program = its_program;
    file = its_file;
    signal(SIGPIPE, SIG_IGN); /* a program that has ended is found out by its answer, which is missing */
    worker_serve(name, &variant, open_case, memory);
}
