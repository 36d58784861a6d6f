/* Looks for an answer among the files of other processes. */
/* expected: crash: ^exits in run: found no answer$ */
#include "hostile.h"

static void *found;

static void look(pid_t pid)
{
    for (int file = 3; file < 64 && found == NULL; file++) {
        char name[64], link[128] = "";
        snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)pid, file);
        if (readlink(name, link, sizeof link - 1) < 0 || strstr(link, "rungs-outputs") == NULL)
            continue;
        const int f = open(name, O_RDONLY);
        found = f >= 0 ? mmap(NULL, 4096, PROT_READ, MAP_SHARED, f, 0) : NULL;
    }
}

static void harm(const struct saxpy *p)
{
    if (p->n == 0)
        return;
    each_other(look);
    if (found != NULL)
        harm_done("the output of another process is mapped");
    fprintf(stderr, "found no answer\n");
    exit(EXIT_FAILURE);
}

VARIANT(.idea = "copies what a sibling has written", .run = run)
