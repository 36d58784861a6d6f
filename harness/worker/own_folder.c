/* The lock of a folder's file ends with the process that has it open, whatever ends that.  So a folder that can be
   locked belongs to no run. */
#define _GNU_SOURCE
#include "harness/worker/own_folder.h"

#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *f)
{
    (void)s, (void)kind, (void)f;
    (void)remove(path);
    return 0;
}

static void remove_all(const char *path)
{
    (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static const char *place(bool in_memory)
{
    const char *folder = getenv("TMPDIR");

    return in_memory ? "/dev/shm" : folder != NULL && folder[0] == '/' ? folder : "/tmp";
}

static int lock(const char *path)
{
    const int file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* Between being made and being locked a folder belongs to a run, too: those of this minute stay. */
static void remove_old_ones(const char *folder)
{
    char pattern[OWN_FOLDER_BYTES];
    struct stat s;
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/rungs-worker-??????", folder);
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const int file = lock(found.gl_pathv[i]);
        if (file < 0)
            continue;
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        if (fstat(file, &s) == 0 && s.st_uid == geteuid() && now.tv_sec - s.st_ctim.tv_sec > 60)
            remove_all(found.gl_pathv[i]);
        close(file);
    }
    globfree(&found);
}

int own_folder_make(char path[OWN_FOLDER_BYTES], bool in_memory)
{
    static bool swept[2];

    if (!swept[in_memory])
        remove_old_ones(place(in_memory));
    swept[in_memory] = true;
    const int length = snprintf(path, OWN_FOLDER_BYTES, "%s/rungs-worker-XXXXXX", place(in_memory));
    if (length < 0 || length >= OWN_FOLDER_BYTES || mkdtemp(path) == NULL)
        return -1;
    return lock(path);
}

void own_folder_remove(const char *path, int holds)
{
    remove_all(path);
    close(holds);
}
