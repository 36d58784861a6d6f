#define _GNU_SOURCE
#include "workshop/lab/simulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/text.h"

/* In this order: the first whose words are there. */
static const struct {
    const char *words, *kind;
} kinds[] = {
    {"race: ", "race"},
    {"use after free", "use-after-free"},
    {"of the shared array", "shared-out-of-bounds"},
    {"of dynamic shared memory", "shared-out-of-bounds"},
    {"out of bounds", "out-of-bounds"},
    {"null pointer", "null-pointer"},
    {"misaligned", "misaligned"},
    {"by its kind", "wrong-direction"},
    {"another device", "wrong-device"},
    {"host memory: ", "host-pointer"},
    {"device memory: ", "device-pointer"},
    {"divergent barrier", "divergent-barrier"},
    {"missing lane", "missing-lane"},
    {"no blocks", "no-blocks"},
    {"launch of ", "bad-launch"},
    {"stack overflow", "stack-overflow"},
    {"leak: ", "leak"},
    {"unfinished: ", "not-waited"},
    {"never freed", "leak"},
    {"not an array, or one that was freed already", "freed-twice"},
};

/* A copy back of what no thread has written: which element was the first that is missing?  Where
   one follows the last that a block has, the shape of the launch is to blame. */
static void copied_unwritten(const char *said, struct mistake *m)
{
    const char *byte = strstr(said, "byte ");
    size_t first = 0, bytes = 0;

    if (byte != NULL)
        sscanf(byte, "byte %zu of an array of %zu", &first, &bytes);
    const size_t element = first / 4, count = bytes / 4, left = count - element;
    if (left == 1 && count > 1) {
        mistake_set(m, "last-missed");
        mistake_add(m, "only element %zu, the last, was still unwritten when it was copied back",
                    element);
    } else if (element == 0) {
        mistake_set(m, "nothing-written");
        mistake_add(m, "element 0 of %zu was still unwritten when it was copied back", count);
    } else if (element == 1) {
        mistake_set(m, "first-only");
        mistake_add(m, "element 0 was written; element 1, of %zu, was not", count);
    } else if (element % 32 == 0 && left <= 1024 && left < element + 1024 && element >= left) {
        mistake_set(m, "tail-missing");
        mistake_add(m, "elements 0 to %zu were written; %zu, the first of the last %zu, was not",
                    element - 1, element, left);
    } else {
        mistake_set(m, "part-missing");
        mistake_add(m, "elements 0 to %zu were written; element %zu, of %zu, was not", element - 1,
                    element, count);
    }
}

static const char *kind_of(const char *said)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strstr(said, kinds[i].words) != NULL)
            return kinds[i].kind;
    return NULL;
}

/* The line of the learner's text that "03_first_kernel.cu:12:" is. */
static void quote_line(const struct exercise *e, int number, struct mistake *m)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), *line = text;

    for (int i = 1; line != NULL && i < number; i++) {
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    if (line != NULL && number > 0)
        mistake_add(m, "%5d | %.*s", number, (int)strcspn(line, "\n"), line);
    free(text);
}

/* "kernel scale, block (3,0,0), thread (232,0,0): " as "block 3, thread 232", or (3, 1) if 2-D. */
static const char *who(const char *said, char *text, size_t room)
{
    unsigned b[3], t[3];
    const char *kernel = strstr(said, "kernel "), *end;

    text[0] = '\0';
    end = kernel != NULL ? strstr(kernel, "): ") : NULL;
    if (end == NULL)
        return said;
    const char *block = strstr(kernel, ", block (");
    if (block == NULL || sscanf(block, ", block (%u,%u,%u), thread (%u,%u,%u)", &b[0], &b[1], &b[2],
                                &t[0], &t[1], &t[2]) != 6)
        return said;
    if (b[1] + b[2] + t[1] + t[2] == 0)
        snprintf(text, room, "thread %u of block %u: ", t[0], b[0]);
    else
        snprintf(text, room, "thread (x %u, y %u) of block (x %u, y %u): ", t[0], t[1], b[0], b[1]);
    return end + 3;
}

