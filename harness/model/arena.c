#define _GNU_SOURCE
#include "harness/model/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/parallel.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1; older kernels return EINVAL, and the pages stay small */
#endif

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 16 /* Linux 5.1 */
#endif

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14; older kernels have a page fault at the first write to
                                  each page */
#endif

/* Fixed addresses, the same in every process: below the addresses where Linux starts to place
   libraries and stacks (at least 1 TiB below the top of 47 bits), and inside the range that the thread
   sanitizer leaves to programs (from 0x7e8000000000 on). */
#define INPUT_PLACE ((char *)0x7e8000000000)
/* Not at a round distance from the inputs.  If bits 12 to 27 of two addresses are equal, an AMD Zen's
   first-level cache mistakes their lines for one another, and a loop that reads one and writes the
   other is up to four times slower, by chance. docs/method.md, section 2. */
#define OUTPUT_PLACE ((char *)0x7ea004a00000)
#define ROOM ((size_t)128 << 30) /* bytes reserved for each */

enum { FENCE = 0xA5, POISON = 0xFF, LINE = 64 };

/* An output of WIDE bytes or more begins ASIDE bytes into a page.  If bits 0 to 11 of two addresses are equal, an Intel core
   takes a load from one for a reader of a store to the other: docs/experiments.md, "How far should outputs lie from inputs?"
   A smaller one ends with its page, so that an access behind it faults at once. */
enum { WIDE = 64 << 10, ASIDE = 2304 };

static const size_t HUGE_PAGE = (size_t)2 << 20;

struct arena {
    struct layout *layout; /* at INPUT_PLACE while there is a case */
    struct layout next;    /* of the case being laid out */
    int input_file; /* -1: no case */
    bool overflow;
    arena_show_file *show; /* before the inputs are sealed; may be NULL */
    void *context;
};

static const struct layout *open_layout; /* of this process's arena */
static int open_inputs = -1;             /* its file, open for reading */
static size_t inputs_mapped, outputs_mapped;

static size_t page_size(void)
{
    static size_t size;
    if (size == 0)
        size = (size_t)sysconf(_SC_PAGESIZE);
    return size;
}

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static size_t head_bytes(void)
{
    return round_up(sizeof(struct layout), page_size());
}

/* --- carving ---------------------------------------------------------------------------------- */

static void *carve(struct arena *a, const char *name, size_t rows, size_t columns, size_t element,
                   bool output)
{
    struct layout *next = &a->next;
    size_t *end = output ? &next->output_bytes : &next->input_bytes;
    char *place = output ? OUTPUT_PLACE : INPUT_PLACE;
    size_t count, bytes;

    if (next->count == MAX_SLOTS || __builtin_mul_overflow(rows, columns, &count) ||
        __builtin_mul_overflow(count, element, &bytes) || bytes > ROOM / 2 ||
        *end + bytes + 4 * HUGE_PAGE > ROOM) {
        a->overflow = true;
        return NULL;
    }

    struct slot *slot = &next->slots[next->count++];
    size_t before = *end + page_size(); /* the guard page before it */
    if (bytes >= HUGE_PAGE)
        before = round_up(before, HUGE_PAGE);
    const size_t aside = output && bytes >= WIDE ? ASIDE : 0;
    slot->pages = round_up(bytes > 0 ? aside + bytes : 1, page_size());
    slot->page = place + before;
    slot->start = bytes >= HUGE_PAGE || aside > 0
                      ? slot->page + aside
                      : slot->page + slot->pages - round_up(bytes, LINE);
    slot->bytes = bytes;
    slot->element = element;
    slot->output = output;
    snprintf(slot->name, sizeof slot->name, "%s", name);
    *end = before + slot->pages + page_size(); /* and the one after it */
    return slot->start;
}

const void *arena_input(struct arena *a, const char *name, size_t rows, size_t columns,
                        size_t element)
{
    return carve(a, name, rows, columns, element, false);
}

void *arena_output(struct arena *a, const char *name, size_t rows, size_t columns, size_t element)
{
    return carve(a, name, rows, columns, element, true);
}

/* --- the parent's side ------------------------------------------------------------------------ */

struct arena *arena_create(struct error *error)
{
    static struct arena arena; /* the process's only arena, until it ends */
    const int file = memfd_create("rungs-inputs", MFD_CLOEXEC);

    if (file < 0) {
        error_set(error, "cannot create a file in memory: %s", strerror(errno));
        return NULL;
    }
    close(file);
    arena.input_file = -1;
    return &arena;
}

int arena_open_inputs(void)
{
    return open_inputs;
}

struct layout *arena_layout(struct arena *a)
{
    return a->layout != NULL ? a->layout : &a->next;
}

const struct layout *arena_open_layout(void)
{
    return open_layout;
}

static void unmap(char *place, size_t *mapped)
{
    if (*mapped > 0)
        munmap(place, *mapped);
    *mapped = 0;
}

void arena_forget(void)
{
    unmap(INPUT_PLACE, &inputs_mapped);
    unmap(OUTPUT_PLACE, &outputs_mapped);
    open_layout = NULL;
}

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

