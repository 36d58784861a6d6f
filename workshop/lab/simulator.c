#define _GNU_SOURCE
#include "workshop/lab/simulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/registry.h"
#include "workshop/lab/absent.h"
#include "workshop/lab/everyone.h"
#include "workshop/lab/gap.h"
#include "workshop/lab/functions.h"
#include "workshop/lab/plain.h"
#include "workshop/lab/own_lines.h"
#include "workshop/lab/text.h"

enum { PARTLY = 8 }; /* enough for witness.c */

/* The first entry whose words are in the message counts. */
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
    {"endless: ", "endless"},
    {"never freed", "leak"},
    {"not an array, or one that was freed already", "freed-twice"},
};

/* Sets the mistake for a copy back of elements that no thread has written, by the first of them.  If that is a
   multiple of 32 near the end, the last block was not launched. */
static void copied_unwritten(const char *said, const char *array, struct mistake *m)
{
    const char *byte = strstr(said, "byte ");
    size_t first = 0, bytes = 0, unwritten = 0;

    if (byte != NULL)
        sscanf(byte, "byte %zu of an array of %zu bytes, %zu", &first, &bytes, &unwritten);
    const size_t element = first / 4, count = bytes / 4, left = count - element;
    if (unwritten > 0) {
        mistake_set(m, element == 0 && unwritten == 4 ? "first-missed" : "gaps");
        mistake_add(m, "%zu of %zu elements were still unwritten when they were copied back, the first "
                       "of them element %zu", unwritten / 4, count, element);
    } else if (left == 1 && count > 1) {
        mistake_set(m, "last-missed");
        mistake_add(m, "only element %zu, the last, was still unwritten when it was copied back",
                    element);
    } else if (element == 0) {
        mistake_set(m, "nothing-written");
        mistake_add(m, "element 0, of %zu, and all behind it were still unwritten when they were copied back",
                    count);
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
    if (array[0] != '\0')
        mistake_add(m, "the array is %s", array);
    const char *part = strstr(said, "; ");
    if (part != NULL && strstr(part, "bytes of it are written") != NULL)
        mistake_add(m, "%.*s", (int)strcspn(part + 2, ";"), part + 2);
    const char *launched = strstr(said, "; no kernel was launched");
    if (launched != NULL)
        mistake_add(m, "%.*s", (int)strcspn(launched + 2, ";"), launched + 2);
    const char *other = strstr(said, "; the memory is of device ");
    if (other != NULL)
        mistake_add(m, "%s", other + 2);
    const char *left_over = strstr(said, "with work left on device ");
    if (left_over != NULL)
        mistake_add(m, "GPU %d still has work to do that was queued before, and this copy does not wait for it",
                    atoi(left_over + strlen("with work left on device ")));
}

static const char *kind_of(const char *said)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strstr(said, kinds[i].words) != NULL)
            return kinds[i].kind;
    return NULL;
}

/* Adds the simulator's message as facts, without the words that the kind says already. */
static void add_plain(struct mistake *m, const struct exercise *e, const char *who_text,
                      const char *what, const char *name)
{
    char text[600];

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].words);
        if (kinds[i].words[length - 1] == ' ' && strncmp(what, kinds[i].words, length) == 0)
            what += length;
    }
    snprintf(text, sizeof text, "%s", what);
    plain_message(e, name, text, sizeof text);
    for (char *part = text, *next; part != NULL; part = next) {
        next = strstr(part, "; ");
        if (next != NULL)
            *next = '\0', next += 2;
        mistake_add(m, "%s%s", part == text ? who_text : "", part);
    }
}

/* Adds the facts of "leak: 8 bytes in 2 arrays never freed, the first from line 20; that line has made 4, and 2 of them were freed". */
static void leaked(const char *said, const struct exercise *e, int line, struct mistake *m)
{
    const char *in = strstr(said, " bytes in ");
    char name[48] = "an array";
    int count = in != NULL ? atoi(in + strlen(" bytes in ")) : 1;

    own_lines_array(e, line, name, sizeof name);
    mistake_add(m, "%s was made in line %d, and never freed", name, line);
    if (count > 1)
        mistake_add(m, "%d more were not freed either", count - 1);
    const char *times = strstr(said, "; that line has made ");
    if (times != NULL)
        mistake_add(m, "%s, for one problem with two uploads", times + 2);
    if (own_lines_is_in(e, line, "upload("))
        mistake_add(m, "line %d is in upload, which is called again and again", line);
}

