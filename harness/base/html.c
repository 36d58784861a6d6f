#include "harness/base/html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/error.h"
#include "harness/base/text.h"

static const char *entity(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void html_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        const char *name = entity(*text);
        if (name != NULL)
            fputs(name, out);
        else if ((unsigned char)*text < ' ' && *text != '\n' && *text != '\t')
            fputc('?', out); /* control characters are not valid in a page */
        else
            fputc(*text, out);
    }
}

static void line_of_text(FILE *out, const char *text)
{
    char *clean = strdup(text);

    if (clean == NULL)
        abort();
    text_clean(clean);
    html_text(out, clean);
    free(clean);
}

void html_print(FILE *out, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    for (const char *c = format; *c != '\0'; c++) {
        if (*c != '%') {
            fputc(*c, out);
            continue;
        }
        c++;
        if (*c == 's')
            line_of_text(out, va_arg(arguments, const char *));
        else if (*c == 'd')
            fprintf(out, "%d", va_arg(arguments, int));
        else if (*c == 'z' && *++c == 'u')
            fprintf(out, "%zu", va_arg(arguments, size_t));
        else if (*c == '%')
            fputc('%', out);
        else
            abort(); /* the header lists the formats allowed */
    }
    va_end(arguments);
}

bool html_is_id(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789-_.";

    return *text != '\0' && text[strspn(text, allowed)] == '\0';
}
