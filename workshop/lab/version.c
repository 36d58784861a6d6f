#define _GNU_SOURCE
#include "workshop/lab/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "workshop/lab/text.h"

const char *version_symbol(const char *word)
{
    return strcmp(word, "starter") == 0 ? "STARTER" : strcmp(word, "solution") == 0 ? "" : NULL;
}

void version_source(const struct exercise *e, const char *symbol, char *source, size_t room)
{
    snprintf(source, room, "build-sim/dev/%.47s/%.79s%s", symbol[0] != '\0' ? symbol : "SOLUTION",
             e->full, e->cuda ? ".cu" : ".c");
}

bool version_write(const struct exercise *e, const char *symbol, struct error *error)
{
    char source[160], *text = exercise_text(e, symbol);

    version_source(e, symbol, source, sizeof source);
    bool good = text != NULL && text_write(source, text, error);
    free(text);
    return good;
}

/* --- building what is out of date ------------------------------------------------------------------- */

static bool is_written(const struct exercise *e, const char *symbol, const char *source)
{
    struct error ignored;
    char *text = exercise_text(e, symbol), *there = text_read(source, &ignored);
    bool same = text != NULL && there != NULL && strcmp(text, there) == 0;

    free(text);
    free(there);
    return same;
}

static bool is_newer(const char *file, const char *than)
{
    struct stat a, b;

    if (stat(file, &a) != 0 || stat(than, &b) != 0)
        return false;
    return a.st_mtim.tv_sec != b.st_mtim.tv_sec ? a.st_mtim.tv_sec > b.st_mtim.tv_sec
                                                : a.st_mtim.tv_nsec > b.st_mtim.tv_nsec;
}

static bool is_built(const char *source, enum place place)
{
    char program[160];

    build_program(source, place, program, sizeof program);
    return is_newer(program, source) && is_newer(program, build_harness(place));
}

/* Returns the first line of what make has said that names an error; without one, the last line. */
static const char *why(const char *said)
{
    const char *last = said;

    for (const char *line = said; *line != '\0'; line = text_next_line(line)) {
        if (memmem(line, strcspn(line, "\n"), "error", 5) != NULL || memmem(line, strcspn(line, "\n"), "Error", 5) != NULL)
            return line;
        last = line;
    }
    return last;
}

bool version_build(const struct exercise *e, const char *const symbols[], size_t count,
                   enum place place, struct error *error)
{
    static char said[1 << 14], source[MAX_NOTES + 2][160];
    const char *stale[MAX_NOTES + 2];
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        version_source(e, symbols[i], source[n], sizeof source[n]);
        if (!is_written(e, symbols[i], source[n]) && !version_write(e, symbols[i], error))
            return false;
        if (!is_built(source[n], place)) {
            stale[n] = source[n];
            n++;
        }
    }
    return n == 0 || build_sources(stale, n, place, said, sizeof said) ||
           error_set(error, "%s could not be built: %.*s", stale[0], (int)strcspn(why(said), "\n"), why(said));
}