/* Adds to a use of what was freed in release that another problem has begun since. */
static void add_release(const char *said, const struct exercise *e, struct mistake *m)
{
    const char *freed = strstr(said, "was freed at "), *place = freed != NULL ? strchr(freed, ':') : NULL;
    const int line = place != NULL ? atoi(place + 1) : 0;

    if (line > 0 && own_lines_is_in(e, line, "release("))
        mistake_add(m, "line %d, in release, has freed it, when the problem before this one was done: for this one prepare has not made it again", line);
}

/* Returns whether what was never written begins inside of a float. */
static bool ends_inside(const char *said)
{
    const char *byte = strstr(said, "reads byte ");

    return byte != NULL && strtoul(byte + strlen("reads byte "), NULL, 10) % sizeof(float) != 0;
}

enum { MOST_DIMENSIONS = 3 };

/* Reads the lengths of an array of `count` elements from its declaration, "tile[2][SIDE][SIDE]".  One name in it may stand for
   a number, which follows from the count.  Returns how many lengths there are; 0 if they cannot be told. */
static int lengths(const char *declared, size_t count, size_t length[])
{
    char name[40] = "", token[40];
    int n = 0, used = 0, named = 0;
    size_t known = 1, least = 1;
    bool is_named[MOST_DIMENSIONS] = {false};

    for (const char *at = declared; n < MOST_DIMENSIONS && sscanf(at, "[%39[^]]]%n", token, &used) == 1; at += used, n++) {
        length[n] = strtoul(token, NULL, 10);
        if (length[n] > 0) {
            known *= length[n];
            continue;
        }
        if (named++ > 0 && strcmp(name, token) != 0)
            return 0;
        snprintf(name, sizeof name, "%s", token);
        is_named[n] = true;
    }
    for (size_t product = 0; named > 0 && product < count; least++) {
        product = known;
        for (int i = 0; i < named; i++)
            product *= least;
        if (product == count)
            break;
    }
    size_t product = 1;
    for (int i = 0; i < n; i++) {
        length[i] = is_named[i] ? least : length[i];
        product *= length[i];
    }
    return product == count ? n : 0;
}

/* Adds the indices of a place of a shared array that has several, "tile[1][0][0]". */
static void add_indices(const struct exercise *e, struct mistake *m)
{
    const char *fact = m->facts > 0 ? strstr(m->fact[0], ": byte ") : NULL;
    char array[40];
    size_t at, bytes, length[MOST_DIMENSIONS];
    struct error ignored;

    if (fact == NULL || sscanf(fact, ": byte %zu of the shared array %38[^ ] of %zu bytes", &at, array, &bytes) != 3)
        return;
    char *text = text_read(e->source, &ignored);
    const char *line = text != NULL ? strstr(text, "__shared__ float ") : NULL, *declared = NULL;
    strcat(array, "[");
    for (; line != NULL && declared == NULL; line = strstr(line + 1, "__shared__ float ")) {
        const char *found = strstr(line, array);
        if (found != NULL && found < line + strcspn(line, ";"))
            declared = found + strlen(array) - 1;
    }
    const int n = declared != NULL ? lengths(declared, bytes / sizeof(float), length) : 0;
    const size_t i = at / sizeof(float);
    array[strlen(array) - 1] = '\0';
    if (n == 2)
        mistake_add(m, "that is %s[%zu][%zu], of %zu x %zu", array, i / length[1], i % length[1], length[0], length[1]);
    else if (n == 3)
        mistake_add(m, "that is %s[%zu][%zu][%zu], of %zu x %zu x %zu", array, i / length[2] / length[1],
                    i / length[2] % length[1], i % length[2], length[0], length[1], length[2]);
    free(text);
}

/* Returns the bytes of an element of the shared array: 8, 12 or 16 if it is declared as one of float2, float3 or float4, else 4. */
static size_t element_of(const struct exercise *e, const char *array)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), name[48];
    size_t bytes = sizeof(float);

    snprintf(name, sizeof name, " %s[", array);
    for (const char *at = text; at != NULL && (at = strstr(at, "__shared__ float")) != NULL; at++) {
        const char *found = strstr(at, name), digit = at[strlen("__shared__ float")];
        if (digit >= '2' && digit <= '4' && found != NULL && found < at + strcspn(at, ";"))
            bytes = (size_t)(digit - '0') * sizeof(float);
    }
    free(text);
    return bytes;
}

/* Adds to a place of shared memory that was never written that it has the number of the thread itself.  In a tile of a matrix that is a
   place of row 0. */
