#define _GNU_SOURCE
#include "harness/report/child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGEST = 1 << 20, NOT_THERE = 127 };

/* 0: there is none. */
static pid_t start(const char *folder, const char *const command[], int output)
{
    posix_spawn_file_actions_t actions;
    pid_t child = 0;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return 0;
    if (posix_spawn_file_actions_addchdir_np(&actions, folder) != 0 ||
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) != 0 ||
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) != 0 ||
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) != 0 ||
        posix_spawnp(&child, command[0], &actions, NULL, (char *const *)command, environ) != 0)
        child = 0;
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

static size_t read_all(int from, char *text)
{
    size_t length = 0;

    while (length < LARGEST) {
        ssize_t got = read(from, text + length, LARGEST - length);
        if (got > 0)
            length += (size_t)got;
        else if (got == 0 || errno != EINTR)
            break;
    }
    return length;
}

char *child_output(const char *folder, const char *const command[], int *status)
{
    char *text = malloc(LARGEST + 1);
    int ends[2], how = 0;

    *status = -1;
    if (text == NULL)
        return NULL;
    text[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return text;
    pid_t child = start(folder, command, ends[1]);
    close(ends[1]);
    if (child > 0)
        text[read_all(ends[0], text)] = '\0';
    close(ends[0]);
    while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    if (child > 0 && WIFEXITED(how) && WEXITSTATUS(how) != NOT_THERE)
        *status = WEXITSTATUS(how);
    char *fitting = realloc(text, strlen(text) + 1);
    return fitting != NULL ? fitting : text;
}
