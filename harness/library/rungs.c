/* librungs.so: starts `rungs serve`, maps the arrays of its case, and sends its requests. */
#define _GNU_SOURCE
#include "harness/library/rungs.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/library/messages.h"

extern char **environ;

struct memory {
    char *start; /* NULL: not mapped */
    size_t bytes;
};

struct rungs {
    pid_t pid;
    int socket, messages; /* and the file of what the program writes to standard error */
    struct memory inputs, outputs;
    char text[MESSAGE_BYTES]; /* the case in JSON */
    json_t *members;          /* the same, parsed */
};

static _Thread_local char error_text[MESSAGE_BYTES];

const char *rungs_error(void)
{
    return error_text;
}

int rungs_abi(void)
{
    return RUNGS_LIBRARY_ABI;
}

/* Always returns false. */
__attribute__((format(printf, 1, 2))) static bool fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error_text, sizeof error_text, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_open(const struct rungs *r)
{
    return r != NULL || fail("the handle is NULL: rungs_open has failed");
}

/* --- the program -------------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

/* Finds the program: beside this library in a build folder, in ../bin where both are installed. */
static void find_program(char path[PATH_MAX])
{
    static const char *const places[] = {"rungs", "../bin/rungs"};
    char own[PATH_MAX];
    Dl_info here;

    if (getenv("RUNGS_PROGRAM") != NULL) {
        snprintf(path, PATH_MAX, "%s", getenv("RUNGS_PROGRAM"));
        return;
    }
    if (dladdr((void *)(uintptr_t)rungs_open, &here) != 0 && realpath(here.dli_fname, own) != NULL)
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            snprintf(path, PATH_MAX, "%.*s/%s", (int)(strrchr(own, '/') - own), own, places[i]);
            if (is_program(path))
                return;
        }
    strcpy(path, "rungs"); /* by PATH */
}

/* Starts the program in a process group of its own, with no signal blocked or ignored, whatever the caller does with
   them.  posix_spawn is safe where other threads run. */
static bool start(struct rungs *r, int socket, char *words[])
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    char path[PATH_MAX];

    find_program(path);
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, r->messages, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    const int status = posix_spawnp(&r->pid, path, &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (status != 0)
        r->pid = 0;
    return status == 0 || fail("%s: %s", path, strerror(status));
}

/* The last line that the program has written to standard error says why it ended. */
static bool fail_as_it_says(struct rungs *r)
{
    char text[MESSAGE_BYTES];
    const off_t end = lseek(r->messages, 0, SEEK_END), from = end > (off_t)sizeof text ? end - (off_t)sizeof text : 0;
    ssize_t got = pread(r->messages, text, sizeof text - 1, from);

    while (got > 0 && text[got - 1] == '\n')
        got--;
    text[got > 0 ? got : 0] = '\0';
    const char *line = strrchr(text, '\n') != NULL ? strrchr(text, '\n') + 1 : text;
    if (strncmp(line, "rungs: ", strlen("rungs: ")) == 0)
        line += strlen("rungs: ");
    return fail("%s", *line != '\0' ? line : "the program rungs has ended");
}

/* --- messages ----------------------------------------------------------------------------------- */

static bool say(struct rungs *r, const char *words)
{
    return send(r->socket, words, strlen(words), MSG_NOSIGNAL) >= 0 || fail_as_it_says(r);
}