static void add_own_place(const struct exercise *e, struct mistake *m)
{
    const char *byte = m->facts > 0 ? strstr(m->fact[0], ": byte ") : NULL;
    char array[40];
    unsigned thread;
    size_t at;

    if (strcmp(m->kind, "shared-unwritten") == 0 && strcmp(problem_name(e->problem), "matmul") != 0 && byte != NULL &&
        sscanf(m->fact[0], "thread %u of block", &thread) == 1 &&
        sscanf(byte, ": byte %zu of the shared array %39[^ ]", &at, array) == 2 && thread > 0 && at / element_of(e, array) == thread)
        mistake_add(m, "that is the place with the number of the thread itself, threadIdx.x, and not one that a loop counts");
}

/* Adds to a place that was never written whether it is a row's beginning, if rows were as long as their written part. */
static void add_pitch(struct mistake *m)
{
    const char *byte = m->facts > 0 ? strstr(m->fact[0], ": byte ") : NULL;
    size_t at, pitch, written;
    unsigned x = 0, y;

    if (byte == NULL || sscanf(byte, ": byte %zu", &at) != 1 ||
        (sscanf(m->fact[0], "thread (x %u, y %u) of", &x, &y) != 2 && sscanf(m->fact[0], "thread %u of", &x) != 1))
        return;
    for (int i = 0; i < m->facts; i++)
        if (x > 0 && sscanf(m->fact[i], "of each %zu in a row the first %zu are written", &pitch, &written) == 2 &&
            at / sizeof(float) == x * written) {
            mistake_add(m, "thread x %u reads element %zu = %u * %zu, as if rows were %zu long; the array was written with rows of %zu", x,
                        at / sizeof(float), x, written, written, pitch);
            return;
        }
}

/* Adds to a copy whether it was given the address of a pointer, "&d_x". */
static void add_address(const struct exercise *e, int line, struct mistake *m)
{
    char name[48] = "";

    for (int i = 0; i < m->facts; i++) {
        const char *call = strstr(m->fact[i], "cudaMemcpy"), *at = call != NULL ? strchr(call, '&') : NULL;
        if (at != NULL && sscanf(at, "&%47[A-Za-z0-9_]", name) == 1 && strchr("-.[", at[1 + strlen(name)]) == NULL)
            break; /* else it is the place of a member or an element */
        name[0] = '\0';
    }
    if (line > 0 && e->cuda && name[0] != '\0')
        mistake_add(m, "&%s is the place of the pointer itself, a variable of the host; %s is what it points to", name, name);
}

/* Returns whether the two threads of a race are of one warp of a block in one dimension. */
static bool of_one_warp(const struct mistake *m)
{
    unsigned a, b, block;

    for (int i = 1; i < m->facts; i++)
        if (sscanf(m->fact[0], "thread %u of block %u", &a, &block) == 2 && sscanf(m->fact[i], "thread %u writes", &b) == 1)
            return a / 32 == b / 32;
    return false;
}

/* Adds to a race what the two threads do there. */
static void add_both(const char *said, struct mistake *m)
{
    const char *its = strstr(said, ") writes them at "), *behind = strrchr(said, ',');
    char line[160];

    if (its == NULL || strstr(said, "race: writes ") == NULL) {
        const bool reads = strstr(said, "race: reads ") != NULL || strstr(said, ") reads them at ") != NULL;
        if (reads && strstr(said, "atomically") == NULL)
            mistake_add(m, "so one thread reads what the other one writes");
        return;
    }
    its += strlen(") writes them at ");
    snprintf(line, sizeof line, "%.*s", (int)(behind != NULL && behind > its ? behind - its : 0), its);
    if (line[0] != '\0' && strncmp(said, line, strlen(line)) == 0)
        mistake_add(m, "both write, in the same line: the place that it computes is the same for both%s", of_one_warp(m) ? ", which are lanes of one warp" : "");
    else
        mistake_add(m, "both write, in two lines");
}

static const char *work_words(const char *what, const char *name, char text[100])
{
    static const char *const copies[][2] = {{"HtoD", "copy to the GPU"}, {"DtoH", "copy back"}, {"PtoP", "copy between GPUs"},
                                            {"DtoD", "copy on the GPU"}, {"set", "cudaMemset"}};

    for (size_t c = 0; c < sizeof copies / sizeof *copies && strcmp(what, "copy") == 0; c++)
        if (strcmp(name, copies[c][0]) == 0)
            return copies[c][1];
    snprintf(text, 100, "%s %s", what, name);
    return text;
}

