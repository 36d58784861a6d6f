#include "harness/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers in words -------------------------------------------------------------------------- */

/* Rounds to nine digits, as records do.  Otherwise 67.85, the mean of a block, would be 67.8 in the
   run's table and 67.9 in the same table printed from its records. */
static double as_recorded(double x)
{
    char text[32];

    snprintf(text, sizeof text, "%.9g", x);
    return strtod(text, NULL);
}

void describe_number(double x, char *text, size_t bytes)
{
    x = as_recorded(x);
    const double size = fabs(x);
    int digits; /* before the point, or minus the number of zeros after it */

    if (!(size < 1e15)) {
        snprintf(text, bytes, "-");
        return;
    }
    digits = size >= 1e-9 ? (int)floor(log10(size)) + 1 : 0;
    if (digits > 3) {
        const double step = pow(10.0, digits - 3);
        snprintf(text, bytes, "%.0f", round(x / step) * step);
    } else if (digits > -3) { /* %g uses an exponent from 999.5 on */
        snprintf(text, bytes, size >= 999.5 ? "%.0f" : "%.3g", x);
    } else {
        snprintf(text, bytes, "%.*f", 3 - digits, x);
    }
}

/* With a prefix for a power of 1000: "278", "k". */
static void describe_scaled(double x, const char *between, const char *unit, char *text, size_t bytes)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    char number[32];
    size_t i = 0;

    for (; x >= 999.5 && i + 1 < sizeof prefixes / sizeof *prefixes; i++)
        x /= 1000.0;
    describe_number(x, number, sizeof number);
    snprintf(text, bytes, "%s%s%s%s", number, between, prefixes[i], unit);
}

void describe_count(double count, char *text, size_t bytes)
{
    if (count < 1e5)
        snprintf(text, bytes, "%.0f", count);
    else
        describe_scaled(count, "", "", text, bytes);
}

void describe_bytes(double count, char *text, size_t bytes)
{
    describe_scaled(count, " ", "B", text, bytes);
}

void describe_duration(double seconds, char *text, size_t bytes)
{
    static const struct {
        double from, is; /* seconds */
        const char *name;
    } units[] = {{172800.0, 86400.0, "days"}, {7200.0, 3600.0, "h"}, {120.0, 60.0, "min"},
                 {1.0, 1.0, "s"}, {1e-3, 1e-3, "ms"}, {1e-6, 1e-6, "us"}, {0.0, 1e-9, "ns"}};
    char number[32];
    size_t i = 0;

    /* What rounds to 1000 of one unit is 1 of the next. */
    while (units[i].from > 0.0 && !(seconds >= units[i].from * (units[i].is < 1.5 ? 0.9995 : 1.0)))
        i++;
    describe_number(seconds / units[i].is, number, sizeof number);
    snprintf(text, bytes, "%s %s", number, units[i].name);
}

/* --- clean text -------------------------------------------------------------------------------- */

/* Returns whether a character is invalid, ends a line or turns the direction of writing, which would
   misplace the text that follows. */
static bool misleads(uint32_t code)
{
    return (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0x061C || code == 0x200E || code == 0x200F || code == 0xFEFF;
}

/* Returns the length of the UTF-8 character at s, or 0 if there is none, and sets the character. */
static size_t decode(const char *s, uint32_t *character)
{
    static const uint32_t least[] = {0x20, 0xA0, 0x800, 0x10000}; /* smaller codes are control characters or
                                                                     overlong */
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

void text_last_line(const char *text, char *line, size_t bytes)
{
    size_t end = strlen(text), start;

    while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == ' '))
        end--;
    for (start = end; start > 0 && text[start - 1] != '\n';)
        start--;
    snprintf(line, bytes, "%.*s", (int)(end - start), text + start);
}

void text_quote(const char *word, char *text, size_t bytes)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:=@%^";

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        snprintf(text, bytes, "%s", word);
        return;
    }
    snprintf(text, bytes, "'");
    for (; *word != '\0'; word++)
        text_add(text, bytes, *word == '\'' ? "'\\''" : "%c", *word);
    text_add(text, bytes, "'");
}

void text_add(char *text, size_t bytes, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, bytes - used, format, arguments);
    va_end(arguments);
}

/* --- distances between words ------------------------------------------------------------------- */

enum { LONGEST = 127 };

static unsigned least(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;

    return m < c ? m : c;
}

unsigned edit_distance(const char *a, const char *b)
{
    unsigned row[LONGEST + 1]; /* distances from a[0..i) to every b[0..j) */
    size_t m = strnlen(a, LONGEST), n = strnlen(b, LONGEST);

    for (size_t j = 0; j <= n; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned replaced = diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            diagonal = row[j];
            row[j] = least(row[j] + 1, row[j - 1] + 1, replaced);
        }
    }
    return row[n];
}
