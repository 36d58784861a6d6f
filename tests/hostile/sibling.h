/* Finds the parent and its other workers, to attack them.  A worker's own process ids may be those of
   a namespace, in which its parent is its keeper; /proc has those of the machine. */
#ifndef RUNGS_HOSTILE_SIBLING_H
#define RUNGS_HOSTILE_SIBLING_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the parent and the name of a process. */
static inline pid_t hostile_stat(pid_t process, char name[32])
{
    char path[64], text[400] = "";
    int parent = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return 0;
    name[0] = '\0';
    if (fgets(text, sizeof text, f) == NULL || sscanf(text, "%*d (%31[^)]) %*c %d", name, &parent) != 2)
        parent = 0;
    fclose(f);
    return parent;
}

static inline pid_t myself(void)
{
    char text[32] = "";

    return readlink("/proc/self", text, sizeof text - 1) > 0 ? atoi(text) : getpid();
}

/* Finds the nearest ancestor of a process whose name is rungs. */
static inline pid_t rungs_above(pid_t process)
{
    char name[32];

    for (int step = 0; step < 4 && process > 1; step++) {
        const pid_t up = hostile_stat(process, name);
        if (step > 0 && strcmp(name, "rungs") == 0 && hostile_stat(up, name) != 0 && strcmp(name, "rungs") != 0)
            return process; /* a keeper has that name as well */
        process = up;
    }
    return 0;
}

static inline pid_t the_parent(void)
{
    static pid_t found;

    if (found == 0)
        found = rungs_above(myself());
    return found != 0 ? found : getppid();
}

/* for each id that may be the parent's: this namespace's, and the machine's */
#define EACH_PARENT(which) \
    for (which = getppid(); which != 0; which = which == the_parent() ? 0 : the_parent())

/* Calls `harm` for every other worker of this parent, and for their keepers. */
static inline void for_siblings(pid_t parent, void (*harm)(pid_t sibling, const void *context),
                                const void *context)
{
    DIR *all = opendir("/proc");
    struct dirent *entry;
    const pid_t self = myself();
    char name[32];
    const pid_t keeper = hostile_stat(self, name);

    (void)parent;
    while (all != NULL && (entry = readdir(all)) != NULL) {
        const pid_t process = atoi(entry->d_name);

        if (process > 1 && process != self && process != keeper && process != the_parent() &&
            rungs_above(process) == the_parent())
            harm(process, context);
    }
    if (all != NULL)
        closedir(all);
}

#endif