void arena_begin(struct arena *a)
{
    arena_forget();
    close_file(&a->input_file);
    close_file(&open_inputs);
    a->layout = NULL;
    a->overflow = false;
    a->next = (struct layout){.input_bytes = head_bytes(), .output_bytes = page_size()};
}

static void *map_at(char *place, size_t bytes, int protection, int file)
{
    void *p = mmap(place, bytes, protection, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);

    if (p != MAP_FAILED && p != place) { /* a kernel before 4.17 treats the address as a hint */
        munmap(p, bytes);
        return MAP_FAILED;
    }
    return p;
}

/* Touches one small page in each huge page first.  If a file was truncated, the kernel skips ranges
   without any page. */
static void collapse_part(void *context, size_t begin, size_t end)
{
    char *page = context;

    for (size_t at = begin; at < end; at += HUGE_PAGE)
        madvise(page + at, page_size(), MADV_POPULATE_WRITE);
    madvise(page + begin, end - begin, MADV_COLLAPSE);
}

/* Turns large arrays into huge pages where the kernel can, as a user's own malloc would: they should
   not pay for thousands of small pages.  It uses all processors, because on a virtual machine the host
   may first have to find the memory, which takes some milliseconds a page. */
static void collapse(const struct layout *layout, bool output)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct slot *slot = &layout->slots[i];
        size_t bytes = slot->pages / HUGE_PAGE * HUGE_PAGE;
        if (slot->output != output || slot->bytes < HUGE_PAGE)
            continue;
        parallel_for(bytes, 4 * HUGE_PAGE, collapse_part, slot->page);
    }
}

bool arena_fits(const struct arena *a, size_t workers, struct error *error)
{
    double needed = (double)a->next.input_bytes + (double)workers * (double)a->next.output_bytes;
    double there = (double)memory_available();

    if (a->overflow)
        return error_set(error, "the case is too large: more than %zu GiB", ROOM >> 30);
    if (there > 0.0 && needed > there)
        return error_set(error, "needs %.1f GiB of memory; %.1f GiB are free",
                         needed / 0x1p30, there / 0x1p30);
    return true;
}

/* Makes a file in memory with a fixed length. */
static int make_file(const char *name, size_t bytes)
{
    int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (file >= 0 && (ftruncate(file, (off_t)bytes) != 0 ||
                      fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0))
        close_file(&file);
    return file;
}

int arena_make_outputs(size_t bytes)
{
    return make_file("rungs-outputs", bytes);
}

void arena_drop_outputs(int file)
{
    struct stat now;

    if (fstat(file, &now) == 0 && now.st_size > (off_t)page_size())
        (void)fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)page_size(),
                        now.st_size - (off_t)page_size());
}

/* From now on only the existing mapping can write; opening the file again cannot.  On a kernel without
   this seal, only the mode of the worker's own descriptor protects the inputs. */
static bool seal_inputs(struct arena *a)
{
    char link[64];

    if (fcntl(a->input_file, F_ADD_SEALS, F_SEAL_FUTURE_WRITE) != 0 && errno != EINVAL)
        return false;
    (void)fcntl(a->input_file, F_ADD_SEALS, F_SEAL_SEAL);
    snprintf(link, sizeof link, "/proc/self/fd/%d", a->input_file);
    open_inputs = open(link, O_RDONLY | O_CLOEXEC);
    return open_inputs >= 0;
}

void arena_before_seal(struct arena *a, arena_show_file *show, void *context)
{
    a->show = show;
    a->context = context;
}

bool arena_commit(struct arena *a, struct error *error)
{
    size_t inputs = a->next.input_bytes;

    close_file(&a->input_file);
    close_file(&open_inputs);
    a->input_file = make_file("rungs-inputs", inputs);
    if (a->input_file < 0)
        return error_set(error, "cannot allocate the inputs: %s", strerror(errno));
    if (map_at(INPUT_PLACE, inputs, PROT_READ | PROT_WRITE, a->input_file) == MAP_FAILED)
        return error_set(error, "cannot map the inputs at %p: %s", (void *)INPUT_PLACE,
                         strerror(errno));
    inputs_mapped = inputs;
    open_layout = a->layout = (struct layout *)INPUT_PLACE;
    *a->layout = a->next;
    collapse(a->layout, false);
    if (a->show != NULL && !a->show(a->input_file, a->context, error))
        return false;
    return seal_inputs(a) || error_set(error, "cannot seal the inputs: %s", strerror(errno));
}

/* Populates the pages at once.  Hundreds of megabytes were mapped just before, and a page fault for
   each takes longer than the writing. */
static void poison_part(void *context, size_t begin, size_t end)
{
    char *array = context;

    madvise(array + begin, end - begin, MADV_POPULATE_WRITE);
    memset(array + begin, POISON, end - begin);
}

static void poison(const struct slot *slot)
{
    parallel_for(slot->bytes, 4 * HUGE_PAGE, poison_part, slot->start);
}

