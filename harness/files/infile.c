#include "harness/files/infile.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

/* Opens standard input, which can be read only once. */
static bool open_standard(struct infile *in, struct error *error)
{
    static bool opened;

    in->name = "standard input";
    if (opened)
        return error_set(error, "standard input is read once, so only one file can be -");
    opened = true;
    in->stream = stdin;
    return true;
}

static bool open_named(struct infile *in, struct error *error)
{
    in->stream = fopen(in->name, "rbe");
    return in->stream != NULL || error_set(error, "%s: %s", in->name, strerror(errno));
}

bool infile_open(struct infile *in, const char *name, struct error *error)
{
    struct stat status;

    *in = (struct infile){.name = name, .size = SIZE_MAX, .line = 1, .column = 1};
    if (!(strcmp(name, "-") == 0 ? open_standard(in, error) : open_named(in, error)))
        return false;
    name = in->name;
    if (fstat(fileno(in->stream), &status) != 0) {
        error_set(error, "%s: %s", name, strerror(errno));
        infile_close(in);
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        infile_close(in);
        return error_set(error, "%s: is a folder, not a file", name);
    }
    if (S_ISREG(status.st_mode) && status.st_size > 0) /* /proc has files with content whose size is 0 */
        in->size = (size_t)status.st_size;

    int first = getc(in->stream);
    if (first != EOF) {
        (void)ungetc(first, in->stream);
        return true;
    }
    if (infile_healthy(in, error))
        error_set(error, "%s: is empty", name);
    infile_close(in);
    return false;
}

void infile_close(struct infile *in)
{
    if (in->stream != NULL && in->stream != stdin)
        (void)fclose(in->stream); /* it was only read, so nothing can be lost */
    in->stream = NULL;
}

bool infile_holds(const struct infile *in, size_t bytes, const char *what, struct error *error)
{
    off_t at = ftello(in->stream);

    if (in->size == SIZE_MAX || at < 0)
        return true;
    size_t left = in->size > (size_t)at ? in->size - (size_t)at : 0;
    return left >= bytes || error_set(error, "%s: the %s has %zu bytes instead of %zu", in->name,
                                      what, left, bytes);
}

bool infile_read(struct infile *in, void *data, size_t bytes, const char *what,
                 struct error *error)
{
    if (fread(data, 1, bytes, in->stream) == bytes)
        return true;
    return infile_healthy(in, error) &&
           error_set(error, "%s: ends within the %s", in->name, what);
}

bool infile_at_end(struct infile *in, const char *what, struct error *error)
{
    if (getc(in->stream) != EOF)
        return error_set(error, "%s: more bytes follow the %s", in->name, what);
    return infile_healthy(in, error);
}

bool infile_healthy(const struct infile *in, struct error *error)
{
    return !ferror(in->stream) || error_set(error, "%s: cannot be read to its end", in->name);
}

bool infile_begins(struct infile *in, const char *with)
{
    size_t same = 0;
    int c = EOF;

    while (with[same] != '\0' && (c = getc(in->stream)) == (unsigned char)with[same])
        same++;
    if (with[same] != '\0' && c != EOF)
        (void)ungetc(c, in->stream);
    for (size_t back = same; back-- > 0;) /* the C library has these in its buffer, so more than one can go back */
        (void)ungetc((unsigned char)with[back], in->stream);
    return with[same] == '\0';
}
