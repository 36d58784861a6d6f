#include "harness/worker/reading.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE = 500, LONGEST_PATH = 1024 };

/* A variant names its source by itself: what is no regular file (a pipe, a device) could block the build. */
static FILE *open_source(const char *path)
{
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat what;

    if (fd < 0)
        return NULL;
    FILE *f = fstat(fd, &what) == 0 && S_ISREG(what.st_mode) ? fdopen(fd, "r") : NULL;
    if (f == NULL)
        close(fd);
    return f;
}

/* Adds the lines of a file.  False: it cannot be read. */
static bool add_lines(const char *path, size_t *lines)
{
    FILE *f = open_source(path);

    if (f == NULL)
        return false;
    for (int c = getc(f); c != EOF; c = getc(f))
        *lines += c == '\n';
    fclose(f);
    return true;
}

/* The text behind " * KEY" of a comment's line; NULL: it is another line. */
static const char *value_of(const char *line, const char *key)
{
    const size_t length = strlen(key);

    return strncmp(line, " * ", 3) == 0 && strncmp(line + 3, key, length) == 0 && line[3 + length] == ' '
               ? line + 3 + length
               : NULL;
}

/* Copies the names in a value, "a.h, ../fft/b.h"; a name has letters, digits, "_", "-", "." and "/".  The words "nothing
   else" have no dot: they are no names. */
static void add_names(const char *value, char *names, size_t bytes)
{
    for (const char *at = value; *at != '\0';) {
        size_t length = 0;

        while (isalnum((unsigned char)at[length]) || (at[length] != '\0' && strchr("_-./", at[length]) != NULL))
            length++;
        const size_t used = strlen(names);
        if (memchr(at, '.', length) != NULL && used + 2 + length < bytes)
            snprintf(names + used, bytes - used, "%s%.*s", used > 0 ? ", " : "", (int)length, at);
        at += length > 0 ? length : 1;
    }
}

/* Finds both lines in the comment at the head.  False: one of them is missing. */
static bool find_lines(const char *source, int *level, char names[LINE])
{
    FILE *f = open_source(source);
    char line[LINE];
    bool in_read = false, has_read = false;

    *level = 0;
    names[0] = '\0';
    while (f != NULL && fgets(line, sizeof line, f) != NULL && strstr(line, "*/") == NULL) {
        const char *value = value_of(line, "Level");

        if (value != NULL)
            *level = atoi(value);
        value = in_read && strncmp(line, " *   ", 5) == 0 ? line + 5 : value_of(line, "Read");
        in_read = value != NULL;
        if (value != NULL)
            add_names(value, names, LINE);
        has_read = has_read || in_read;
    }
    if (f != NULL)
        fclose(f);
    return *level > 0 && has_read;
}

/* Sums up the lines of the source and of the headers, which are named as from its folder. */
static bool count_lines(const char *source, const char *names, size_t *lines)
{
    const char *slash = strrchr(source, '/');
    const int folder = slash != NULL ? (int)(slash + 1 - source) : 0;
    char path[LONGEST_PATH];

    *lines = 0;
    if (!add_lines(source, lines))
        return false;
    for (const char *at = names; *at != '\0'; at += strspn(at, ", ")) {
        const size_t length = strcspn(at, ",");

        snprintf(path, sizeof path, "%.*s%.*s", folder, source, (int)length, at);
        if (!add_lines(path, lines))
            return false;
        at += length;
    }
    return true;
}

void reading_print(const char *source, FILE *card)
{
    char names[LINE];
    size_t lines;
    int level;

    if (!find_lines(source, &level, names))
        return;
    fprintf(card, "level = %d\nread = \"%s\"\n", level, names);
    if (count_lines(source, names, &lines))
        fprintf(card, "lines = %zu\n", lines);
}
