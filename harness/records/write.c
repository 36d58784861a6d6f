#define _GNU_SOURCE
#include "harness/records/write.h"

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

#include "harness/base/folders.h"
#include "harness/base/json.h"
#include "harness/records/measurement.h"
#include "harness/records/run.h"

struct record {
    int file;
    off_t whole; /* of a continued file: bytes of complete lines and tables */
    char path[512];
    char date[32], id[48]; /* of the run: when it began, and its id */
};

char *record_text(json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));

    json_decref(object);
    return text;
}

/* --- the file --------------------------------------------------------------------------------- */

static struct record *record_new(void)
{
    struct record *r = calloc(1, sizeof *r);

    if (r == NULL)
        abort();
    run_utc(r->date, sizeof r->date, "%Y%m%dT%H%M%SZ");
    snprintf(r->id, sizeof r->id, "%s-%ld", r->date, (long)getpid());
    return r;
}

struct record *record_open(const char *file, const char *command, struct error *error)
{
    struct record *r = record_new();
    char host[64] = "host", number[16] = "";
    struct error why;

    gethostname(host, sizeof host - 1);
    if (file == NULL && !folders_make("results", &why)) {
        error_set(error, "%s; name a file elsewhere with --out", why.text);
        free(r);
        return NULL;
    }
    for (int turn = 1; turn < 1000; turn++) {
        if (turn > 1)
            snprintf(number, sizeof number, "-%d", turn);
        if (file != NULL)
            snprintf(r->path, sizeof r->path, "%s", file);
        else
            snprintf(r->path, sizeof r->path, "results/%s-%s-%s%s.jsonl", command, r->date, host,
                     number);
        r->file = open(r->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (r->file >= 0) {
            (void)flock(r->file, LOCK_EX | LOCK_NB); /* cannot fail: the file is new */
            return r;
        }
        if (errno != EEXIST || file != NULL)
            break;
    }
    if (errno == EEXIST)
        error_set(error, "%s: exists already; records are never overwritten", r->path);
    else
        error_set(error, "%s: %s", r->path, strerror(errno));
    free(r);
    return NULL;
}

/* Is it a file of records?  Checked before anything is cut off.  A run that was killed at once may have left
   less than a line. */
static bool begins_like_records(int file)
{
    static const char start[] = "{\"record\":\"run\"";
    char bytes[sizeof start - 1];
    ssize_t got = pread(file, bytes, sizeof bytes, 0);

    return got >= 0 && memcmp(bytes, start, (size_t)got) == 0;
}

/* Lines that count only if the line that marks their table as complete follows. */
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

/* A kill can leave an incomplete last line and an incomplete table. */
static bool find_what_is_whole(int file, off_t *whole)
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
    *whole = keep;
    return healthy;
}

/* Two runs that write to one file would make it unreadable. */
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
           (find_what_is_whole(r->file, &r->whole) || error_set(error, "%s: %s", r->path, strerror(errno)));
}

struct record *record_continue(const char *file, struct error *error)
{
    struct record *r = record_new();

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
    return r->whole == 0;
}

size_t record_whole(const struct record *r)
{
    return (size_t)r->whole;
}

bool record_cut(struct record *r, struct error *error)
{
    return r->whole == lseek(r->file, 0, SEEK_END) || ftruncate(r->file, r->whole) == 0 ||
           error_set(error, "%s: %s", r->path, strerror(errno));
}

const char *record_path(const struct record *r)
{
    return r->path;
}

/* Has the file been removed or replaced?  Then all that is written to it is lost. */
static bool is_there(const struct record *r, struct error *error)
{
    struct stat ours, there;

    return (fstat(r->file, &ours) == 0 && stat(r->path, &there) == 0 &&
            ours.st_ino == there.st_ino && ours.st_dev == there.st_dev) ||
           error_set(error, "%s: was removed during the run, and its records with it", r->path);
}

/* Writes all with a single call, so that a kill leaves all or nothing, as far as the kernel guarantees it. */
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
        return is_there(r, error);
    error_set(error, "%s: %s", r->path, strerror(errno));
    if (before >= 0 && done > 0 && ftruncate(r->file, before) != 0)
        return error_set(error, "%s; an incomplete line is left", error->text);
    return false;
}

/* Takes the reference to the list. */
static bool write_lines(struct record *r, json_t *list, struct error *error)
{
    char *all = NULL;
    size_t bytes = 0, at;
    FILE *f = open_memstream(&all, &bytes);
    bool written = f != NULL;
    json_t *object;

    json_array_foreach(list, at, object) {
        json_object_set_new(object, "run_id", json_string(r->id));
        char *text = record_text(json_incref(object));
        written = written && text != NULL && fputs(text, f) >= 0 && fputc('\n', f) != EOF;
        free(text);
    }
    json_decref(list);
    written = f != NULL && fclose(f) == 0 && written;
    if (!written)
        error_set(error, "%s: a record could not be converted to JSON", r->path);
    written = written && write_text(r, all, bytes, error);
    free(all);
    return written;
}

bool record_object(struct record *r, json_t *object, struct error *error)
{
    return write_lines(r, json_pack("[o]", object), error);
}

bool record_table(struct record *r, struct result *const results[], size_t count, json_t *follows,
                  struct error *error)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, measurement_write(results[i]));
    if (follows != NULL)
        json_array_extend(list, follows);
    json_decref(follows);
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o, s:I}", "record", "table", "problem",
                                          results[0]->problem, "label", results[0]->label, "size",
                                          size_write(results[0]), "rows", (json_int_t)count));
    return write_lines(r, list, error);
}

/* Returns the most memory that this process has used, in bytes. */
static size_t peak_memory(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) == 0 ? (size_t)usage.ru_maxrss * 1024 : 0;
}

static const char *const account_keys[ACCOUNTS] = {NULL,       "timed_ns",  "warmed_ns",
                                                   "tried_ns", "called_ns", "judged_ns"};

bool record_end(struct record *r, int status, double wall, const struct costs *costs,
                const struct warnings *warnings, struct error *error)
{
    json_t *object = json_pack("{s:s, s:i, s:o, s:o}", "record", "end", "exit_status", status,
                               "wall_ns", json_nanoseconds(wall), "warnings",
                               run_write_warnings(warnings));

    if (costs != NULL) {
        for (int i = COST_TIMED; i < ACCOUNTS; i++)
            json_object_set_new(object, account_keys[i], json_nanoseconds(costs->spent[i]));
        json_object_set_new(object, "held_bytes", json_integer((json_int_t)costs->held));
        json_object_set_new(object, "peak_bytes", json_integer((json_int_t)peak_memory()));
    }
    return record_object(r, object, error);
}

void record_close(struct record *r)
{
    if (r == NULL)
        return;
    close(r->file);
    free(r);
}
