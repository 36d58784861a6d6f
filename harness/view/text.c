/* Draws a document with letters: one row for each 128 bytes of memory, two columns for each 4 bytes. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/view/text.h"

enum { LINE = 128, WORD = 4, WORDS = LINE / WORD, SECTOR = 32, WARP = 32, MOST_ROWS = 2 * WARP };

/* --- memory ----------------------------------------------------------------------------------- */

struct row {
    long long line;    /* 128 bytes each, counted from where sectors and banks begin */
    char word[WORDS];  /* the lane that accesses it; '*': several; 0: none */
    unsigned fetched;  /* a bit for each sector */
};

struct rows {
    struct row row[MOST_ROWS];
    size_t count;
};

static char digit(long long lane)
{
    return "0123456789abcdefghijklmnopqrstuv"[lane & 31];
}

static struct row *row_of(struct rows *rows, long long line)
{
    size_t at = 0;

    while (at < rows->count && rows->row[at].line < line)
        at++;
    if (at < rows->count && rows->row[at].line == line)
        return &rows->row[at];
    if (rows->count == MOST_ROWS)
        return NULL;
    memmove(&rows->row[at + 1], &rows->row[at], (rows->count++ - at) * sizeof *rows->row);
    rows->row[at] = (struct row){.line = line};
    return &rows->row[at];
}

/* Marks the bytes that a lane accesses, from `place` on. */
static void mark(struct rows *rows, long long place, long long bytes, char lane)
{
    for (long long at = place; at < place + bytes; at += at % WORD == 0 ? WORD : 1) {
        const long long line = (at - ((at % LINE) + LINE) % LINE) / LINE;
        struct row *row = row_of(rows, line);
        const size_t word = (size_t)(at - line * LINE) / WORD;
        if (row == NULL)
            return;
        if (row->word[word] == 0)
            row->word[word] = lane;
        else if (row->word[word] != lane)
            row->word[word] = '*';
        row->fetched |= 1u << word * WORD / SECTOR;
    }
}

static void mark_all(struct rows *rows, const json_t *request)
{
    const json_t *lanes = json_object_get(request, "lanes"), *offsets = json_object_get(request, "offsets");
    const long long base = view_number(request, "base"), bytes = view_number(request, "bytes");

    for (size_t i = 0; i < json_array_size(lanes); i++)
        mark(rows, base + view_at(offsets, i), bytes, digit(view_at(lanes, i)));
}

/* Returns the number of sectors, which is that of the counters: each is drawn once. */
static size_t count_sectors(const struct rows *rows)
{
    size_t count = 0;

    for (size_t i = 0; i < rows->count; i++)
        count += (size_t)__builtin_popcount(rows->row[i].fetched);
    return count;
}

static void array_name(const json_t *request, char *text, size_t bytes)
{
    const char *name = view_word(json_object_get(request, "array"), "name");

    snprintf(text, bytes, "%.12s", name[0] != '\0' ? name : "array");
}

/* Writes a place in an array: "in[32]", or "w+128 B". */
static void place_name(const json_t *access, long long offset, char *text, size_t room)
{
    const long long bytes = view_number(access, "bytes");
    char name[16];

    array_name(access, name, sizeof name);
    if (json_is_true(json_object_get(access, "in_bytes")))
        snprintf(text, room, "%s+%lld B", name, offset);
    else
        snprintf(text, room, "%s[%lld]", name, offset / (bytes > 0 ? bytes : 1));
}

/* Prints where a row begins. */
static void print_label(FILE *out, const json_t *request, const struct row *row)
{
    char label[48];

    place_name(request, row->line * LINE - view_number(request, "base"), label, sizeof label);
    fprintf(out, "  %14s ", label);
}

static void print_rows(FILE *out, const json_t *request, const struct rows *rows, bool sectors)
{
    long long gap = 0; /* one that repeats is told once */

    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        const long long lines = i > 0 ? row->line - rows->row[i - 1].line - 1 : 0;
        if (lines > 0 && lines != gap)
            fprintf(out, "  %14s  %lld bytes between\n", "...", lines * LINE);
        gap = lines;
        print_label(out, request, row);
        for (size_t w = 0; w < WORDS; w++) {
            const bool fetched = (row->fetched >> w * WORD / SECTOR & 1) != 0;
            if (sectors && w * WORD % SECTOR == 0)
                fputc('|', out);
            fprintf(out, "%c%s", row->word[w] != 0 ? row->word[w] : sectors && fetched ? '.' : ' ',
                    sectors && (w + 1) * WORD % SECTOR == 0 ? "" : " ");
        }
        fputs(sectors ? "|\n" : "\n", out);
    }
}

/* --- a request -------------------------------------------------------------------------------- */

