#define _GNU_SOURCE
#include "harness/record.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/json_values.h"

struct record {
    int file;
    char path[512];
    char id[48];
};

/* Takes the object. */
static char *line_text(json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));

    json_decref(object);
    return text;
}

char *record_text(const struct row *row)
{
    return line_text(record_row_json(row));
}

/* --- the file --------------------------------------------------------------------------------- */

void record_utc(char *text, size_t bytes, const char *format)
{
    time_t now = time(NULL);
    struct tm parts;

    gmtime_r(&now, &parts);
    strftime(text, bytes, format, &parts);
}

static void name_run(struct record *r)
{
    char date[32];

    record_utc(date, sizeof date, "%Y%m%dT%H%M%SZ");
    snprintf(r->id, sizeof r->id, "%s-%ld", date, (long)getpid());
}

struct record *record_open(const char *file, const char *command, struct error *error)
{
    struct record *r = calloc(1, sizeof *r);
    char date[32], host[64] = "host";

    if (r == NULL) {
        error_set(error, "no memory for the records");
        return NULL;
    }
    gethostname(host, sizeof host - 1);
    if (file == NULL)
        (void)mkdir("results", 0777); /* if it is not there, open below says why */
    record_utc(date, sizeof date, "%Y%m%dT%H%M%SZ");
    name_run(r);
    for (int turn = 1; turn < 1000; turn++) {
        if (file != NULL)
            snprintf(r->path, sizeof r->path, "%s", file);
        else if (turn == 1)
            snprintf(r->path, sizeof r->path, "results/%s-%s-%s.jsonl", command, date, host);
        else
            snprintf(r->path, sizeof r->path, "results/%s-%s-%s-%d.jsonl", command, date, host,
                     turn);
        r->file = open(r->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (r->file >= 0)
            return r;
        if (errno != EEXIST || file != NULL)
            break;
    }
    if (errno == EEXIST)
        error_set(error, "%s: exists already, and records are never overwritten", r->path);
    else
        error_set(error, "%s: %s", r->path, strerror(errno));
    free(r);
    return NULL;
}

/* Before a line is cut off: is the file ours? */
static bool begins_like_records(int file)
{
    static const char start[] = "{\"record\":\"run\"";
    char bytes[sizeof start - 1];

    return pread(file, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes &&
           memcmp(bytes, start, sizeof bytes) == 0;
}

/* A kill can leave the last line without its end: what nobody can read goes. */
static bool cut_half_line(int file)
{
    char bytes[4096];
    off_t end = lseek(file, 0, SEEK_END);

    while (end > 0) {
        off_t from = end > (off_t)sizeof bytes ? end - (off_t)sizeof bytes : 0;
        ssize_t got = pread(file, bytes, (size_t)(end - from), from);
        if (got <= 0)
            return false;
        while (got > 0 && bytes[got - 1] != '\n')
            got--;
        end = from + got;
        if (got > 0)
            break;
    }
    return end == lseek(file, 0, SEEK_END) || ftruncate(file, end) == 0;
}

struct record *record_continue(const char *file, struct error *error)
{
    struct record *r = calloc(1, sizeof *r);

    if (r == NULL) {
        error_set(error, "no memory for the records");
        return NULL;
    }
    name_run(r);
    snprintf(r->path, sizeof r->path, "%s", file);
    r->file = open(file, O_RDWR | O_APPEND | O_CLOEXEC);
    if (r->file >= 0 && !begins_like_records(r->file))
        error_set(error, "%s: not a file of records", file);
    else if (r->file >= 0 && cut_half_line(r->file))
        return r;
    else
        error_set(error, "%s: %s", file, strerror(errno));
    if (r->file >= 0)
        close(r->file);
    free(r);
    return NULL;
}

const char *record_path(const struct record *r)
{
    return r->path;
}

/* One write for the whole line: a kill leaves it whole or not at all. */
bool record_object(struct record *r, json_t *object, struct error *error)
{
    json_object_set_new(object, "run_id", json_string(r->id));
    char *text = line_text(object);
    if (text == NULL)
        return error_set(error, "%s: a record could not be written as JSON", r->path);

    off_t before = lseek(r->file, 0, SEEK_END);
    size_t length = strlen(text), done = 0;
    text[length++] = '\n'; /* in the place of its final zero */
    while (done < length) {
        ssize_t wrote = write(r->file, text + done, length - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            break;
        done += (size_t)wrote;
    }
    free(text);
    if (done == length)
        return true;
    error_set(error, "%s: %s", r->path, strerror(errno));
    if (before >= 0 && done > 0 && ftruncate(r->file, before) != 0)
        return error_set(error, "%s, and half a line is left", error->text);
    return false;
}

bool record_run(struct record *r, const struct record_run *run, struct error *error)
{
    return record_object(r, record_run_json(run), error);
}

bool record_row(struct record *r, const struct row *row, struct error *error)
{
    return record_object(r, record_row_json(row), error);
}

bool record_ceiling(struct record *r, const struct ceiling_value *v, struct error *error)
{
    return record_object(r, record_ceiling_json(v), error);
}

char *record_ceiling_text(const struct ceiling_value *v)
{
    return line_text(record_ceiling_json(v));
}

bool record_end(struct record *r, int status, double wall, const struct warnings *warnings,
                struct error *error)
{
    return record_object(r,
                      json_pack("{s:s, s:i, s:o, s:o}", "record", "end", "exit_status", status,
                                "wall_ns", json_nanoseconds(wall), "warnings",
                                   record_warnings_json(warnings)),
                      error);
}

void record_close(struct record *r)
{
    if (r == NULL)
        return;
    close(r->file);
    free(r);
}
