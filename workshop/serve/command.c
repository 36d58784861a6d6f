#define _GNU_SOURCE
#include "workshop/serve/command.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { MOST_SAID = 1 << 20 }; /* bytes; the text of an exercise is less */

static const char *program;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* The process that judges, or 0.  The lock makes sure that its number is not another process's yet. */
static pthread_mutex_t judging = PTHREAD_MUTEX_INITIALIZER;
static pid_t judge;
static bool stopped;

void command_begin(const char *rungs)
{
    program = rungs;
}

/* --- starting --------------------------------------------------------------------------------- */

/* Opens a terminal of that many columns: the command then breaks lines and colours them.  ends[0] is ours. */
static bool open_terminal(int columns, int ends[2])
{
    const struct winsize size = {.ws_row = 50, .ws_col = (unsigned short)columns};
    struct termios raw;
    char name[64];

    ends[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (ends[0] < 0)
        return false;
    ends[1] = -1;
    if (grantpt(ends[0]) == 0 && unlockpt(ends[0]) == 0 && ptsname_r(ends[0], name, sizeof name) == 0)
        ends[1] = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (ends[1] >= 0 && tcgetattr(ends[1], &raw) == 0) {
        cfmakeraw(&raw); /* line ends stay as they are written */
        if (tcsetattr(ends[1], TCSANOW, &raw) == 0 && ioctl(ends[1], TIOCSWINSZ, &size) == 0)
            return true;
    }
    close(ends[0]);
    if (ends[1] >= 0)
        close(ends[1]);
    return false;
}

/* Returns a file with the command's input.  With a pipe, a thread would have to write while the command reads. */
static int input_file(const struct command *c)
{
    int file = c->input == NULL ? open("/dev/null", O_RDONLY | O_CLOEXEC)
                                : memfd_create("input", MFD_CLOEXEC);

    for (size_t done = 0; file >= 0 && c->input != NULL && done < c->input_bytes;) {
        ssize_t wrote = write(file, c->input + done, c->input_bytes - done);
        if (wrote <= 0) {
            close(file);
            return -1;
        }
        done += (size_t)wrote;
    }
    if (file >= 0)
        lseek(file, 0, SEEK_SET);
    return file;
}

/* In the child of a program with threads: calls nothing that might wait for a lock. */
_Noreturn static void become(char *words[], int in, int out)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0); /* Ctrl-C reaches the server, which then stops it */
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execv(program, words);
    _exit(127);
}

static pid_t start(const struct command *c, int in, int out)
{
    char *words[COMMAND_WORDS + 3] = {(char *)program, (char *)"lab"};

    for (int i = 0; i < COMMAND_WORDS && c->words[i] != NULL; i++)
        words[i + 2] = (char *)c->words[i];
    pid_t child = fork();
    if (child == 0)
        become(words, in, out);
    return child;
}

/* --- listening -------------------------------------------------------------------------------- */

static bool has_ended(pid_t child, int how)
{
    siginfo_t ended = {.si_pid = 0};

    return waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT | how) == 0 && ended.si_pid != 0;
}

/* Reads until the command ends, and drops what is too long.  What it has left running may still hold the other end. */
static void listen_to(pid_t child, int from, struct said *said)
{
    char more[8192];

    for (;;) {
        const bool over = has_ended(child, WNOHANG);
        struct pollfd ready = {.fd = from, .events = POLLIN};
        if (over && said->bytes == MOST_SAID)
            return;
        if (poll(&ready, 1, over ? 0 : 20) <= 0) {
            if (over)
                return;
            continue;
        }
        ssize_t got = read(from, more, sizeof more);
        if (got <= 0) { /* all others have closed it; a terminal calls this an error */
            has_ended(child, 0);
            return;
        }
        size_t room = MOST_SAID - said->bytes, take = (size_t)got < room ? (size_t)got : room;
        memcpy(said->text + said->bytes, more, take);
        said->bytes += take;
    }
}

/* Returns whether the process before was stopped. */
static bool set_judge(pid_t child)
{
    pthread_mutex_lock(&judging);
    const bool was_stopped = stopped;
    judge = child;
    stopped = false;
    pthread_mutex_unlock(&judging);
    return was_stopped;
}

static void run(const struct command *c, struct said *said)
{
    int ends[2] = {-1, -1}, status = 0, in = input_file(c);
    pid_t child = -1;

    said->text = malloc(MOST_SAID);
    if (in >= 0 && said->text != NULL &&
        (c->columns > 0 ? open_terminal(c->columns, ends) : pipe2(ends, O_CLOEXEC) == 0)) {
        child = start(c, in, ends[1]);
        if (child > 0 && c->judges)
            set_judge(child);
        close(ends[1]);
        if (child > 0)
            listen_to(child, ends[0], said);
        close(ends[0]);
        if (child > 0 && c->judges)
            said->stopped = set_judge(0);
    }
    if (in >= 0)
        close(in);
    if (child > 0)
        waitpid(child, &status, 0);
    if (child <= 0) {
        free(said->text);
        said->text = NULL;
    }
    said->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

struct said command_run(const struct command *c)
{
    struct said said = {.text = NULL};

    if (!c->reads)
        pthread_mutex_lock(&turn);
    run(c, &said);
    if (!c->reads)
        pthread_mutex_unlock(&turn);
    return said;
}

void command_stop(void)
{
    pthread_mutex_lock(&judging);
    stopped = judge > 0;
    if (stopped)
        kill(judge, SIGTERM);
    pthread_mutex_unlock(&judging);
}