static void print_banks(FILE *out, const struct rows *rows)
{
    fprintf(out, "  %14s ", "words per bank");
    for (size_t w = 0; w < WORDS; w++) {
        unsigned words = 0;
        for (size_t i = 0; i < rows->count; i++)
            words += rows->row[i].word[w] != 0;
        fprintf(out, words < 10 ? "%u " : "%u", words);
    }
    fputc('\n', out);
}

/* Prints the counters of the request's source line in the whole kernel. */
static void print_line(FILE *out, const json_t *kernel, const json_t *request)
{
    const bool global = strcmp(view_word(request, "space"), "global") == 0;
    const json_t *line;
    size_t i;

    json_array_foreach((json_t *)json_object_get(kernel, "lines"), i, line) {
        const double requests = (double)view_number(line, "requests"),
                     parts = (double)view_number(line, global ? "sectors" : "wavefronts");
        if (strcmp(view_word(line, "at"), view_word(request, "at")) != 0 ||
            strcmp(view_word(line, "access"), view_word(request, "access")) != 0 || requests <= 0.0)
            continue;
        terminal_printf(out, "  in the whole kernel: %.0f requests of this line, %.0f %s: %.2f a request\n", requests,
                        parts, global ? "sectors" : "passes", parts / requests);
        return;
    }
}

static void print_elsewhere(FILE *out, const json_t *request)
{
    const json_t *one;
    size_t i;

    json_array_foreach((json_t *)json_object_get(request, "elsewhere"), i, one) {
        terminal_printf(out, "  %d lanes wait: they go on at %s\n",
                        __builtin_popcount((unsigned)view_number(one, "mask")), view_word(one, "at"));
    }
}

static void print_source(FILE *out, const json_t *document, const json_t *request)
{
    terminal_printf(out, "  %s  %s\n", view_word(request, "at"),
                    view_word(json_object_get(document, "sources"), view_word(request, "at")));
}

/* Returns whether several lanes access one place. */
static bool is_common(const struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (memchr(rows->row[i].word, '*', WORDS) != NULL)
            return true;
    return false;
}

void text_request(FILE *out, const json_t *document, const json_t *kernel, const json_t *request)
{
    const bool global = strcmp(view_word(request, "space"), "global") == 0;
    const json_t *lanes = json_object_get(request, "lanes");
    struct rows rows = {.count = 0};

    print_source(out, document, request);
    mark_all(&rows, request);
    terminal_printf(out, "  %s %s of %zu lanes, %lld bytes each; a lane is a digit, 0 to 9 and a to v%s%s\n",
                    view_word(request, "space"), view_word(request, "access"), json_array_size(lanes),
                    view_number(request, "bytes"), is_common(&rows) ? ", several are *" : "",
                    global ? "; . is fetched and not needed" : "; a column is a bank");
    print_rows(out, request, &rows, global);
    if (global) {
        terminal_printf(out, "  %zu sectors of 32 bytes; %lld would do\n", count_sectors(&rows),
                        view_number(request, "least"));
    } else {
        print_banks(out, &rows);
        terminal_printf(out, "  %lld passes; %lld would do\n", view_number(request, "parts"),
                        view_number(request, "least"));
    }
    print_elsewhere(out, request);
    print_line(out, kernel, request);
}

/* --- a mistake -------------------------------------------------------------------------------- */

static const char *verb(const json_t *event)
{
    const char *access = view_word(event, "access");

    return strcmp(access, "load") == 0 ? "reads" : strcmp(access, "store") == 0 ? "writes" : "changes";
}

/* Draws the access that is the mistake, among those of the lanes that had run. */
static void print_access(FILE *out, const json_t *document, const json_t *access)
{
    const json_t *array = json_object_get(access, "array");
    const long long bytes = view_number(access, "bytes"), offset = view_number(access, "offset"),
                    size = view_number(array, "bytes");
    const bool global = strcmp(view_word(access, "space"), "global") == 0;
    struct rows rows = {.count = 0};
    char name[16];

    array_name(access, name, sizeof name);
    print_source(out, document, access);
    mark_all(&rows, access);
    mark(&rows, view_number(access, "base") + offset, bytes, '!');
    print_rows(out, access, &rows, global);
    terminal_printf(out, "  ! is lane %lld, which %s %s[%lld]; %s has %lld elements of %lld bytes\n",
                    view_number(access, "lane"), verb(access), name, offset / bytes, name, size / bytes, bytes);
    terminal_printf(out, "  %zu other lanes of its warp had made this access; the simulator runs lanes one after "
                         "another and stops at the first mistake\n", json_array_size(json_object_get(access, "lanes")));
}

