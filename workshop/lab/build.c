#define _GNU_SOURCE
#include "workshop/lab/build.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/interrupt.h"
#include "harness/machine/topology.h"
#include "workshop/lab/text.h"

/* A source may keep the compiler busy for ever, or let it write without end.  In the simulator an exercise takes it
   less than a second, 0.3 GiB and 1 MiB; nvcc takes far more. */
enum { MOST_SECONDS = 30, MOST_SECONDS_NVCC = 300, MAX_WORDS_OF_MAKE = 80 };

static const char *folder_of(enum place place)
{
    return place == IN_SIMULATOR ? "build-sim" : "build";
}

void build_program(const char *source, enum place place, char *program, size_t room)
{
    const char *dot = strrchr(source, '.');

    snprintf(program, room, "%s/%.*s.lab", folder_of(place), (int)(dot - source), source);
}

/* --- make ----------------------------------------------------------------------------------------- */

static void limit_to(__rlimit_resource_t what, rlim_t most)
{
    const struct rlimit limit = {.rlim_cur = most, .rlim_max = most};

    setrlimit(what, &limit);
}

/* With `limited`, each compiler may take no more than an exercise needs.  nvcc starts CUDA to find out for which GPU it compiles, and CUDA reserves
   far more addresses than it uses. */
_Noreturn static void become_make(char *words[], int out, bool limited)
{
    setpgid(0, 0);
    limit_to(limited ? RLIMIT_AS : RLIMIT_DATA, (rlim_t)(limited ? 2 : 8) << 30);
    if (limited)
        limit_to(RLIMIT_FSIZE, (rlim_t)256 << 20);
    if (out >= 0) {
        dup2(out, 1);
        dup2(out, 2);
    }
    unsetenv("MAKEFLAGS"); /* set if this process is a child of make */
    unsetenv("MAKELEVEL");
    execvp(words[0], words);
    _exit(127);
}

/* Reads the child's output until it ends, and drops what does not fit.  Returns its status, or -1 if it took too
   long. */
static int listen_to(pid_t child, int from, char *said, size_t room, double patience)
{
    const double end = clock_now() + patience;
    char more[4096];
    size_t used = 0;
    int status = -1;

    for (;;) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        if (clock_now() > end || interrupted()) {
            kill(-child, SIGKILL);
            waitpid(child, NULL, 0);
            return -1;
        }
        if (poll(&ready, 1, 100) <= 0)
            continue;
        ssize_t got = read(from, more, sizeof more);
        if (got <= 0)
            break;
        size_t take = (size_t)got < room - 1 - used ? (size_t)got : room - 1 - used;
        memcpy(said + used, more, take);
        used += take;
        said[used] = '\0';
    }
    waitpid(child, &status, 0);
    return status;
}

/* Runs make to build `sources` sources here.  With `said` NULL its output goes to the terminal. */
static bool run_make(char *words[], enum place place, size_t sources, char *said, size_t room)
{
    int pipes[2] = {-1, -1}, status = -1;

    if (said != NULL && pipe2(pipes, O_CLOEXEC) != 0)
        return false;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        become_make(words, pipes[1], place == IN_SIMULATOR && said != NULL);
    if (child > 0)
        setpgid(child, child);
    if (said == NULL) {
        if (child > 0)
            waitpid(child, &status, 0);
    } else {
        said[0] = '\0';
        close(pipes[1]);
        if (child > 0)
            status = listen_to(child, pipes[0], said, room,
                               place == IN_SIMULATOR ? MOST_SECONDS * (double)sources : MOST_SECONDS_NVCC);
        close(pipes[0]);
    }
    return status == 0;
}

static size_t first_words(enum place place, char *words[], char *jobs, size_t room)
{
    size_t n = 0;

    snprintf(jobs, room, "-j%d", topology_cores());
    words[n++] = "make";
    words[n++] = "-s";
    words[n++] = "--no-print-directory";
    words[n++] = jobs;
    if (place == IN_SIMULATOR) {
        words[n++] = "SIM=1";
        words[n++] = "NVCC=";
    } else {
        words[n++] = "CUDA_ARCH=native";
    }
    return n;
}

const char *build_harness(enum place place)
{
    return place == IN_SIMULATOR ? "build-sim/worker.o" : "build/worker.o";
}