/* Adds what follows from the order of two accesses to one place: the later one, and the earlier one. */
static void add_consequence(const char *later, const char *earlier, bool one_device, struct mistake *m)
{
    const bool writes = strcmp(later, "writes") == 0, wrote = strcmp(earlier, "writes") == 0;

    mistake_add(m, "they are in %s, and nothing says which of them comes first: so %s",
                one_device ? "two streams of one GPU" : "streams of two GPUs",
                !writes ? "what is read may not be there yet"
                : wrote ? "either may overwrite what the other has put there"
                        : "what is still to be read may be overwritten");
}

/* Sets the mistake of "no order: kernel smooth at PLACE reads element 4 of 60 of the array from PLACE, which copy PtoP at PLACE
   writes, on one device", or of "replaced unread: ...".  Returns false if it is no such line. */
static bool two_uses(const char *said, const struct exercise *e, struct mistake *m)
{
    char kind[20], what[2][16], name[2][80], at[2][120], does[2][8], made[120], devices[40], array[48] = "an array", text[2][100];
    size_t element, count;

    if (sscanf(said, "simulator: %19[^:]: %15s %79s at %119s %7s element %zu of %zu of the array from %119[^,], which %15s %79s at %119s "
                     "%7[^,], on %39[^\n]", kind, what[0], name[0], at[0], does[0], &element, &count, made, what[1], name[1], at[1],
               does[1], devices) != 13)
        return false;
    const int later = own_lines_first(e, at[0]), earlier = own_lines_first(e, at[1]);

    const char *number = strrchr(made, ':');
    own_lines_array(e, number != NULL ? atoi(number + 1) : 0, array, sizeof array);
    const char *const words[] = {work_words(what[0], name[0], text[0]), work_words(what[1], name[1], text[1])};
    mistake_set(m, strcmp(kind, "no order") == 0 ? "no-order" : "replaced-unread");
    if (strcmp(m->kind, "no-order") == 0)
        mistake_add(m, "line %d: the %s %s %s (element %zu of %zu), which the %s of line %d %s", later, words[0], does[0], array,
                    element, count, words[1], earlier, does[1]);
    else
        mistake_add(m, "line %d: the %s puts something into %s again, and nothing has read what it has put there before", later,
                    words[0], array);
    own_lines_quote(e, later, m);
    if (earlier != later)
        own_lines_quote(e, earlier, m);
    if (strcmp(m->kind, "no-order") == 0 && strcmp(what[0], "copy") == 0 && strcmp(what[1], "copy") == 0 && strcmp(name[0], name[1]) == 0 &&
        strcmp(name[0], "PtoP") == 0)
        mistake_add(m, "both copy between GPUs: one writes a row that the other one reads, so that row is either a halo that is copied on, or no halo and written");
    const bool one_device = strcmp(devices, "one device") == 0;
    if (strcmp(m->kind, "no-order") == 0)
        add_consequence(does[0], does[1], one_device, m);
    if (strcmp(m->kind, "no-order") == 0 && !one_device && strcmp(name[1], "PtoP") == 0 && strcmp(what[0], "copy") != 0 && strcmp(does[0], "reads") == 0)
        mistake_add(m, "the copy is in a stream of another GPU than the kernel that needs it: a kernel waits for what stands before it in its own stream only");
    return true;
}

