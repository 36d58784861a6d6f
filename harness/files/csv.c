#include "harness/files/csv.h"

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

static bool ends_field(int c)
{
    return c == ',' || c == '\n' || c == EOF;
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
static bool quoted(struct infile *in, struct csv_field *field, int *c, struct error *error)
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
    if (ends_field(*c))
        return true;
    return error_set(error, "%s:%zu:%zu: after a closing quotation mark there must be a comma or "
                            "the end of the line", in->name, in->line, in->column - 1);
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

enum csv_end csv_next(struct infile *in, bool first, struct csv_field *field, struct error *error)
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
        if (!quoted(in, field, &c, error))
            return CSV_WRONG;
    } else {
        for (; !ends_field(c); c = next(in))
            if (!keep(in, field, c, error))
                return CSV_WRONG;
    }
    field->text[field->length < CSV_TEXT ? field->length : CSV_TEXT] = '\0';
    if (c == EOF && !infile_healthy(in, error))
        return CSV_WRONG;
    return c == ',' ? CSV_COMMA : CSV_ROW;
}
