#define _GNU_SOURCE
#include "harness/record.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/cell.h"
#include "harness/json_values.h"
#include "harness/registry.h"

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
        if (r->file >= 0) {
            (void)flock(r->file, LOCK_EX | LOCK_NB); /* nobody else knows of it yet */
            return r;
        }
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

/* Before anything is cut off: is the file ours?  One that was killed at once may hold less. */
static bool begins_like_records(int file)
{
    static const char start[] = "{\"record\":\"run\"";
    char bytes[sizeof start - 1];
    ssize_t got = pread(file, bytes, sizeof bytes, 0);

    return got >= 0 && memcmp(bytes, start, (size_t)got) == 0;
}

/* Lines that mean nothing without the line behind them that says that their table is whole. */
static bool is_of_table(const char *line)
{
    static const char *const kinds[] = {"measurement", "compare", "scaling"};
    static const char start[] = "{\"record\":\"";

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(line, start, sizeof start - 1) == 0 &&
            strncmp(line + sizeof start - 1, kinds[i], strlen(kinds[i])) == 0)
            return true;
    return false;
}

/* A kill can leave the last line without its end, and a table without its last rows. */
static bool cut_what_is_half(int file)
{
    FILE *f = fdopen(dup(file), "r");
    char *line = NULL;
    size_t room = 0;
    off_t keep = 0, at = 0;
    ssize_t length;

    if (f == NULL)
        return false;
    while ((length = getline(&line, &room, f)) > 0 && line[length - 1] == '\n') {
        at += length;
        keep = is_of_table(line) ? keep : at;
    }
    bool healthy = !ferror(f);
    free(line);
    fclose(f);
    return healthy && (keep == lseek(file, 0, SEEK_END) || ftruncate(file, keep) == 0);
}

/* Two that write to one file would leave nothing that anybody could read. */
static bool lock(const struct record *r, struct error *error)
{
    return flock(r->file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ||
           error_set(error, "%s: another run is writing to it", r->path);
}

static bool go_on(struct record *r, struct error *error)
{
    r->file = open(r->path, O_RDWR | O_APPEND | O_CLOEXEC);
    if (r->file < 0)
        return error_set(error, "%s: %s", r->path, strerror(errno));
    if (!begins_like_records(r->file))
        return error_set(error, "%s: not a file of records", r->path);
    return lock(r, error) &&
           (cut_what_is_half(r->file) || error_set(error, "%s: %s", r->path, strerror(errno)));
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
    if (go_on(r, error))
        return r;
    if (r->file >= 0)
        close(r->file);
    free(r);
    return NULL;
}

bool record_is_empty(const struct record *r)
{
    return lseek(r->file, 0, SEEK_END) == 0;
}

const char *record_path(const struct record *r)
{
    return r->path;
}

/* One write for all of it: a kill leaves it whole or not at all, as far as the kernel can help it. */
static bool write_text(struct record *r, const char *text, size_t length, struct error *error)
{
    off_t before = lseek(r->file, 0, SEEK_END);
    size_t done = 0;

    while (done < length) {
        ssize_t wrote = write(r->file, text + done, length - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            break;
        done += (size_t)wrote;
    }
    if (done == length)
        return true;
    error_set(error, "%s: %s", r->path, strerror(errno));
    if (before >= 0 && done > 0 && ftruncate(r->file, before) != 0)
        return error_set(error, "%s, and half a line is left", error->text);
    return false;
}

/* The list is gone after it. */
static bool write_lines(struct record *r, json_t *list, struct error *error)
{
    char *all = NULL;
    size_t bytes = 0, at;
    FILE *f = open_memstream(&all, &bytes);
    bool written = f != NULL;
    json_t *object;

    json_array_foreach(list, at, object) {
        json_object_set_new(object, "run_id", json_string(r->id));
        char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));
        written = written && text != NULL && fputs(text, f) >= 0 && fputc('\n', f) != EOF;
        free(text);
    }
    json_decref(list);
    written = f != NULL && fclose(f) == 0 && written;
    if (!written)
        error_set(error, "%s: a record could not be written as JSON", r->path);
    written = written && write_text(r, all, bytes, error);
    free(all);
    return written;
}

bool record_object(struct record *r, json_t *object, struct error *error)
{
    return write_lines(r, json_pack("[o]", object), error);
}

bool record_table(struct record *r, struct row *const rows[], size_t count, json_t *follows,
                  struct error *error)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, record_row_json(rows[i]));
    if (follows != NULL)
        json_array_extend(list, follows);
    json_decref(follows);
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o, s:I}", "record", "table", "problem",
                                          problem_name(rows[0]->problem), "label", rows[0]->label,
                                          "size", record_size(rows[0]), "rows", (json_int_t)count));
    return write_lines(r, list, error);
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

/* The most that this process ever held, bytes. */
static size_t peak_memory(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) == 0 ? (size_t)usage.ru_maxrss * 1024 : 0;
}

bool record_end(struct record *r, int status, double wall, const struct costs *costs,
                const struct warnings *warnings, struct error *error)
{
    json_t *object = json_pack("{s:s, s:i, s:o, s:o}", "record", "end", "exit_status", status,
                               "wall_ns", json_nanoseconds(wall), "warnings",
                               record_warnings_json(warnings));

    if (costs != NULL)
        json_object_update_new(
            object, json_pack("{s:o, s:o, s:o, s:o, s:o, s:I, s:I}", "timed_ns", json_nanoseconds(costs->timed),
                              "warmed_ns", json_nanoseconds(costs->warmed), "tried_ns",
                              json_nanoseconds(costs->tried), "called_ns",
                              json_nanoseconds(costs->called), "judged_ns",
                              json_nanoseconds(costs->judged), "held_bytes",
                              (json_int_t)costs->held, "peak_bytes", (json_int_t)peak_memory()));
    return record_object(r, object, error);
}

void record_close(struct record *r)
{
    if (r == NULL)
        return;
    close(r->file);
    free(r);
}