bool simulator_mistake(const char *said, const struct exercise *e, struct mistake *m)
{
    const char *name = strrchr(e->source, '/') + 1, *at = strstr(said, name), *what = said;
    char thread[96];
    int line = 0;

    if (two_uses(said, e, m))
        return true;
    if (strstr(said, "never written") != NULL && strstr(said, "cudaMemcpy") != NULL) {
        const char *made = strstr(said, ", from "), *from = made != NULL ? strstr(made, name) : NULL;
        char array[48] = "";
        own_lines_array(e, from != NULL ? atoi(from + strlen(name) + 1) : 0, array, sizeof array);
        copied_unwritten(said, array, m);
    } else if (strstr(said, "never written") != NULL) {
        mistake_set(m, strstr(said, "shared") != NULL ? "shared-unwritten" : "unwritten-read");
    } else if (strncmp(said, "?: ", 3) == 0 && strstr(said, "array of") != NULL) {
        mistake_set(m, "device-pointer"); /* in the C library, which no kernel calls */
        mistake_add(m, "a function of the host, such as free() or memcpy(), was given an array of the "
                       "GPU");
    } else if (kind_of(said) != NULL) {
        mistake_set(m, kind_of(said));
    } else if (at != NULL && strstr(said, "CUDA") == NULL && strstr(said, "cuda") != NULL) {
        mistake_set(m, "cuda-error");
    } else {
        return false;
    }
    if (strcmp(m->kind, "leak") == 0 && at != NULL) {
        line = atoi(at + strlen(name) + 1);
        leaked(said, e, line, m);
    } else if (at != NULL && (size_t)(at - said) < strcspn(said, " ")) { /* the message begins with the place */
        line = atoi(at + strlen(name) + 1);
        what = strchr(at, ' ') != NULL ? strchr(at, ' ') + 1 : at;
    }
    const bool partly = strcmp(m->kind, "unwritten-read") == 0 && ends_inside(said);
    what = plain_thread(what, thread, sizeof thread);
    if (strcmp(m->kind, "endless") == 0) {
        mistake_add(m, "no result within %.1f s; our own solution needs less than a tenth of that", atoi(strstr(said, "after ") + strlen("after ")) / 1000.0);
        thread[strcspn(thread, ":")] = '\0';
        mistake_add(m, "%s was in line %d then", thread[0] != '\0' ? thread : "a thread", line);
        own_lines_quote(e, line, m);
        return true;
    }
    if (m->facts == 0 || thread[0] != '\0')
        add_plain(m, e, thread, what, name);
    if (partly || (strcmp(m->kind, "unwritten-read") == 0 && strstr(said, "all before it is written") != NULL))
        m->explains = PARTLY; /* this says more than a size at which nothing is written */
    if (partly)
        mistake_add(m, "a part of this element is written: was a number of elements given, where bytes are counted?");
    if (line > 0)
        own_lines_quote(e, line, m);
    if (line > 0 && (strcmp(m->kind, "divergent-barrier") == 0 || (strcmp(m->kind, "missing-lane") == 0 && strstr(said, "the mask 0x") == NULL)))
        absent_add(e, line, m);
    const bool race = strcmp(m->kind, "race") == 0, by_all = race && everyone_add(e, said, line, m);
    if (race && !by_all) {
        add_both(said, m);
        gap_of_race(e, said, line, m);
    }
    if (race && !by_all && strstr(said, "of the shared array") != NULL && strstr(said, " of 4 bytes") != NULL)
        mistake_add(m, "it is one variable, which all threads of the block share");
    const char *writer = strcmp(m->kind, "shared-unwritten") == 0 && m->facts > 1 ? strstr(m->fact[1], ", at line ") : NULL;
    if (writer != NULL) {
        const int wrote = atoi(strstr(writer, "line ") + 5);
        own_lines_quote(e, wrote, m);
        if (strstr(m->fact[1], "writes there later, at line ") != NULL)
            absent_barrier_add(e, wrote, line, m);
        if (strstr(m->fact[1], "writes there later, at line ") != NULL)
            gap_of_unwritten(e, wrote, line, m);
    }
    add_own_place(e, m);
    if (strcmp(m->kind, "use-after-free") == 0)
        add_release(said, e, m);
    if (strcmp(m->kind, "use-after-free") == 0 || strcmp(m->kind, "null-pointer") == 0)
        functions_made(e, said, m);
    if (strcmp(m->kind, "shared-unwritten") == 0) {
        add_indices(e, m);
        add_pitch(m);
    }
    if (strcmp(m->kind, "wrong-direction") == 0)
        add_address(e, line, m);
    return true;
}

void breach_mistake(const char *reason, struct mistake *m)
{
    mistake_set(m, strstr(reason, "forbidden system call") != NULL ? "breaks-rules"
                   : strstr(reason, "process of its own") != NULL ? "forks"
                   : strstr(reason, "prints to") != NULL          ? "prints"
                   : strstr(reason, "writes its input") != NULL   ? "writes-input"
                   : strstr(reason, "in prepare") != NULL         ? "reads-early"
                   : strstr(reason, "past the end") != NULL ||
                           strstr(reason, "before the start") != NULL ||
                           strstr(reason, "beside") != NULL       ? "out-of-bounds"
                   : strstr(reason, "leaves") != NULL             ? "leaves-behind"
                                                                   : "breaks-rules");
    const char *none = strstr(reason, " 0 bytes past the end");
    if (none != NULL) /* the first byte behind the array */
        mistake_add(m, "%.*s just past the end%s", (int)(none - reason), reason,
                    none + strlen(" 0 bytes past the end"));
    else
        mistake_add(m, "%s", reason);
}
