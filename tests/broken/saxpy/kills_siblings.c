/* Kills all workers of its session, so that other variants fail. */
/* expected: breach: ^makes the forbidden system call kill in run$ */
#include "hostile.h"

/* The session of a process if it is a worker, else -1.  0 is a session whose leader lives in another
   namespace of processes, as in a container. */
static int session(const char *pid)
{
    char file[64], text[512] = "";
    int number = -1;

    snprintf(file, sizeof file, "/proc/%s/cmdline", pid);
    FILE *f = fopen(file, "r");
    if (f == NULL)
        return -1;
    const int is = fgets(text, sizeof text, f) != NULL && strstr(text, "rungs-worker") != NULL;
    fclose(f);
    snprintf(file, sizeof file, "/proc/%s/stat", pid);
    f = fopen(file, "r");
    if (f == NULL || fgets(text, sizeof text, f) == NULL ||
        sscanf(strrchr(text, ')') + 1, " %*c %*d %*d %d", &number) != 1)
        number = -1;
    if (f != NULL)
        fclose(f);
    return is ? number : -1;
}

static void end(pid_t pid)
{
    char name[32];

    snprintf(name, sizeof name, "%d", (int)pid);
    if (session(name) >= 0 && session(name) == session("self"))
        kill(pid, SIGKILL);
}

static void harm(const struct saxpy *p)
{
    (void)p;
    each_other(end);
}

VARIANT(.idea = "kills its siblings", .run = run)
