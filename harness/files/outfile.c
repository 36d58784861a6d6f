#include "harness/files/outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns whether the target is written in place: a pipe, a device, or the file that is our standard
   output.  Renaming a file over /dev/null or /dev/stdout would do harm. */
static bool in_place(const struct stat *target)
{
    struct stat standard;

    if (!S_ISREG(target->st_mode))
        return true;
    return fstat(STDOUT_FILENO, &standard) == 0 && standard.st_dev == target->st_dev &&
           standard.st_ino == target->st_ino;
}

/* Sets the permissions that open(2) and the umask would give; mkstemp lets only the owner read. */
static bool usual_permissions(int file)
{
    mode_t mask = umask(0);

    umask(mask);
    return fchmod(file, 0666 & ~mask) == 0;
}

static FILE *open_temporary(struct outfile *out)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(out->target);
    FILE *stream = NULL;

    out->temporary = malloc(length + sizeof suffix);
    if (out->temporary == NULL)
        return NULL;
    memcpy(out->temporary, out->target, length);
    memcpy(out->temporary + length, suffix, sizeof suffix);

    int file = mkstemp(out->temporary);
    if (file < 0) {
        free(out->temporary);
        out->temporary = NULL; /* so that nothing is removed */
        return NULL;
    }
    if (usual_permissions(file))
        stream = fdopen(file, "wb");
    if (stream == NULL)
        (void)close(file);
    return stream;
}

static bool fail(struct outfile *out, int reason, struct error *error)
{
    error_set(error, "%s: cannot be written: %s", out->name, strerror(reason));
    outfile_abandon(out);
    return false;
}

static bool open_standard(struct outfile *out, struct error *error)
{
    out->name = "standard output";
    (void)fflush(stdout); /* what was printed before comes first */

    int file = dup(STDOUT_FILENO);
    out->stream = file >= 0 ? fdopen(file, "wb") : NULL;
    return out->stream != NULL || fail(out, errno, error);
}

static bool is_folder(const char *name)
{
    struct stat status;

    return stat(name, &status) == 0 && S_ISDIR(status.st_mode);
}

bool outfile_is_stream(const char *name)
{
    struct stat status;

    return strcmp(name, "-") == 0 || (stat(name, &status) == 0 && !S_ISREG(status.st_mode));
}

bool outfile_open(struct outfile *out, const char *name, struct error *error)
{
    struct stat status;
    bool exists = stat(name, &status) == 0;

    *out = (struct outfile){.name = name};
    if (strcmp(name, "-") == 0)
        return open_standard(out, error);
    if (exists && S_ISDIR(status.st_mode))
        return fail(out, EISDIR, error);
    if (exists && access(name, W_OK) != 0) /* rename would not check this */
        return fail(out, errno, error);

    errno = 0;
    if (exists && in_place(&status)) {
        out->stream = fopen(name, "abe");
    } else {
        out->target = exists ? realpath(name, NULL) : strdup(name);
        if (out->target != NULL)
            out->stream = open_temporary(out);
    }
    return out->stream != NULL || fail(out, errno, error);
}

bool outfile_can_open(const char *name, struct error *error)
{
    struct outfile out;

    if (outfile_is_stream(name) && !is_folder(name))
        return true;
    if (!outfile_open(&out, name, error))
        return false;
    outfile_abandon(&out);
    return true;
}

void outfile_write(struct outfile *out, const void *data, size_t bytes)
{
    if (out->failed == 0 && fwrite(data, 1, bytes, out->stream) != bytes)
        out->failed = errno;
}

bool outfile_close(struct outfile *out, struct error *error)
{
    /* The last bytes are written here.  Some file systems report a full disk only at the end. */
    int failed = fclose(out->stream) != 0 ? errno : 0;

    out->stream = NULL;
    if (out->failed == 0)
        out->failed = failed;
    if (out->failed == 0 && out->target != NULL && rename(out->temporary, out->target) != 0)
        out->failed = errno;
    if (out->failed != 0)
        return fail(out, out->failed, error);

    free(out->target);
    free(out->temporary);
    return true;
}

void outfile_abandon(struct outfile *out)
{
    if (out->stream != NULL)
        (void)fclose(out->stream);
    if (out->temporary != NULL)
        (void)unlink(out->temporary);
    free(out->target);
    free(out->temporary);
    *out = (struct outfile){.name = out->name};
}