bool build_ready(enum place place, struct error *error)
{
    char *words[16], jobs[16], harness[64];
    size_t n = first_words(place, words, jobs, sizeof jobs);

    snprintf(harness, sizeof harness, "%s", build_harness(place));
    if (access(harness, F_OK) == 0)
        return true;
    printf("building what all exercises share; this is done once ...\n");
    words[n++] = harness;
    words[n] = NULL;
    return run_make(words, place, 0, NULL, 0) || error_set(error, "the harness could not be built; make workshop shows why");
}

/* The output of a build of many sources: a later make prints no warnings about one that is up to date. */
static char said_of_all[1 << 16];

/* The programs of that build.  The first verdict on each uses it as it is, which saves a make and a link. */
static char built[MAX_WORDS_OF_MAKE][160];
static size_t built_count;

static bool take_built(const char *source, enum place place)
{
    char program[160];

    build_program(source, place, program, sizeof program);
    for (size_t i = 0; i < built_count; i++)
        if (strcmp(built[i], program) == 0) {
            built[i][0] = '\0';
            return access(program, X_OK) == 0;
        }
    return false;
}

/* Removes what was made of the source.  So the program is that of the file's content, also where the file's time is older
   (mv, cp -p), and the compiler prints its warnings again. */
static void forget_object(const char *program)
{
    static const char *const ends[] = {".o", ".cu.o", ".cu.cc"};
    char object[200];

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(object, sizeof object, "%.*s%s", (int)(strlen(program) - strlen(".lab")), program,
                 ends[i]);
        unlink(object);
    }
}

bool build_sources(const char *const sources[], size_t count, enum place place, char *said,
                   size_t room)
{
    static char program[MAX_WORDS_OF_MAKE][160];
    char *words[MAX_WORDS_OF_MAKE + 16], jobs[16];
    size_t n = first_words(place, words, jobs, sizeof jobs);

    said[0] = '\0';
    if (count == 1 && take_built(sources[0], place))
        return true;
    words[n++] = "-k"; /* one that fails must not stop the others */
    for (size_t i = 0; i < count && i < MAX_WORDS_OF_MAKE; i++) {
        build_program(sources[i], place, program[i], sizeof program[i]);
        unlink(program[i]);
        if (strncmp(sources[i], "learn/", 6) == 0)
            forget_object(program[i]);
        words[n++] = program[i];
    }
    words[n] = NULL;
    bool good = run_make(words, place, count, said, room);
    if (count > 1) {
        snprintf(said_of_all, sizeof said_of_all, "%s", said);
        memcpy(built, program, sizeof built);
        built_count = count < MAX_WORDS_OF_MAKE ? count : MAX_WORDS_OF_MAKE;
    }
    return good;
}

/* The commands by which make builds this program; the caller frees them.  Make reads its rules in as much time as the compiler
   needs for an exercise. */