/* Every "some/where/03_first_kernel.cu:12" becomes "line 12". */
static void shorten_places(char *text, const char *name)
{
    for (char *at = text; (at = strstr(at, name)) != NULL;) {
        char *from = at, *end = at + strlen(name);
        char number[24];
        while (from > text && from[-1] != ' ' && from[-1] != '(')
            from--;
        size_t digits = *end == ':' ? strspn(end + 1, "0123456789") : 0;
        snprintf(number, sizeof number, "line %.*s", (int)(digits < 9 ? digits : 9), end + 1);
        if (digits == 0 || strlen(number) > (size_t)(end + 1 + digits - from)) {
            at = end;
            continue;
        }
        memmove(from + strlen(number), end + 1 + digits, strlen(end + 1 + digits) + 1);
        for (const char *n = number; *n != '\0'; n++)
            *from++ = *n;
        at = from;
    }
}

static void replace(char *text, const char *what, const char *by)
{
    char *at = strstr(text, what);

    if (at == NULL || strlen(by) > strlen(what))
        return;
    memmove(at + strlen(by), at + strlen(what), strlen(at + strlen(what)) + 1);
    while (*by != '\0')
        *at++ = *by++;
}

/* The simulator's words, without those that the kind says already, a fact a line. */
static void add_plain(struct mistake *m, const char *who_text, const char *what, const char *name)
{
    char text[600];

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].words);
        if (kinds[i].words[length - 1] == ' ' && strncmp(what, kinds[i].words, length) == 0)
            what += length;
    }
    snprintf(text, sizeof text, "%s", what);
    shorten_places(text, name);
    replace(text, "out of bounds: ", "");
    replace(text, "never written: ", "");
    replace(text, ", 0 past the end of", " past the end of");
    replace(text, "memory of device 0, from line", "made in line");
    for (char *part = text, *next; part != NULL; part = next) {
        next = strstr(part, "; ");
        if (next != NULL)
            *next = '\0', next += 2;
        mistake_add(m, "%s%s", part == text ? who_text : "", part);
    }
}

bool simulator_mistake(const char *said, const struct exercise *e, struct mistake *m)
{
    const char *name = strrchr(e->source, '/') + 1, *at = strstr(said, name), *what = said;
    char thread[96];
    int line = 0;

    if (strstr(said, "never written") != NULL && strstr(said, "cudaMemcpy") != NULL) {
        copied_unwritten(said, m);
    } else if (strstr(said, "never written") != NULL) {
        mistake_set(m, strstr(said, "shared") != NULL ? "shared-unwritten" : "unwritten-read");
    } else if (kind_of(said) != NULL) {
        mistake_set(m, kind_of(said));
    } else if (at != NULL && strstr(said, "CUDA") == NULL && strstr(said, "cuda") != NULL) {
        mistake_set(m, "cuda-error");
    } else {
        return false;
    }
    if (at == said || (at != NULL && at[-1] == '/' && at - said < 100)) { /* the place comes first */
        line = atoi(at + strlen(name) + 1);
        what = strchr(at, ' ') != NULL ? strchr(at, ' ') + 1 : at;
    }
    what = who(what, thread, sizeof thread);
    if (m->facts == 0 || thread[0] != '\0')
        add_plain(m, thread, what, name);
    if (line > 0)
        quote_line(e, line, m);
    return true;
}

void breach_mistake(const char *reason, struct mistake *m)
{
    mistake_set(m, strstr(reason, "prints to") != NULL            ? "prints"
                   : strstr(reason, "writes its input") != NULL   ? "writes-input"
                   : strstr(reason, "in prepare") != NULL         ? "reads-early"
                   : strstr(reason, "past the end") != NULL ||
                           strstr(reason, "before the start") != NULL ||
                           strstr(reason, "beside") != NULL       ? "out-of-bounds"
                   : strstr(reason, "process of its own") != NULL ? "forks"
                   : strstr(reason, "leaves") != NULL             ? "leaves-behind"
                                                                   : "breaks-rules");
    mistake_add(m, "%s", reason);
}
