#include "harness/files/columns.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct column with_asked(struct column c, struct asked asked)
{
    const char *word = asked.value;

    c.asked = asked;
    c.numbered = word != NULL && word[strspn(word, "0123456789")] == '\0';
    c.at = c.numbered ? (size_t)strtoull(word, NULL, 10) : 0;
    return c;
}

struct column column_latitude(struct asked asked)
{
    static const char *const usual[] = {"latitude", "lat", "latitude_deg", "lat_deg",
                                        "latitude_degrees", "lat_degrees", NULL};
    const struct column c = {.what = "latitude", .usual = usual, .axis = "y",
                             .low = -90, .high = 90,
                             .range = {"-90 and 90", "-pi/2 and pi/2"}};

    return with_asked(c, asked);
}

struct column column_longitude(struct asked asked)
{
    static const char *const usual[] = {"longitude", "lon", "lng", "long", "longitude_deg",
                                        "lon_deg", "lng_deg", "long_deg", "longitude_degrees",
                                        "lon_degrees", NULL};
    const struct column c = {.what = "longitude", .usual = usual, .axis = "x",
                             .low = -180, .high = 360,
                             .range = {"-180 and 360", "-pi and 2 pi"}};

    return with_asked(c, asked);
}

struct column column_name(struct asked asked)
{
    static const char *const none[] = {NULL};

    return with_asked((struct column){.what = "name", .usual = none, .axis = ""}, asked);
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
    if (c->asked.value != NULL) {
        char wanted[CSV_TEXT + 1];

        simplify(wanted, c->asked.value);
        if (strcmp(name, c->asked.value) == 0)
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

bool column_choose(struct column *c, const char *where, size_t columns, const char *seen, struct error *error)
{
    const char *option = c->asked.option, *word = c->asked.value;

    if (c->numbered) {
        if (c->at >= 1 && c->at <= columns)
            return true;
        return error_set(error, "%s: %s %s: the columns are 1 to %zu: %s", where, option, word, columns, seen);
    }
    for (int how = 0; how < ANSWERS; how++) {
        if (c->second[how] != 0)
            return error_set(error, "%s: columns %zu and %zu could both be the %s; "
                             "choose with %s NUMBER: %s", where, c->first[how], c->second[how],
                             c->what, option, seen);
        c->at = c->first[how];
        if (c->at != 0)
            return true;
    }
    if (word != NULL)
        return error_set(error, "%s: %s %s: not one of the columns %s", where, option, word, seen);
    return error_set(error, "%s: no column looks like the %s; give %s NAME or NUMBER, one of %s", where, c->what,
                     option, seen);
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

/* --- all columns of a table ------------------------------------------------------------------- */

struct columns columns_asked(const struct points_asked *asked)
{
    return (struct columns){.column = {column_latitude(asked->lat), column_longitude(asked->lon),
                                       column_name(asked->name)},
                            .count = asked->name.value != NULL ? COLUMNS : NAME};
}

/* Appends a quoted name to a list, or dots if the list is full. */
static void list(char *text, size_t bytes, const char *name)
{
    size_t length = strlen(text);

    if (length > 0 && text[length - 1] == '.')
        return;
    if (length + strlen(name) + sizeof ", \"\"..." <= bytes)
        (void)snprintf(text + length, bytes - length, "%s\"%s\"", length > 0 ? ", " : "", name);
    else
        (void)snprintf(text + length, bytes - length, "...");
}

void columns_consider(struct columns *c, const char *name)
{
    double value;
    const char *rest;

    c->width++;
    c->numeric = c->numeric || (number(name, &value, &rest) && *rest == '\0');
    list(c->seen, sizeof c->seen, name);
    for (size_t i = 0; i < c->count; i++)
        column_consider(&c->column[i], c->width, name);
}

bool columns_choose(struct columns *c, const char *where, struct error *error)
{
    if (c->width == 1)
        return error_set(error, "%s: has one column; commas, semicolons or tabs separate columns: %s", where, c->seen);
    for (size_t i = 0; i < c->count; i++)
        if (!column_choose(&c->column[i], where, c->width, c->seen, error)) {
            if (c->numeric)
                return error_set(error, "%s: no header? then give both columns by number, e.g. %s 1 %s 2; "
                                 "the first line is %s", where, c->column[LATITUDE].asked.option, c->column[LONGITUDE].asked.option, c->seen);
            return false;
        }
    if (c->column[LATITUDE].at != c->column[LONGITUDE].at)
        return true;
    return error_set(error, "%s: column %zu cannot be both latitude and longitude: %s", where, c->column[LATITUDE].at,
                     c->seen);
}

/* --- values ----------------------------------------------------------------------------------- */

bool column_has_number(const struct column *c)
{
    double value = 0;
    const char *rest = NULL;

    return number(c->field.text, &value, &rest);
}

bool column_is_missing(const struct column *c)
{
    static const char *const words[] = {"", "na", "n/a", "nan", "null", "none"};
    char simple[CSV_TEXT + 1];

    simplify(simple, c->field.text);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(simple, words[i]) == 0)
            return true;
    return false;
}

/* Returns what to do about a text that is no plain number, beginning with a semicolon, or nothing. */
static const char *angle_hint(const char *text)
{
    const char *digit = strpbrk(text, "0123456789");

    if (digit == NULL)
        return "";
    if (strncmp(text + strspn(text, " \t"), "\xE2\x88\x92", 3) == 0)
        return "; a minus sign is the character -";
    if (text[strspn(text, " \t+-0123456789")] == ',' && strchr(text, ',') == strrchr(text, ','))
        return "; decimal commas need semicolons or tabs between columns";
    return strpbrk(digit, ",xX") == NULL ? "; write decimal degrees, south and west negative, e.g. -33.87" : "";
}

bool column_angle(const struct column *c, bool radians, double *angle, struct error *error)
{
    const double radian = M_PI / 180;
    const double slack = 1 + 6e-8; /* float32's pi/2 and pi slightly exceed the exact numbers */
    const double unit = radians ? radian * slack : 1;
    const char *text = c->field.text, *rest = NULL;
    double value = 0;
    char wrong[160];

    if (text[strspn(text, " \t")] == '\0')
        (void)snprintf(wrong, sizeof wrong, "is empty; --skip-missing leaves out such rows");
    else if (column_is_missing(c))
        (void)snprintf(wrong, sizeof wrong, "is %.10s; --skip-missing leaves out such rows", text);
    else if (c->field.length > CSV_TEXT)
        (void)snprintf(wrong, sizeof wrong, "is longer than %d characters", CSV_TEXT);
    else if (!number(text, &value, &rest))
        (void)snprintf(wrong, sizeof wrong, "\"%.40s\" is not a number%s", text, radians ? "" : angle_hint(text));
    else if (*rest != '\0')
        (void)snprintf(wrong, sizeof wrong, "%.30s has \"%.30s\" after the number%s", text, rest,
                       radians ? "" : angle_hint(text));
    else if (!isfinite(value))
        (void)snprintf(wrong, sizeof wrong, "%.40s is not finite", text);
    else if (value < c->low * unit || value > c->high * unit)
        (void)snprintf(wrong, sizeof wrong, "%.40s is not between %s%s", text, c->range[radians],
                       !radians && c->high < 180.0 ? "; is it the longitude?" : "");
    else {
        *angle = radians ? value : value * radian;
        return true;
    }
    return error_set(error, "%s %s", c->what, wrong);
}
