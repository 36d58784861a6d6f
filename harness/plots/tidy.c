#define _GNU_SOURCE
#include "harness/plots/tidy.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"

/* --- writing ---------------------------------------------------------------------------------- */

static void append(char **to, const char *text)
{
    char *longer = NULL;

    if (asprintf(&longer, "%s%s%s", *to != NULL ? *to : "", *to != NULL ? "\t" : "", text) < 0)
        abort();
    free(*to);
    *to = longer;
}

static void put(struct tidy *t, const char *name, const char *field)
{
    if (t->names == NULL)
        append(&t->heading, name);
    append(&t->line, field);
}

void tidy_text(struct tidy *t, const char *name, const char *text)
{
    char clean[TIDY_FIELD], field[3 * TIDY_FIELD];
    size_t used = 0;

    snprintf(clean, sizeof clean, "%s", text[0] != '\0' ? text : "-");
    text_clean(clean); /* the text may end within a character */
    for (const char *s = clean; *s != '\0'; s++)
        if (*s == '\\') {
            memcpy(field + used, "\xE2\x88\x96", 3); /* U+2216 */
            used += 3;
        } else {
            field[used++] = (char)(*s == '"' ? '\'' : *s);
        }
    field[used] = '\0';
    put(t, name, field);
}

void tidy_number(struct tidy *t, const char *name, double value)
{
    char field[32];

    snprintf(field, sizeof field, isfinite(value) ? "%.9g" : "NaN", value);
    put(t, name, field);
}

void tidy_end(struct tidy *t)
{
    t->lines = realloc(t->lines, (t->count + 1) * sizeof *t->lines);
    if (t->lines == NULL)
        abort();
    t->lines[t->count++] = t->line;
    t->names = t->names != NULL ? t->names : t->heading;
    t->line = t->heading = NULL;
}

void tidy_free(struct tidy *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->lines[i]);
    free(t->lines);
    free(t->names);
    *t = (struct tidy){.count = 0};
}

bool tidy_write(const struct tidy *t, const size_t lines[], size_t count, const char *path,
                struct error *error)
{
    FILE *f = fopen(path, "we");

    if (f == NULL)
        return error_set(error, "%s: %s", path, strerror(errno));
    fprintf(f, "%s\n", t->names);
    for (size_t i = 0; i < count; i++)
        fprintf(f, "%s\n", t->lines[lines[i]]);
    const bool failed = ferror(f) != 0;
    if (fclose(f) == 0 && !failed)
        return true;
    return error_set(error, "%s: could not be written", path);
}

/* --- reading ---------------------------------------------------------------------------------- */

int tidy_column(const struct tidy *t, const char *name)
{
    const size_t bytes = strlen(name);
    int column = 0;

    for (const char *s = t->names; s != NULL; s = strchr(s, '\t'), column++) {
        s += *s == '\t';
        if (strncmp(s, name, bytes) == 0 && (s[bytes] == '\t' || s[bytes] == '\0'))
            return column;
    }
    return -1;
}

void tidy_get(const struct tidy *t, size_t line, const char *name, char text[TIDY_FIELD])
{
    int column = tidy_column(t, name);
    const char *s = t->lines[line];

    if (column < 0)
        s = "-";
    for (; column > 0; column--)
        s = strchr(s, '\t') + 1;
    snprintf(text, TIDY_FIELD, "%.*s", (int)strcspn(s, "\t"), s);
}

double tidy_value(const struct tidy *t, size_t line, const char *name)
{
    char text[TIDY_FIELD], *end;

    tidy_get(t, line, name, text);
    const double value = strtod(text, &end);
    return end != text && *end == '\0' ? value : NAN;
}