static void print_left_out(FILE *out, const json_t *object)
{
    const long long count = view_number(object, "left_out");

    if (count > 0)
        terminal_printf(out, "    %lld more\n", count);
}

/* Prints the accesses of a thread since the last barrier. */
static void print_thread(FILE *out, const json_t *document, const json_t *thread)
{
    const json_t *event, *block = json_object_get(thread, "block");
    const long long barriers = view_number(thread, "barriers");
    char place[48];
    size_t i;

    terminal_printf(out, "  thread %lld of block (%lld,%lld,%lld), since ", view_number(thread, "number"), view_at(block, 0),
                    view_at(block, 1), view_at(block, 2));
    terminal_printf(out, barriers > 0 ? "barrier %lld of the block:\n" : "the kernel began:\n", barriers);
    json_array_foreach((json_t *)json_object_get(thread, "events"), i, event) {
        if (view_number(event, "bytes") == 0)
            continue;
        print_left_out(out, event);
        place_name(event, view_number(event, "offset"), place, sizeof place);
        terminal_printf(out, "    %-7s %s   %s  %s\n", verb(event), place, view_word(event, "at"),
                        view_word(json_object_get(document, "sources"), view_word(event, "at")));
    }
    print_left_out(out, thread);
}

static void print_race(FILE *out, const json_t *document)
{
    const json_t *thread;
    size_t i;

    json_array_foreach((json_t *)json_object_get(document, "threads"), i, thread) {
        print_thread(out, document, thread);
    }
    terminal_printf(out, "  nothing orders the two: either may come first\n");
}

/* Draws each thread of the block as a letter for the place where it waits. */
static void print_waits(FILE *out, const json_t *waits)
{
    enum { MOST = 26 };
    const json_t *threads = json_object_get(waits, "threads"), *thread;
    const char *place[MOST][3];
    size_t count = 0, sum[MOST] = {0}, i;

    json_array_foreach((json_t *)threads, i, thread) {
        size_t g = 0;
        const char *const is[3] = {json_string_value(json_array_get(thread, 0)),
                                   json_string_value(json_array_get(thread, 1)),
                                   json_string_value(json_array_get(thread, 2))};
        while (g < count && (strcmp(place[g][0], is[0]) != 0 || strcmp(place[g][1], is[1]) != 0))
            g++;
        if (g == count && count < MOST)
            memcpy(place[count++], is, sizeof is);
        if (i % WARP == 0)
            fprintf(out, "%s  warp %2zu  ", i > 0 ? "\n" : "", i / WARP);
        fputc(g < MOST ? (int)('A' + g) : '?', out);
        sum[g < MOST ? g : MOST - 1]++;
    }
    fputc('\n', out);
    for (size_t g = 0; g < count; g++)
        if (place[g][1][0] != '\0')
            terminal_printf(out, "  %c  %zu threads wait in %s at %s\n", (int)('A' + g), sum[g], place[g][2], place[g][1]);
        else
            terminal_printf(out, "  %c  %zu threads %s\n", (int)('A' + g), sum[g],
                            strcmp(place[g][0], "returned") == 0 ? "have returned" : "run");
}

static void print_mistake(FILE *out, const json_t *document)
{
    const json_t *access = json_object_get(document, "access"), *waits = json_object_get(document, "waits"),
                 *mistake = json_object_get(document, "mistake");

    terminal_printf(out, "  %s\n", view_word(mistake, "text"));
    if (json_is_object(json_object_get(mistake, "race")))
        print_race(out, document);
    else if (json_is_object(access) && view_number(access, "bytes") > 0)
        print_access(out, document, access);
    if (json_is_object(waits))
        print_waits(out, waits);
}

/* --- all -------------------------------------------------------------------------------------- */

static void print_kernel(FILE *out, const json_t *document, const json_t *kernel)
{
    const json_t *warp = json_object_get(kernel, "warp"), *block = json_object_get(warp, "block"),
                 *steps = json_object_get(kernel, "steps");

    if (json_array_size(steps) == 0)
        return;
    terminal_printf(out, "\nkernel %s, block (%lld,%lld,%lld), warp %lld\n", view_word(kernel, "kernel"),
                    view_at(block, 0), view_at(block, 1), view_at(block, 2), view_number(warp, "warp"));
    text_request(out, document, kernel, json_array_get(steps, view_first_step(kernel)));
}

void view_text(FILE *out, const json_t *document)
{
    const json_t *kernel;
    size_t i;

    if (json_is_object(json_object_get(document, "mistake"))) {
        print_mistake(out, document);
        return;
    }
    json_array_foreach((json_t *)json_object_get(document, "kernels"), i, kernel) {
        print_kernel(out, document, kernel);
    }
    text_streams(out, document);
}
