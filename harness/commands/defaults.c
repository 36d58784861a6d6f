#define _GNU_SOURCE
#include "harness/commands/defaults.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folders.h"

/* --- the file --------------------------------------------------------------------------------- */

/* An option of the file. */
struct file_line {
    size_t number;
    const char *name; /* the row's, not an alias */
    char *value;      /* NULL: none */
};

static struct file_line lines[MAX_WORDS];
static size_t line_count;

bool defaults_file(char *path, size_t bytes)
{
    return folders_config("options", path, bytes);
}

/* Cuts blanks off both ends of a text. */
static char *trim(char *text)
{
    char *end = text + strlen(text);

    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return text + strspn(text, " \t");
}

/* Takes a line's text apart: "--max-time 2", "--max-time=2", "--quick". */
static bool take_line(char *text, size_t number, struct error *error)
{
    const size_t length = strcspn(text, " \t=");
    char *rest = text[length] != '\0' ? trim(text + length + 1) : NULL;

    text[length] = '\0';
    if (strncmp(text, "--", 2) != 0)
        return error_set(error, "takes an option a line, as on the command line: --max-time 2, not \"%s\"", text);
    const struct option_row *row = option_table_find(text + 2, NULL);
    if (row == NULL)
        return option_table_unknown(text, error);
    if (!option_table_has_default(row))
        return error_set(error, "%s is for the command line only; a file of defaults cannot hold it", text);
    if (row->argument == NULL && rest != NULL)
        return error_set(error, "%s takes no value", text);
    if (row->argument != NULL && row->argument[0] != '[' && (rest == NULL || rest[0] == '\0'))
        return error_set(error, "%s needs a value", text);
    if (line_count == MAX_WORDS)
        return error_set(error, "more than %d options", MAX_WORDS);
    char *value = rest != NULL ? strdup(rest) : NULL;
    if (rest != NULL && value == NULL)
        abort();
    lines[line_count++] = (struct file_line){number, row->name, value};
    return true;
}

static bool take_lines(FILE *in, const char *path, struct error *error)
{
    char *text = NULL;
    size_t room = 0, number = 0;
    bool fine = true;
    struct error why;

    while (fine && getline(&text, &room, in) > 0) {
        char *line = trim(text);
        number++;
        fine = line[0] == '\0' || line[0] == '#' || take_line(line, number, &why) ||
               error_set(error, "%s:%zu: %s", path, number, why.text);
    }
    if (fine && ferror(in))
        fine = error_set(error, "%s: %s", path, strerror(errno));
    free(text);
    return fine;
}

bool defaults_read(struct error *error)
{
    static bool done;
    char path[PATH_MAX];

    if (done || !defaults_file(path, sizeof path))
        return true;
    FILE *in = fopen(path, "re");
    if (in == NULL)
        return errno == ENOENT || errno == ENOTDIR || error_set(error, "%s: %s", path, strerror(errno));
    done = take_lines(in, path, error);
    (void)fclose(in);
    return done;
}

/* --- both ------------------------------------------------------------------------------------- */

void defaults_variable(const struct option_row *row, char *name, size_t bytes)
{
    snprintf(name, bytes, "RUNGS_%s", row->name);
    for (char *at = name; *at != '\0'; at++)
        *at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
}

bool defaults_find(const struct option_row *row, struct user_default *found)
{
    char path[PATH_MAX];

    if (!option_table_has_default(row))
        return false;
    defaults_variable(row, found->from, sizeof found->from);
    const char *set = getenv(found->from);
    if (set != NULL) {
        found->value = row->argument != NULL ? set : NULL;
        return set[0] != '\0' && (row->argument != NULL || strcmp(set, "0") != 0);
    }
    for (size_t i = line_count; i-- > 0;) /* of several lines the last one counts */
        if (strcmp(lines[i].name, row->name) == 0) {
            found->value = lines[i].value;
            defaults_file(path, sizeof path);
            snprintf(found->from, sizeof found->from, "%.490s:%zu", path, lines[i].number);
            return true;
        }
    return false;
}

bool defaults_take(const struct option_row *row, const struct user_default *d, struct options *o,
                   struct error *error)
{
    const struct option_given one = {row, row->name, d->value, (char *)o + row->field};
    struct error why;

    return row->take(&one, &why) || error_set(error, "%s: %s", d->from, why.text);
}
