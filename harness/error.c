#include "harness/error.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* No character, an end of a line, or what turns the direction of writing around: text after it would
   stand where it does not belong. */
static bool misleads(uint32_t code)
{
    return (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0x061C || code == 0x200E || code == 0x200F || code == 0xFEFF;
}

/* The bytes of the UTF-8 character at s, or 0 if there is none; and which it is. */
static size_t decode(const char *s, uint32_t *character)
{
    static const uint32_t least[] = {0x20, 0xA0, 0x800, 0x10000}; /* else control or overlong */
    unsigned char first = (unsigned char)s[0];
    size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    uint32_t code = more > 0 ? first & (0x3FU >> more) : first;

    if (first > 0xF4 || (more == 0 && first >= 0x7F))
        return 0;
    for (size_t i = 1; i <= more; i++) {
        unsigned char next = (unsigned char)s[i];

        if ((next & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (next & 0x3F);
    }
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return 0;
    *character = code;
    return more + 1;
}

void text_clean(char *text)
{
    uint32_t character = 0;
    char *to = text;

    for (const char *s = text; *s != '\0';) {
        const size_t bytes = decode(s, &character);

        if (bytes == 0 || misleads(character)) {
            *to++ = '?';
        } else {
            memmove(to, s, bytes);
            to += bytes;
        }
        s += bytes > 0 ? bytes : 1;
    }
    *to = '\0';
}

bool error_set(struct error *error, const char *format, ...)
{
    char text[sizeof error->text]; /* apart, for the arguments may include the old error */
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    if (length >= (int)sizeof text)
        memcpy(text + sizeof text - 4, "...", 4);
    text_clean(text);
    memcpy(error->text, text, sizeof text);
    return false;
}
