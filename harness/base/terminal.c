#define _GNU_SOURCE
#include "harness/base/terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool no_colour;

static bool size_of(FILE *out, struct winsize *size)
{
    return isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, size) == 0;
}

static bool draws(FILE *out)
{
    const char *term = getenv("TERM");

    return isatty(fileno(out)) && (term == NULL || strcmp(term, "dumb") != 0);
}

size_t terminal_width(FILE *out)
{
    struct winsize size = {.ws_col = 0};

    if (!isatty(fileno(out)))
        return 0;
    return size_of(out, &size) && size.ws_col > TERMINAL_LEAST ? size.ws_col : TERMINAL_LEAST;
}

size_t terminal_columns(FILE *out)
{
    struct winsize size = {.ws_col = 0};

    if (!isatty(fileno(out)))
        return 0;
    return size_of(out, &size) && size.ws_col > 0 ? size.ws_col : TERMINAL_LEAST;
}

size_t terminal_height(FILE *out)
{
    struct winsize size = {.ws_row = 0};

    if (!draws(out))
        return 0;
    return size_of(out, &size) && size.ws_row > 0 ? size.ws_row : 24;
}

bool terminal_colour(FILE *out)
{
    const char *unwanted = getenv("NO_COLOR");

    return !no_colour && (unwanted == NULL || unwanted[0] == '\0') && draws(out);
}

void terminal_no_colour(void)
{
    no_colour = true;
}

bool terminal_unicode(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0')
            return strcasestr(value, "utf-8") != NULL || strcasestr(value, "utf8") != NULL;
    }
    return false;
}

static size_t length_of(const char *text, size_t bytes)
{
    size_t length = 0;

    for (size_t i = 0; i < bytes; i++)
        length += ((unsigned char)text[i] & 0xc0) != 0x80; /* continuation bytes do not count */
    return length;
}

size_t terminal_length(const char *text)
{
    return length_of(text, strlen(text));
}

void terminal_wrap(FILE *out, const char *text, size_t at, size_t indent, size_t width)
{
    bool begun = false; /* the line has at least one word */

    while (*text != '\0' && *text != '\n') {
        size_t spaces = strspn(text, " "), bytes = strcspn(text + spaces, " \n");
        const char *word = text + spaces;
        size_t length = length_of(word, bytes);

        if (width > 0 && begun && at + spaces + length > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
            spaces = 0;
        }
        fprintf(out, "%*s%.*s", (int)spaces, "", (int)bytes, word);
        text = word + bytes;
        at += spaces + length;
        begun = true;
    }
}

static void wrap_lines(FILE *out, const char *text, size_t width)
{
    while (*text != '\0') {
        terminal_wrap(out, text, 0, 0, width);
        for (text += strcspn(text, "\n"); *text == '\n'; text++)
            fputc('\n', out);
    }
}

void terminal_lines(FILE *out, const char *text)
{
    wrap_lines(out, text, terminal_width(out));
}

void terminal_prose(FILE *out, const char *text)
{
    const size_t width = terminal_width(out);

    wrap_lines(out, text, width > 0 && width < 100 ? width : 100);
}

void terminal_hang(FILE *out, const char *text)
{
    const size_t width = terminal_width(out);

    while (*text != '\0') {
        terminal_wrap(out, text, 0, strspn(text, " ") + 2, width);
        for (text += strcspn(text, "\n"); *text == '\n'; text++)
            fputc('\n', out);
    }
}

void terminal_printf(FILE *out, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        abort();
    va_end(arguments);
    terminal_hang(out, text);
    free(text);
}
