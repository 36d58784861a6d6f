#include "harness/options_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plot.h"

bool parse_seconds(const char *text, const char *option, double *value, struct error *error)
{
    char *end;

    *value = strtod(text, &end);
    if (*end == 's')
        end++;
    if (end == text || *end != '\0' || !(*value > 0.0) || !isfinite(*value))
        return error_set(error, "--%s takes seconds above 0, not \"%s\"", option, text);
    return true;
}

bool parse_fail_on(const char *text, double *share, struct error *error)
{
    char *end = (char *)text + strcspn(text, ":");

    *share = 0.0;
    if (strncmp(text, "slower", 6) == 0 && end == text + 6) {
        if (*end == ':')
            *share = strtod(end + 1, &end) / 100.0;
        if (*end == '%')
            end++;
        if (*end == '\0' && end[-1] != ':' && *share >= 0.0 && isfinite(*share))
            return true;
    }
    return error_set(error, "--fail-on is slower or slower:PERCENT (slower:5%%), not \"%s\"", text);
}

bool parse_pictures(const char *text, unsigned *pictures, struct error *error)
{
    static const char *const names[] = {"svg", "png", "pdf"};
    static const unsigned bits[] = {PICTURE_SVG, PICTURE_PNG, PICTURE_PDF};

    *pictures = 0;
    for (const char *word = text; word != NULL; word = strchr(word, ',')) {
        size_t i = 0, length = strcspn(word += *word == ',', ",");
        while (i < 3 && (length != 3 || strncmp(word, names[i], 3) != 0))
            i++;
        if (i == 3)
            return error_set(error, "--as is a list of svg, png and pdf, not \"%s\"", text);
        *pictures |= bits[i];
    }
    return true;
}

bool parse_step(const char *text, double *value, struct error *error)
{
    char *end;

    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !(*value >= 1.05 && *value <= 1024.0))
        return error_set(error, "--step takes a factor from 1.05 to 1024, not \"%s\"", text);
    return true;
}

bool parse_steps(const char *text, const char *option, struct steps *steps,
                        struct error *error)
{
    *steps = (struct steps){.count = 0};
    for (const char *at = text;; at++) {
        size_t bytes = strcspn(at, ","), value, place = 0;
        if (!options_count(at, bytes, &value) || value < 1 || value > 4096)
            return error_set(error, "--%s takes numbers from 1 to 4096, not \"%s\"", option, text);
        while (place < steps->count && steps->value[place] < (int)value)
            place++;
        at += bytes;
        if (place == steps->count || steps->value[place] != (int)value) {
            if (steps->count == MAX_STEPS)
                return error_set(error, "--%s takes %d values at most", option, MAX_STEPS);
            memmove(steps->value + place + 1, steps->value + place,
                    (steps->count++ - place) * sizeof *steps->value);
            steps->value[place] = (int)value;
        }
        if (*at == '\0')
            return true;
    }
}

bool parse_format(const char *text, enum format *format, struct error *error)
{
    static const struct {
        const char *name;
        enum format format;
    } formats[] = {{"table", FORMAT_TABLE}, {"md", FORMAT_MARKDOWN}, {"csv", FORMAT_CSV},
                   {"json", FORMAT_JSON}};

    for (size_t i = 0; i < 4; i++)
        if (strcmp(text, formats[i].name) == 0) {
            *format = formats[i].format;
            return true;
        }
    return error_set(error, "--format is table, md, csv or json, not \"%s\"", text);
}