void arena_poison_inputs(struct arena *a)
{
    for (size_t i = 0; i < a->layout->count; i++)
        if (!a->layout->slots[i].output)
            poison(&a->layout->slots[i]);
}

bool arena_show(struct arena *a, int output_file, struct error *error)
{
    size_t bytes = a->layout->output_bytes;

    unmap(OUTPUT_PLACE, &outputs_mapped);
    if (map_at(OUTPUT_PLACE, bytes, PROT_READ | PROT_WRITE, output_file) == MAP_FAILED)
        return error_set(error, "cannot map the outputs: %s", strerror(errno));
    outputs_mapped = bytes;
    return true;
}

void arena_poison_outputs(struct arena *a)
{
    for (size_t i = 0; i < a->layout->count; i++) {
        const struct slot *slot = &a->layout->slots[i];
        if (!slot->output)
            continue;
        size_t front = (size_t)(slot->start - slot->page);
        memset(slot->page, FENCE, front);
        poison(slot);
        memset(slot->start + slot->bytes, FENCE, slot->pages - front - slot->bytes);
    }
}

bool arena_fence_holds(const struct arena *a, char *text, size_t bytes)
{
    const struct slot *inside;

    for (size_t i = 0; i < a->layout->count; i++) {
        const struct slot *slot = &a->layout->slots[i];
        if (!slot->output)
            continue;
        for (const char *c = slot->page; c < slot->page + slot->pages; c++) {
            if (c == slot->start)
                c += slot->bytes;
            if (c < slot->page + slot->pages && *(const unsigned char *)c != FENCE) {
                snprintf(text, bytes, "writes %s", arena_locate(a->layout, c, &inside));
                return false;
            }
        }
    }
    return true;
}

/* --- a worker's side -------------------------------------------------------------------------- */

/* Makes everything but the arrays' own pages inaccessible. */
static void close_guards(const struct layout *layout, bool output, int protection)
{
    char *place = output ? OUTPUT_PLACE : INPUT_PLACE;
    size_t bytes = output ? layout->output_bytes : layout->input_bytes;
    size_t head = output ? page_size() : head_bytes();

    if (mprotect(place + head, bytes - head, PROT_NONE) != 0)
        _exit(125);
    for (size_t i = 0; i < layout->count; i++) {
        const struct slot *slot = &layout->slots[i];
        if (slot->output == output && mprotect(slot->page, slot->pages, protection) != 0)
            _exit(125);
    }
}

const struct layout *arena_map(int input_file, int output_file, bool blind)
{
    struct layout head;

    arena_forget();
    if (pread(input_file, &head, sizeof head, 0) != (ssize_t)sizeof head)
        _exit(125);
    const size_t inputs = blind ? head_bytes() : head.input_bytes;
    if (map_at(INPUT_PLACE, inputs, PROT_READ, input_file) == MAP_FAILED ||
        map_at(OUTPUT_PLACE, head.output_bytes, PROT_READ | PROT_WRITE, output_file) == MAP_FAILED)
        _exit(125);
    inputs_mapped = head.input_bytes; /* unmaps whatever was there */
    outputs_mapped = head.output_bytes;
    if (!blind)
        close_guards(&head, false, PROT_READ);
    close_guards(&head, true, PROT_READ | PROT_WRITE);
    collapse(&head, true);
    return open_layout = (const struct layout *)INPUT_PLACE;
}

/* Replaces anything that may have been mapped there in the meantime. */
void arena_map_inputs(int input_file)
{
    struct layout head;
    const off_t skip = (off_t)head_bytes();

    if (pread(input_file, &head, sizeof head, 0) != (ssize_t)sizeof head)
        _exit(125);
    if (head.input_bytes == (size_t)skip)
        return; /* a case without inputs, e.g. a ceiling's */
    if (mmap(INPUT_PLACE + skip, head.input_bytes - (size_t)skip, PROT_READ, MAP_SHARED | MAP_FIXED,
             input_file, skip) == MAP_FAILED)
        _exit(125);
    inputs_mapped = head.input_bytes;
    close_guards(&head, false, PROT_READ);
}

void arena_bounds(uintptr_t *begin, uintptr_t *end)
{
    *begin = (uintptr_t)INPUT_PLACE;
    *end = (uintptr_t)OUTPUT_PLACE + ROOM;
}

bool arena_holds(const void *address)
{
    const char *p = address;

    return p >= INPUT_PLACE && p < OUTPUT_PLACE + ROOM;
}

void *arena_ledger(void)
{
    return OUTPUT_PLACE;
}

size_t arena_offset(const void *address)
{
    const uintptr_t at = (uintptr_t)address, inputs = (uintptr_t)INPUT_PLACE, outputs = (uintptr_t)OUTPUT_PLACE;

    if (at >= outputs && at - outputs < ROOM)
        return at - outputs;
    return at >= inputs && at - inputs < ROOM ? at - inputs : 0;
}

const void *arena_case_place(void)
{
    return INPUT_PLACE + offsetof(struct layout, data);
}