char *build_commands(const char *source)
{
    enum { ROOM = 1 << 20 };
    char program[200], *words[20], jobs[16], *said = malloc(ROOM), *commands = NULL;
    size_t n = first_words(IN_SIMULATOR, words, jobs, sizeof jobs), size = 0;
    FILE *out = open_memstream(&commands, &size);

    build_program(source, IN_SIMULATOR, program, sizeof program);
    unlink(program);
    forget_object(program);
    words[n++] = "-n";
    words[n++] = program;
    words[n] = NULL;
    const bool good = out != NULL && said != NULL && run_make(words, IN_SIMULATOR, 1, said, ROOM);
    program[strlen(program) - strlen(".lab")] = '\0';
    if (good)
        fprintf(out, "mkdir -p %.*s\n", (int)(strrchr(program, '/') - program), program);
    for (const char *line = said; good && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (memmem(line, length, program, strlen(program)) != NULL)
            fprintf(out, "%.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    if (out != NULL)
        fclose(out);
    free(said);
    return commands;
}

bool build_again(const char *source, char *commands, char *said, size_t room)
{
    char program[200], *words[] = {"sh", "-e", "-c", commands, NULL};

    build_program(source, IN_SIMULATOR, program, sizeof program);
    unlink(program);
    return run_make(words, IN_SIMULATOR, 1, said, room) && access(program, X_OK) == 0;
}

/* --- what the compiler says ------------------------------------------------------------------------ */

/* "learn/saxpy/03.cu:12:5: error: ..." without what is before the line's number. */
static void add_error(struct mistake *m, const char *line, size_t length, const char *source)
{
    const char *name = strrchr(source, '/') + 1;
    const char *at = memmem(line, length, name, strlen(name));

    if (at == NULL)
        at = line;
    mistake_add(m, "%.*s", (int)(length - (size_t)(at - line)), at);
}

static bool line_has(const char *line, const char *words)
{
    return memmem(line, strcspn(line, "\n"), words, strlen(words)) != NULL;
}

/* Returns the compiler's note about the error in this line that names a place in the source; NULL: there is none, or the
   error does so itself.  What a macro has made is the last resort: its note does not say what is wrong. */
static const char *note_about(const char *error, const char *source)
{
    const char *name = strrchr(source, '/') + 1, *macro = NULL;

    if (line_has(error, name))
        return NULL;
    for (const char *line = text_next_line(error); *line != '\0' && !line_has(line, " error: "); line = text_next_line(line)) {
        if (!line_has(line, name) || !line_has(line, " note: "))
            continue;
        if (!line_has(line, "in expansion of macro"))
            return line;
        macro = macro == NULL ? line : macro;
    }
    return macro;
}

/* Adds an error in a header, as a place in the source: what the note about it says, and the source's line. */
static void add_note(const char *note, const char *source, struct mistake *m)
{
    const char *at = strstr(note, strrchr(source, '/') + 1), *text = strstr(note, "note:") + strlen("note:");
    const char *quoted = text_next_line(note);

    text += strspn(text, " ");
    mistake_add(m, "%.*s%.*s", (int)(strstr(at, "note:") - at), at, (int)strcspn(text, "\n"), text);
    if (quoted[0] == ' ')
        mistake_add(m, "%.*s", (int)strcspn(quoted, "\n"), quoted);
}

void build_mistake(const char *said, const char *source, struct mistake *m)
{
    bool more = false; /* indented lines behind an error show the place */

    mistake_set(m, "does-not-compile");
    for (const char *line = said; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool of_make = strncmp(line, "make", 4) == 0, error = memmem(line, length, "error", 5) != NULL;
        const char *note = error && !of_make ? note_about(line, source) : NULL;
        const bool shown = !of_make && note == NULL && (error || (more && line[0] == ' '));
        if (note != NULL && m->facts < 9)
            add_note(note, source, m);
        else if (shown && m->facts < 9)
            add_error(m, line, length, source);
        more = shown;
        line += length + (line[length] == '\n');
    }
    for (const char *line = said; m->facts == 0 && *line != '\0';) { /* errors of the linker or the rewriter */
        size_t length = strcspn(line, "\n");
        if (strncmp(line, "make", 4) != 0 && length > 0)
            add_error(m, line, length, source);
        line += length + (line[length] == '\n');
    }
    if (m->facts == 0)
        mistake_add(m, "the compiler was stopped: it took too long, too much memory, or wrote too large a file. Is an "
                    "array with values very large, or does the file include itself?");
}

/* Copies the first warning of this sort ("": of any) about the source that the compiler calls `where`. */
static void find_warning(const char *said, const char *where, const char *sort, char *warning,
                         size_t room)
{
    const char *slash = strrchr(where, '/');
    const size_t folder = slash != NULL ? (size_t)(slash + 1 - where) : 0;

    for (const char *line = said; *line != '\0' && warning[0] == '\0';) {
        size_t length = strcspn(line, "\n");
        const char *at = memmem(line, length, where, strlen(where));
        /* Harmless at these sizes, and in nearly every learner's file. */
        if (at != NULL && memmem(line, length, "warning:", 8) != NULL &&
            memmem(line, length, "-Wsign-compare", 14) == NULL &&
            memmem(line, length, sort, strlen(sort)) != NULL)
            snprintf(warning, room, "%.*s", (int)(length - (size_t)(at - line) - folder), at + folder);
        line += length + (line[length] == '\n');
    }
}

void build_warning(const char *said, const char *source, char *warning, size_t room)
{
    static const char *const sorts[] = {"-Wunused-result", ""};

    warning[0] = '\0';
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        find_warning(said, strrchr(source, '/') + 1, sorts[i], warning, room);
        find_warning(said_of_all, source, sorts[i], warning, room);
    }
}
