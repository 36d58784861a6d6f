#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/plots/picture.h"

extern char **environ;

static const double PATIENCE = 60.0; /* seconds for one picture; usually it takes 0.2 */

/* The output of gnuplot; what does not fit is dropped. */
struct words {
    char text[4096];
    size_t used;
};

/* --- the process ------------------------------------------------------------------------------ */

/* Starts gnuplot in the folder, because the script has relative names; its output goes to the pipe. */
static int start(const char *folder, char *const argv[], const int pipe_ends[2], pid_t *child)
{
    posix_spawn_file_actions_t actions;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
    int failed = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* Reads until gnuplot closes the pipe.  False: that took too long, or rungs was interrupted. */
static bool listen_to(int end, struct words *w)
{
    const double start = clock_now();
    char rest[512];

    while (clock_now() - start < PATIENCE && !interrupted()) {
        struct pollfd ready = {.fd = end, .events = POLLIN};
        if (poll(&ready, 1, 200) <= 0)
            continue;
        const size_t room = sizeof w->text - 1 - w->used;
        ssize_t got = room > 0 ? read(end, w->text + w->used, room) : read(end, rest, sizeof rest);
        if (got == 0)
            return true;
        if (got > 0 && room > 0)
            w->used += (size_t)got;
    }
    return false;
}

/* Returns the exit status, or -1 if gnuplot was killed. */
static int finish(pid_t child, bool by_itself)
{
    int status = 0;

    if (!by_itself)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return by_itself && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Returns the line with the error: "FILE" line 12: ...; around it gnuplot quotes the script. */
static const char *complaint(struct words *w)
{
    w->text[w->used] = '\0';
    char *at = strstr(w->text, "line "), *line = at;

    if (at == NULL)
        line = w->text + strspn(w->text, "\n \t^");
    while (line > w->text && line[-1] != '\n')
        line--;
    line[strcspn(line, "\n")] = '\0';
    return line[0] != '\0' ? line : "it failed without a message";
}

static bool run(const struct plots *plots, const char *name, char *const argv[], bool *there,
                struct error *error)
{
    struct words said = {.used = 0};
    int ends[2];
    pid_t child = -1;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(error, "cannot make a pipe to gnuplot: %s", strerror(errno));
    int failed = start(plots->folder, argv, ends, &child);
    close(ends[1]);
    *there = failed != ENOENT;
    bool by_itself = failed == 0 && listen_to(ends[0], &said);
    close(ends[0]);
    if (!*there)
        return true;
    if (failed != 0)
        return error_set(error, "gnuplot: %s", strerror(failed));
    int status = finish(child, by_itself);
    if (interrupted())
        return error_set(error, "interrupted");
    if (status == 0)
        return true;
    if (status < 0)
        return error_set(error, "%s/%s.gp: gnuplot did not finish", plots->folder, name);
    return error_set(error, "%s/%s.gp: gnuplot: %s", plots->folder, name, complaint(&said));
}

/* --- the pictures ----------------------------------------------------------------------------- */

struct picture {
    unsigned bit;
    const char *ending;
    const char *last; /* the end of a complete file */
    size_t last_bytes;
};

static const struct picture pictures[] = {
    {PICTURE_SVG, "svg", "</svg>", 6},
    {PICTURE_PNG, "png", "IEND\xae\x42\x60\x82", 8},
    {PICTURE_PNG, "dark.png", "IEND\xae\x42\x60\x82", 8},
    {PICTURE_PDF, "pdf", "%%EOF", 5},
};

enum { PICTURES = sizeof pictures / sizeof *pictures };

static void path_of(const struct plots *plots, const char *name, const struct picture *p,
                    const char *more, char *path, size_t bytes)
{
    snprintf(path, bytes, "%s/%s%s%s%s", plots->folder, name, p->ending[0] == 'd' ? "-" : ".",
             p->ending, more);
}

/* Is the file complete?  gnuplot does not fail on a full disk. */
static bool is_whole(const char *path, const struct picture *p)
{
    char end[64] = "";
    FILE *f = fopen(path, "rb");

    if (f == NULL)
        return false;
    if (fseek(f, -(long)(sizeof end), SEEK_END) != 0)
        rewind(f);
    size_t got = fread(end, 1, sizeof end, f);
    fclose(f);
    return memmem(end, got, p->last, p->last_bytes) != NULL;
}

static bool keep(const struct plots *plots, const struct plot *plot, const struct picture *p,
                 struct error *error)
{
    char from[600], to[600];

    path_of(plots, plot->name, p, ".new", from, sizeof from);
    path_of(plots, plot->name, p, "", to, sizeof to);
    if (!is_whole(from, p))
        return error_set(error, "%s could not be written", to);
    if (p->bit == PICTURE_SVG)
        return svg_finish(from, to, plot, error);
    return rename(from, to) == 0 || error_set(error, "%s: %s", to, strerror(errno));
}

static void remove_drafts(const struct plots *plots, const char *name)
{
    char path[600];

    for (size_t i = 0; i < PICTURES; i++) {
        path_of(plots, name, &pictures[i], ".new", path, sizeof path);
        (void)unlink(path);
    }
}

bool gnuplot_draw(const struct plots *plots, const struct plot *plot, bool *there,
                  struct error *error)
{
    char script[128], settings[128] = "ending = '.new'; pictures = '";

    for (size_t i = 0; i < PICTURES; i++)
        if (plots->pictures & pictures[i].bit)
            snprintf(settings + strlen(settings), sizeof settings - strlen(settings), "%s ",
                     pictures[i].ending);
    strcat(settings, "'");
    snprintf(script, sizeof script, "%s.gp", plot->name);
    /* -d: ignore the user's ~/.gnuplot */
    char *const argv[] = {"gnuplot", "-d", "-e", settings, script, NULL};
    bool fine = run(plots, plot->name, argv, there, error);

    for (size_t i = 0; fine && *there && i < PICTURES; i++)
        if (plots->pictures & pictures[i].bit)
            fine = keep(plots, plot, &pictures[i], error);
    remove_drafts(plots, plot->name);
    return fine;
}
