#include "harness/files/columns.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct column with_wanted(struct column c, const char *wanted)
{
    c.wanted = wanted;
    c.numbered = wanted != NULL && wanted[strspn(wanted, "0123456789")] == '\0';
    c.at = c.numbered ? (size_t)strtoull(wanted, NULL, 10) : 0;
    return c;
}

struct column column_latitude(const char *wanted)
{
    static const char *const usual[] = {"latitude", "lat", "latitude_deg", "lat_deg",
                                        "latitude_degrees", "lat_degrees", NULL};
    const struct column c = {.what = "latitude", .option = "--lat", .usual = usual, .axis = "y",
                             .low = -90, .high = 90,
                             .range = {"-90 and 90", "-pi/2 and pi/2"}};

    return with_wanted(c, wanted);
}

struct column column_longitude(const char *wanted)
{
    static const char *const usual[] = {"longitude", "lon", "lng", "long", "longitude_deg",
                                        "lon_deg", "lng_deg", "long_deg", "longitude_degrees",
                                        "lon_degrees", NULL};
    const struct column c = {.what = "longitude", .option = "--lon", .usual = usual, .axis = "x",
                             .low = -180, .high = 360,
                             .range = {"-180 and 360", "-pi and 2 pi"}};

    return with_wanted(c, wanted);
}

/* Copies the name in lower case without surrounding blanks, cut at the length of a field's text. */
static void simplify(char simple[CSV_TEXT + 1], const char *name)
{
    size_t length = 0;

    for (name += strspn(name, " \t"); *name != '\0' && length < CSV_TEXT; name++)
        simple[length++] = (char)tolower((unsigned char)*name);
    while (length > 0 && strchr(" \t", simple[length - 1]) != NULL)
        length--;
    simple[length] = '\0';
}

static enum answer answer(const struct column *c, const char *name)
{
    char simple[CSV_TEXT + 1];

    simplify(simple, name);
    if (c->wanted != NULL) {
        char wanted[CSV_TEXT + 1];

        simplify(wanted, c->wanted);
        if (strcmp(name, c->wanted) == 0)
            return ANSWER_EXACT;
        return strcmp(simple, wanted) == 0 ? ANSWER_NEARLY : ANSWERS;
    }
    for (const char *const *usual = c->usual; *usual != NULL; usual++)
        if (strcmp(simple, *usual) == 0)
            return ANSWER_EXACT;
    /* "latitude_rad" must be named by the user, or radians could be taken for degrees */
    if (strstr(simple, c->what) != NULL && strstr(simple, "rad") == NULL)
        return ANSWER_NEARLY;
    return strcmp(simple, c->axis) == 0 ? ANSWER_AXIS : ANSWERS;
}

void column_consider(struct column *c, size_t at, const char *name)
{
    enum answer how = answer(c, name);

    if (how == ANSWERS)
        return;
    if (c->first[how] == 0)
        c->first[how] = at;
    else
        c->second[how] = at;
}

bool column_choose(struct column *c, const char *file, size_t columns, const char *seen,
                   struct error *error)
{
    if (c->numbered) {
        if (c->at >= 1 && c->at <= columns)
            return true;
        return error_set(error, "%s:1: %s %s: the columns are 1 to %zu: %s", file, c->option,
                         c->wanted, columns, seen);
    }
    for (int how = 0; how < ANSWERS; how++) {
        if (c->second[how] != 0)
            return error_set(error, "%s:1: columns %zu and %zu could both be the %s; "
                             "choose with %s NUMBER: %s", file, c->first[how], c->second[how],
                             c->what, c->option, seen);
        c->at = c->first[how];
        if (c->at != 0)
            return true;
    }
    if (c->wanted != NULL)
        return error_set(error, "%s:1: %s %s: not one of the columns %s", file, c->option,
                         c->wanted, seen);
    return error_set(error, "%s:1: no column looks like the %s; give %s NAME or NUMBER, one of %s",
                     file, c->what, c->option, seen);
}

/* Reads the number in a field, without surrounding blanks; *rest is the text after it.  Returns false
   if the field does not begin with a number. strtod depends on the locale: the caller has set "C". */
static bool number(const char *text, double *value, const char **rest)
{
    const char *hexadecimal = strpbrk(text, "xX");
    char *end = NULL;

    *value = strtod(text, &end);
    *rest = hexadecimal != NULL && hexadecimal < end ? hexadecimal : end + strspn(end, " \t");
    return end > text;
}

bool column_has_number(const struct column *c)
{
    double value = 0;
    const char *rest = NULL;

    return number(c->field.text, &value, &rest);
}

bool column_angle(const struct column *c, const char *file, bool radians, float *angle,
                  struct error *error)
{
    const double radian = M_PI / 180;
    const double slack = 1 + 6e-8; /* float32's pi/2 and pi slightly exceed the exact numbers */
    const double unit = radians ? radian * slack : 1;
    const char *text = c->field.text, *rest = NULL;
    double value = 0;
    char wrong[160];

    if (text[strspn(text, " \t")] == '\0')
        (void)snprintf(wrong, sizeof wrong, "is empty");
    else if (c->field.length > CSV_TEXT)
        (void)snprintf(wrong, sizeof wrong, "is longer than %d characters", CSV_TEXT);
    else if (!number(text, &value, &rest))
        (void)snprintf(wrong, sizeof wrong, "\"%.40s\" is not a number", text);
    else if (*rest != '\0')
        (void)snprintf(wrong, sizeof wrong, "%.40s has \"%.40s\" after the number", text, rest);
    else if (!isfinite(value))
        (void)snprintf(wrong, sizeof wrong, "%.40s is not finite", text);
    else if (value < c->low * unit || value > c->high * unit)
        (void)snprintf(wrong, sizeof wrong, "%.40s is not between %s", text, c->range[radians]);
    else {
        *angle = (float)(radians ? value : value * radian);
        return true;
    }
    return error_set(error, "%s:%zu:%zu: %s %s", file, c->field.line, c->field.column, c->what,
                     wrong);
}
