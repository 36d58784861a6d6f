/* Writes the card of a variant (harness/model/card.h).  A separate process loads the variant, because
   that runs its constructors, which may hang, print, or end the process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/text.h"
#include "harness/model/card.h"
#include "harness/worker/confine.h"
#include "harness/worker/keeper.h"
#include "harness/worker/load.h"
#include "harness/worker/reading.h"

/* Seconds for loading a variant: a GPU's libraries may be on a slow disk. */
static const double PATIENCE = 20.0;
enum { MAX_CARD = 16384, LONGEST = 2000 }; /* as in harness/model/card.c; for one text */

static FILE *card;

static void print_text(const char *key, const char *text)
{
    char clean[LONGEST];

    if (text == NULL)
        return;
    snprintf(clean, sizeof clean, "%s", text);
    text_clean(clean);
    fprintf(card, "%s = \"", key);
    for (const char *c = clean; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            putc('\\', card);
        putc(*c, card);
    }
    fprintf(card, "\"\n");
}

static void print_bits(const char *key, const char *const words[], unsigned bits)
{
    const char *between = "";

    if (bits == 0)
        return;
    fprintf(card, "%s = [", key);
    for (int i = 0; words[i] != NULL; i++)
        if (bits >> i & 1) {
            fprintf(card, "%s\"%s\"", between, words[i]);
            between = ", ";
        }
    fprintf(card, "]\n");
}

static unsigned phases_of(const struct variant *v)
{
    return (unsigned)(v->refuse != NULL) << CARD_REFUSE |
           (unsigned)(v->prepare != NULL) << CARD_PREPARE |
           (unsigned)(v->upload != NULL) << CARD_UPLOAD |
           (unsigned)(v->reset != NULL) << CARD_RESET | (unsigned)(v->run != NULL) << CARD_RUN |
           (unsigned)(v->download != NULL) << CARD_DOWNLOAD |
           (unsigned)(v->release != NULL) << CARD_RELEASE;
}

static int print(const char *file)
{
    const struct variant *v = variant_load(file);
    const int *resource = dlsym(RTLD_DEFAULT, "rungs_resource");
    const char *sends = NULL;

    if (v == NULL)
        return EXIT_FAILURE;
    if ((unsigned)v->math > MATH_F64) {
        fprintf(stderr, "%s: .math is %d, which is no kind of arithmetic\n", file, (int)v->math);
        return EXIT_FAILURE;
    }
    void *object = dlopen(file, RTLD_NOW | RTLD_NOLOAD);
    if (object != NULL) {
        resource = dlsym(object, "rungs_resource");
        sends = dlsym(object, "rungs_sends");
    }
    print_text("source", v->path);
    print_text("idea", v->idea);
    print_text("base", v->base);
    fprintf(card, "math = \"%s\"\n", math_names[v->math]);
    print_bits("traits", trait_names, v->traits);
    if (v->device != NULL) {
        print_text("device", v->device->name);
        fprintf(card, "clock = %s\n", v->device->seconds != NULL ? "true" : "false");
    }
    print_bits("phases", card_phase_names, phases_of(v));
    print_text("sends", sends);
    if (resource != NULL)
        fprintf(card, "resource = %d\n", *resource);
    return fflush(card) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* --- its process ---------------------------------------------------------------------------------- */

_Noreturn static void load_and_print(const char *file, int to)
{
    const struct rlimit no_core = {0, 0};

    setrlimit(RLIMIT_CORE, &no_core);
    dup2(STDERR_FILENO, STDOUT_FILENO); /* what the variant prints is not part of the card */
    card = fdopen(to, "w");
    confine(CONFINE_FULL, REACH_CARDS); /* as for a GPU: libraries may try calls that fail */
    _exit(card != NULL ? print(file) : EXIT_FAILURE);
}

/* Reads everything, until the end or the time limit. */
static size_t take(int from, char *text, size_t bytes)
{
    const double end = clock_now() + PATIENCE;
    size_t count = 0;

    for (double left = PATIENCE; left > 0.0 && count < bytes; left = end - clock_now()) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        if (poll(&ready, 1, (int)(left * 1e3) + 1) <= 0)
            continue;
        const ssize_t got = read(from, text + count, bytes - count);
        if (got <= 0)
            return count;
        count += (size_t)got;
    }
    return bytes + 1;
}

static int complain(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int complain(const char *file, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "%s: ", file);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\n", stderr);
    return EXIT_FAILURE;
}

/* Returns the source that a card names, as a text to be freed; NULL: it names none. */
static char *source_in(const char *text, size_t bytes)
{
    static const char key[] = "source = \"";
    const size_t length = sizeof key - 1;

    if (bytes < length || memcmp(text, key, length) != 0) /* print() writes it first */
        return NULL;
    const char *end = memchr(text + length, '"', bytes - length);
    return end != NULL ? strndup(text + length, (size_t)(end - text) - length) : NULL;
}

int card_print(const char *file)
{
    char text[MAX_CARD];
    int ends[2], report, status = 0;

    if (pipe(ends) != 0)
        return complain(file, "no process can be created to load it");
    const pid_t keeper = keeper_fork(SPACES_PROCESSES, &report);
    if (keeper < 0)
        return complain(file, "no process can be created to load it");
    if (keeper == 0) {
        close(ends[0]);
        load_and_print(file, ends[1]);
    }
    close(ends[1]);
    const size_t bytes = take(ends[0], text, sizeof text);
    if (bytes > sizeof text)
        kill(-keeper, SIGKILL);
    while (waitpid(keeper, &status, 0) < 0 && errno == EINTR)
        ;
    status = keeper_status(report, status);
    if (bytes > sizeof text)
        return complain(file, "does not load within %d s", (int)PATIENCE);
    if (WIFSIGNALED(status))
        return complain(file, "ended by signal %d while loading", WTERMSIG(status));
    if (WEXITSTATUS(status) != EXIT_SUCCESS)
        return EXIT_FAILURE; /* it has printed the reason */
    if (bytes == 0)
        return complain(file, "ends the process that loads it");
    fwrite(text, 1, bytes, stdout);
    char *source = source_in(text, bytes);
    if (source != NULL)
        reading_print(source, stdout);
    free(source);
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