/* Waits for a message.  `file` gets the file that comes with it, or -1. */
static bool hear(struct rungs *r, char *text, size_t bytes, int *file)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {.iov_base = text, .iov_len = bytes - 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t got;

    *file = -1;
    do
        got = recvmsg(r->socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return fail_as_it_says(r);
    text[got] = '\0';
    const struct cmsghdr *with = CMSG_FIRSTHDR(&message);
    if (with != NULL && with->cmsg_type == SCM_RIGHTS)
        memcpy(file, CMSG_DATA(with), sizeof *file);
    return strncmp(text, "failed ", strlen("failed ")) != 0 || fail("%s", text + strlen("failed "));
}

/* Maps the file that comes with a message of this name.  `text` gets what follows the name. */
static bool take_file(struct rungs *r, const char *name, int access, struct memory *m, char *text, size_t bytes)
{
    char message[MESSAGE_BYTES];
    struct stat about;
    int file;

    if (!hear(r, message, sizeof message, &file))
        return false;
    if (file < 0 || strncmp(message, name, strlen(name)) != 0 || fstat(file, &about) != 0) {
        if (file >= 0)
            close(file);
        return fail("the program rungs is not of the library's version");
    }
    m->bytes = (size_t)about.st_size;
    m->start = mmap(NULL, m->bytes, access, MAP_SHARED, file, 0);
    close(file);
    if (m->start == MAP_FAILED) {
        m->start = NULL;
        return fail("%zu bytes: %s", m->bytes, strerror(errno));
    }
    if (text != NULL)
        snprintf(text, bytes, "%s", message + strlen(name));
    return true;
}

/* Returns the number of the answer, or -1. */
static double ask(struct rungs *r, const char *words)
{
    char text[MESSAGE_BYTES];
    int file;

    if (!is_open(r) || !say(r, words) || !hear(r, text, sizeof text, &file))
        return -1.0;
    return strtod(text + strlen("ok "), NULL);
}

/* --- handles ------------------------------------------------------------------------------------ */

static bool open_case(struct rungs *r, char *words[])
{
    int sockets[2];

    r->messages = memfd_create("rungs-messages", MFD_CLOEXEC);
    if (r->messages < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
        return fail("%s", strerror(errno));
    r->socket = sockets[0];
    const bool started = start(r, sockets[1], words);
    close(sockets[1]);
    if (!started || !take_file(r, "inputs", PROT_READ | PROT_WRITE, &r->inputs, NULL, 0) || !say(r, "mapped") ||
        !take_file(r, "ready ", PROT_READ, &r->outputs, r->text, sizeof r->text))
        return false;
    r->members = json_loads(r->text, 0, NULL);
    return r->members != NULL || fail("the program rungs is not of the library's version");
}

struct rungs *rungs_open(const char *variant, const char *size, int threads)
{
    struct rungs *r = calloc(1, sizeof *r);
    char count[16];
    char *words[] = {"rungs", "serve", (char *)(uintptr_t)variant, "--size", (char *)(uintptr_t)size,
                     threads > 0 ? "--threads" : NULL, count, NULL};

    snprintf(count, sizeof count, "%d", threads);
    if (r == NULL) {
        fail("no memory");
        return NULL;
    }
    r->socket = r->messages = -1;
    if (open_case(r, words))
        return r;
    rungs_close(r);
    return NULL;
}

void rungs_close(struct rungs *r)
{
    if (r == NULL)
        return;
    if (r->socket >= 0)
        close(r->socket);
    if (r->messages >= 0)
        close(r->messages);
    while (r->pid > 0 && waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    if (r->inputs.start != NULL)
        munmap(r->inputs.start, r->inputs.bytes);
    if (r->outputs.start != NULL)
        munmap(r->outputs.start, r->outputs.bytes);
    json_decref(r->members);
    free(r);
}

const char *rungs_case(const struct rungs *r)
{
    return is_open(r) ? r->text : NULL;
}

/* --- members ------------------------------------------------------------------------------------ */

static const char *word(const json_t *member, const char *key)
{
    const char *text = json_string_value(json_object_get(member, key));

    return text != NULL ? text : "";
}

static size_t offset(const json_t *member)
{
    return (size_t)json_integer_value(json_object_get(member, "at"));
}

static const json_t *find_array(const struct rungs *r, const char *name)
{
    if (!is_open(r))
        return NULL;
    const json_t *array = json_object_get(json_object_get(r->members, "arrays"), name);
    if (array == NULL)
        fail("%s has no array %s", word(r->members, "problem"), name);
    return array;
}

void *rungs_array(struct rungs *r, const char *name)
{
    const json_t *array = find_array(r, name);

    if (array == NULL)
        return NULL;
    return (strcmp(word(array, "file"), "out") == 0 ? r->outputs.start : r->inputs.start) + offset(array);
}

/* A type is a letter and the bytes of an element. */
size_t rungs_bytes(const struct rungs *r, const char *name)
{
    const json_t *array = find_array(r, name), *length;
    size_t bytes, i;

    if (array == NULL || json_integer_value(json_object_get(array, "address")) == 0)
        return 0;
    bytes = strtoul(word(array, "type") + 1, NULL, 10);
    json_array_foreach(json_object_get(array, "shape"), i, length)
        bytes *= (size_t)json_integer_value(length);
    return bytes;
}

int rungs_set(struct rungs *r, const char *name, double value)
{
    const float f4 = (float)value;

    if (!is_open(r))
        return -1;
    const json_t *scalar = json_object_get(json_object_get(r->members, "scalars"), name);
    if (scalar == NULL)
        return fail("%s has no scalar %s", word(r->members, "problem"), name) - 1;
    if (strcmp(word(scalar, "type"), "f4") != 0)
        return fail("%s is part of the size, which stays", name) - 1;
    memcpy(r->inputs.start + offset(scalar), &f4, sizeof f4);
    return 0;
}

/* --- calls -------------------------------------------------------------------------------------- */

double rungs_call(struct rungs *r)
{
    return ask(r, "call");
}

double rungs_judge(struct rungs *r)
{
    return ask(r, "judge");
}
