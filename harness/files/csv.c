#include "harness/files/csv.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/files/allocate.h"

/* Returns the next character; CRLF, CR and LF all become '\n'. */
static int next(struct infile *in)
{
    int c = infile_next(in);

    if (c != '\r')
        return c;
    c = getc_unlocked(in->stream);
    if (c != '\n')
        (void)ungetc(c, in->stream);
    in->line++;
    in->column = 1;
    return '\n';
}

static bool ends_field(int c, char separator)
{
    return c == separator || c == '\n' || c == EOF;
}

static const char *separator_name(char separator)
{
    return separator == ',' ? "comma" : separator == ';' ? "semicolon" : "tab";
}

static bool keep(struct infile *in, struct csv_field *field, int c, struct error *error)
{
    if (c == '\0')
        return error_set(error, "%s:%zu:%zu: a NUL byte; is this UTF-16, or no text at all?",
                         in->name, in->line, in->column - 1);
    if (field->length < CSV_TEXT)
        field->text[field->length] = (char)c;
    field->length++;
    return true;
}

/* Reads from behind the opening quote to what follows the closing one. */
static bool quoted(struct infile *in, char separator, struct csv_field *field, int *c,
                   struct error *error)
{
    for (;;) {
        *c = next(in);
        if (*c == EOF)
            return infile_healthy(in, error) &&
                   error_set(error, "%s:%zu:%zu: this quotation mark is never closed", in->name,
                             field->line, field->column);
        if (*c == '"') {
            *c = next(in);
            if (*c != '"') /* two quotes stand for one */
                break;
        }
        if (!keep(in, field, *c, error))
            return false;
    }
    if (ends_field(*c, separator))
        return true;
    return error_set(error, "%s:%zu:%zu: after a closing quotation mark there must be a %s or "
                            "the end of the line", in->name, in->line, in->column - 1,
                     separator_name(separator));
}

void csv_skip_mark(struct infile *in)
{
    static const unsigned char mark[] = {0xEF, 0xBB, 0xBF};
    int c = getc(in->stream);
    size_t i = 0;

    while (i < sizeof mark && c == mark[i]) {
        c = getc(in->stream);
        i++;
    }
    (void)ungetc(c, in->stream);
    if (i == sizeof mark)
        return;
    while (i > 0) /* C guarantees that one byte can be pushed back; all known libraries accept three */
        (void)ungetc(mark[--i], in->stream);
}

/* --- the head --------------------------------------------------------------------------------- */

enum { LONGEST_HEAD = 1 << 20 }; /* bytes; a longer first row is no table */

static const char separators[] = ",;\t";

/* A row as it stands, and how often each separator is in it outside quotation marks. */
struct raw {
    char *text;
    size_t length, room;
    size_t count[sizeof separators];
    bool blank;
};

static bool append(struct raw *raw, const struct infile *in, char c, struct error *error)
{
    if (raw->length == LONGEST_HEAD)
        return error_set(error, "%s:1: the first row is longer than %d bytes; is this a table?", in->name,
                         LONGEST_HEAD);
    if (raw->length == raw->room) {
        size_t room = raw->room > 0 ? 2 * raw->room : 256;
        char *text = allocate_more(raw->text, raw->room, room, 1, in->name, error);
        if (text == NULL)
            return false;
        raw->text = text;
        raw->room = room;
    }
    raw->text[raw->length++] = c;
    return true;
}

/* Reads a row.  At the end of the file it has no text. */
static bool read_raw(struct infile *in, struct raw *raw, struct error *error)
{
    bool quotes = false, begins = true; /* at c: within quotation marks; at the beginning of a field */

    *raw = (struct raw){.text = raw->text, .room = raw->room, .blank = true};
    for (int c = next(in); c != EOF; c = next(in)) {
        if (!append(raw, in, (char)c, error))
            return false;
        const char *separator = c != '\0' ? strchr(separators, c) : NULL;
        const bool opens_or_closes = c == '"' && (quotes || begins);
        quotes ^= opens_or_closes;
        begins = opens_or_closes || separator != NULL; /* two quotation marks close and open again */
        if (!quotes && separator != NULL)
            raw->count[separator - separators]++;
        raw->blank &= c == ' ' || c == '\t' || c == '\n';
        if (c == '\n' && !quotes)
            return true;
    }
    return infile_healthy(in, error);
}

/* Returns the separator that a line sep=; names, or 0 for any other line. */
static char stated_separator(const struct raw *raw)
{
    const bool ends = raw->length == 5 || (raw->length == 6 && raw->text[5] == '\n');
    const bool names = ends && strncasecmp(raw->text, "sep=", 4) == 0 && raw->text[4] != '\0';

    if (!names || strchr(separators, raw->text[4]) == NULL)
        return '\0';
    return raw->text[4];
}

bool csv_read_head(struct infile *in, struct csv_head *head, struct error *error)
{
    struct raw raw = {.text = NULL};
    struct infile row;
    bool good, again;
    char stated = '\0';

    csv_skip_mark(in);
    do {
        row = *in;
        good = read_raw(in, &raw, error);
        again = good && raw.blank && raw.length > 0;
        if (good && stated == '\0' && row.line == 1) {
            stated = stated_separator(&raw);
            again |= stated != '\0';
        }
    } while (again);
    if (good && raw.length == 0)
        good = error_set(error, "%s: is empty", in->name);
    if (good) {
        row.stream = fmemopen(raw.text, raw.length, "r");
        row.size = raw.length;
        good = row.stream != NULL || error_set(error, "%s: no memory", in->name);
    }
    if (!good) {
        free(raw.text);
        return false;
    }
    size_t most = 0;
    for (size_t i = 1; separators[i] != '\0'; i++)
        most = raw.count[i] > raw.count[most] ? i : most;
    *head = (struct csv_head){separators[most], row, raw.text, stated != '\0'};
    if (stated != '\0')
        head->separator = stated;
    return true;
}

void csv_head_free(struct csv_head *head)
{
    infile_close(&head->row);
    free(head->text);
}

/* --- fields ----------------------------------------------------------------------------------- */

enum csv_end csv_next(struct infile *in, char separator, bool first, struct csv_field *field,
                      struct error *error)
{
    field->line = in->line;
    field->column = in->column;
    field->length = 0;

    int c = next(in);
    if (c == EOF && first)
        return infile_healthy(in, error) ? CSV_FILE : CSV_WRONG;
    if (c == '\n' && first)
        return CSV_EMPTY;
    if (c == '"') {
        if (!quoted(in, separator, field, &c, error))
            return CSV_WRONG;
    } else {
        for (; !ends_field(c, separator); c = next(in))
            if (!keep(in, field, c, error))
                return CSV_WRONG;
    }
    field->text[field->length < CSV_TEXT ? field->length : CSV_TEXT] = '\0';
    if (c == EOF && !infile_healthy(in, error))
        return CSV_WRONG;
    return c == separator ? CSV_FIELD : CSV_ROW;
}

void csv_decimal_comma(struct csv_field *field)
{
    char *comma = strchr(field->text, ',');

    if (comma != NULL && strpbrk(comma + 1, ",.") == NULL)
        *comma = '.';
}
