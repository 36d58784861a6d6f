#define _GNU_SOURCE
#include "workshop/lab/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/terminal.h"
#include "harness/files/outfile.h"

enum { MOST = 1 << 20, WIDTH = 96, NARROWEST = 40 };

char *text_read(const char *file, struct error *error)
{
    const int opened = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe must not make this wait */
    struct stat s;
    bool regular = opened >= 0 && fstat(opened, &s) == 0 && S_ISREG(s.st_mode);
    FILE *f = regular ? fdopen(opened, "r") : NULL;
    char *text = f != NULL ? malloc(MOST) : NULL;

    if (text == NULL) {
        error_set(error, "%s: %s", file, opened >= 0 && !regular ? "is not a regular file" : strerror(errno));
        if (f != NULL)
            fclose(f);
        else if (opened >= 0)
            close(opened);
        return NULL;
    }
    size_t got = fread(text, 1, MOST, f);
    bool good = !ferror(f) && got < MOST;
    fclose(f);
    if (!good) {
        error_set(error, "%s: %s", file, got == MOST ? "too large for a source" : "cannot be read");
        free(text);
        return NULL;
    }
    text[got] = '\0';
    return text;
}

static void make_folders(const char *file)
{
    char path[512];

    snprintf(path, sizeof path, "%s", file);
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777); /* an error shows when the file is written */
        *slash = '/';
    }
}

bool text_write(const char *file, const char *text, struct error *error)
{
    struct outfile out;
    struct stat s;

    if (stat(file, &s) == 0 && !S_ISREG(s.st_mode)) /* writing to a pipe might never end */
        return error_set(error, "%s: is not a regular file", file);
    make_folders(file);
    if (!outfile_open(&out, file, error))
        return false;
    outfile_write(&out, text, strlen(text));
    return outfile_close(&out, error);
}

char *text_trim(char *text)
{
    size_t length;

    while (isspace((unsigned char)*text))
        text++;
    length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* Returns the length of a paragraph.  It ends before a line that is empty or begins with a blank or a dash. */
static size_t paragraph(const char *text)
{
    size_t length = strcspn(text, "\n");

    while (text[length] == '\n' && text[length + 1] != '\n' && text[length + 1] != ' ' &&
           text[length + 1] != '-' && text[length + 1] != '\0')
        length += 1 + strcspn(text + length + 1, "\n");
    return length;
}

int text_width(FILE *out)
{
    const size_t columns = terminal_columns(out);

    if (columns == 0 || columns > WIDTH)
        return WIDTH;
    return columns < NARROWEST ? NARROWEST : (int)columns;
}

/* With `hanging`, the first line is not indented. */
static void print_paragraph(FILE *out, const char *text, size_t length, int indent, bool hanging)
{
    const size_t room = (size_t)(text_width(out) - indent);

    while (length > 0) {
        size_t take = length;
        if (take > room)
            for (take = room; take > 0 && text[take] != ' ' && text[take] != '\n'; take--)
                ;
        if (take == 0)
            take = length < room ? length : room;
        fprintf(out, "%*s", hanging ? 0 : indent, "");
        for (size_t i = 0; i < take; i++)
            fputc(text[i] == '\n' ? ' ' : text[i], out);
        fputc('\n', out);
        hanging = false;
        while (take < length && (text[take] == ' ' || text[take] == '\n'))
            take++;
        text += take;
        length -= take;
    }
}

/* Prints a line of code; breaks it where the terminal ends. */
static void print_code(FILE *out, const char *text, size_t length, int indent)
{
    enum { MORE = 8 };
    const size_t columns = terminal_columns(out);

    while (columns > NARROWEST && length + (size_t)indent > columns) {
        size_t take = columns - (size_t)indent;
        while (take > NARROWEST / 2 && text[take] != ' ')
            take--;
        fprintf(out, "%*s%.*s\n", indent, "", (int)take, text);
        take += text[take] == ' ';
        text += take;
        length -= take;
        indent = indent < MORE ? MORE : indent;
    }
    fprintf(out, "%*s%.*s\n", length > 0 ? indent : 0, "", (int)length, text);
}

void text_print(FILE *out, const char *text, int indent)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (text[0] == ' ' || length == 0)
            print_code(out, text, length, indent);
        else
            print_paragraph(out, text, length = paragraph(text), indent, false);
        text += length + (text[length] == '\n');
    }
}

void text_print_lines(FILE *out, const char *text, int indent)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        print_code(out, text, length, indent);
        text += length + (text[length] == '\n');
    }
}

void text_print_hanging(FILE *out, const char *text, int indent)
{
    size_t length = paragraph(text);

    print_paragraph(out, text, length, indent, true);
    text_print(out, text + length + (text[length] == '\n'), indent);
}

const char *text_next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

const char *text_line(const char *text, int number)
{
    for (int line = 1; line < number && *text != '\0'; line++)
        text = text_next_line(text);
    return text;
}

char *text_without_comments(const char *text)
{
    char *copy = strdup(text);

    for (char *at = copy; copy != NULL && *at != '\0';) {
        const bool block = strncmp(at, "/*", 2) == 0, line = strncmp(at, "//", 2) == 0;
        const char *end = block ? strstr(at + 2, "*/") : at + strcspn(at, "\n");
        size_t length = !block && !line ? 1 : end != NULL ? (size_t)(end - at) + 2 * block : strlen(at);
        if (block || line)
            for (size_t i = 0; i < length; i++)
                at[i] = at[i] == '\n' ? '\n' : ' ';
        at += length;
    }
    return copy;
}
