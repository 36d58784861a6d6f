/* The arena: where arrays lie, what the pattern around them shows, and what a worker may not access. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/model/arena.h"

static struct arena *arena;
static int output_file = -1;

/* Sizes around lines, pages and huge pages. */
static const size_t odd_sizes[] = {0,    1,    3,    63,   64,   65,      1000,    4032,
                                   4033, 4095, 4096, 4097, 8191, 65535, 65536, 2097151, 2097152, 2097165};
enum { ODD_SIZES = sizeof odd_sizes / sizeof *odd_sizes };

static int set_up(void **state)
{
    struct error error;

    (void)state;
    arena = arena_create(&error);
    return arena != NULL ? 0 : -1;
}

/* Commits a case whose arrays are laid out, and maps the outputs. */
static struct layout *commit(void)
{
    struct error error = {.text = ""};
    struct layout *layout;

    assert_true(arena_commit(arena, &error));
    layout = arena_layout(arena);
    if (output_file >= 0)
        close(output_file);
    output_file = arena_make_outputs(layout->output_bytes);
    assert_true(output_file >= 0);
    assert_true(arena_show(arena, output_file, &error));
    return layout;
}

/* Makes one input and one output of these sizes. */
static struct layout *commit_pair(size_t bytes)
{
    arena_begin(arena);
    assert_non_null(arena_input(arena, "x", bytes, 1, 1));
    assert_non_null(arena_output(arena, "z", bytes, 1, 1));
    return commit();
}

/* --- a worker's view -------------------------------------------------------------------------- */

enum touch { READ, WRITE };

/* Returns how a worker ends that reads or writes one byte: 0, or the signal. */
static int worker_touches(const char *address, enum touch touch)
{
    const int inputs = dup(arena_open_inputs()); /* arena_begin closes it */
    int status;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); /* not the test's own handler */
        signal(SIGBUS, SIG_DFL);
        arena_begin(arena); /* unmaps the parent's view */
        arena_map(inputs, output_file, false);
        volatile char *p = (volatile char *)(uintptr_t)address;
        if (touch == READ)
            (void)*p;
        else
            *p = 1;
        _exit(0);
    }
    close(inputs);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static void a_worker_cannot_write_its_inputs(void **state)
{
    const struct layout *layout = commit_pair(1000);
    const struct slot *x = &layout->slots[0];

    (void)state;
    assert_int_equal(worker_touches(x->start, READ), 0);
    assert_int_equal(worker_touches(x->start, WRITE), SIGSEGV);
    assert_int_equal(worker_touches(x->start + 999, WRITE), SIGSEGV);
    assert_int_equal(worker_touches(layout->data, READ), 0);
    assert_int_equal(worker_touches(layout->data, WRITE), SIGSEGV); /* sizes and pointers */
}

static void a_worker_cannot_leave_its_arrays(void **state)
{
    (void)state;
    for (size_t i = 0; i < ODD_SIZES; i++) {
        const struct layout *layout = commit_pair(odd_sizes[i]);
        for (size_t s = 0; s < 2; s++) {
            const struct slot *slot = &layout->slots[s];
            const char *end = slot->page + slot->pages;
            assert_int_equal(worker_touches(end - 1, READ), 0);
            assert_int_equal(worker_touches(end, READ), SIGSEGV);
            assert_int_equal(worker_touches(end, WRITE), SIGSEGV);
            assert_int_equal(worker_touches(slot->page - 1, READ), SIGSEGV);
            assert_int_equal(worker_touches(slot->page - 1, WRITE), SIGSEGV);
        }
    }
}

static void a_worker_writes_where_the_parent_reads(void **state)
{
    const struct layout *layout = commit_pair(4097);
    const struct slot *z = &layout->slots[1];

    (void)state;
    arena_poison_outputs(arena);
    assert_int_equal(worker_touches(z->start + 4096, WRITE), 0);
    assert_int_equal(z->start[4096], 1);
    assert_int_equal((unsigned char)z->start[4095], 0xFF);
}

static void files_of_a_case_are_sealed(void **state)
{
    const struct layout *layout = commit_pair(10000);
    char link[64];

    (void)state;
    assert_int_equal(ftruncate(output_file, 0), -1);
    assert_int_equal(ftruncate(output_file, (off_t)layout->output_bytes + 4096), -1);
    arena_drop_outputs(output_file);
    assert_int_equal(layout->slots[1].start[0], 0); /* still mapped, and no SIGBUS */
    snprintf(link, sizeof link, "/proc/self/fd/%d", arena_open_inputs());
    const int again = open(link, O_RDWR);
    assert_true(again >= 0);
    assert_int_equal(ftruncate(again, 0), -1);
    assert_int_equal(write(again, "x", 1), -1);
    assert_ptr_equal(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0), MAP_FAILED);
    void *seen = mmap(NULL, 4096, PROT_READ, MAP_SHARED, again, 0);
    assert_ptr_not_equal(seen, MAP_FAILED);
    assert_int_equal(mprotect(seen, 4096, PROT_READ | PROT_WRITE), -1);
    munmap(seen, 4096);
    close(again);
    layout->slots[0].start[0] = 1; /* the parent can still write */
}

/* --- layout ----------------------------------------------------------------------------------- */

static void arrays_end_near_their_guard_page(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    (void)state;
    for (size_t i = 0; i < ODD_SIZES; i++) {
        const struct layout *layout = commit_pair(odd_sizes[i]);
        assert_int_equal(layout->count, 2);
        for (size_t s = 0; s < 2; s++) {
            const struct slot *slot = &layout->slots[s];
            size_t slack = (size_t)(slot->page + slot->pages - slot->start) - slot->bytes;
            assert_int_equal(slot->bytes, odd_sizes[i]);
            assert_int_equal(slot->output, s == 1);
            assert_int_equal((uintptr_t)slot->start % 64, 0);
            assert_int_equal((uintptr_t)slot->page % page, 0);
            assert_int_equal(slot->pages % page, 0);
            assert_true(slot->start >= slot->page);
            if (slot->bytes >= (size_t)2 << 20)
                assert_int_equal((uintptr_t)slot->page % ((size_t)2 << 20), 0);
            if (slot->output && slot->bytes >= (size_t)64 << 10)
                assert_int_equal(slot->start - slot->page, 2304);
            else if (slot->bytes >= (size_t)2 << 20)
                assert_ptr_equal(slot->start, slot->page);
            else
                assert_true(slack < 64);
        }
    }
}

static void arrays_do_not_overlap(void **state)
{
    const struct slot *slots;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    (void)state;
    arena_begin(arena);
    for (size_t i = 0; i < MAX_SLOTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "a%zu", i);
        if (i % 2 == 0)
            assert_non_null(arena_input(arena, name, 1000 * i, 3, 4));
        else
            assert_non_null(arena_output(arena, name, 200000 * i, 1, 2));
    }
    const struct layout *layout = commit();
    slots = layout->slots;
    for (size_t i = 0; i < MAX_SLOTS; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(slots[i].page >= slots[j].page + slots[j].pages + page ||
                        slots[j].page >= slots[i].page + slots[i].pages + page);
    for (size_t i = 0; i < MAX_SLOTS; i++) /* all of it is there */
        memset(slots[i].page, 1, slots[i].pages);
    assert_string_equal(slots[3].name, "a3");
    assert_int_equal(slots[2].bytes, 24000);
    assert_int_equal(slots[2].element, 4);
}

static void the_case_keeps_its_place(void **state)
{
    struct layout *layout;
    const void *x;

    (void)state;
    arena_begin(arena);
    x = arena_input(arena, "x", 100, 1, 4);
    memcpy(arena_layout(arena)->data, &x, sizeof x); /* as a problem's shape() does */
    assert_null(arena_open_layout());
    layout = commit();
    assert_ptr_equal(arena_open_layout(), layout);
    assert_memory_equal(layout->data, &x, sizeof x);
    assert_ptr_equal(layout->slots[0].start, x);
}

static void poison_is_nan_and_spares_the_case(void **state)
{
    struct layout *layout = commit_pair(1001);

    (void)state;
    memset(layout->data, 7, CASE_BYTES);
    arena_poison_inputs(arena);
    arena_poison_outputs(arena);
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < 1001; i++)
            assert_int_equal((unsigned char)layout->slots[s].start[i], 0xFF);
    assert_int_equal(layout->data[0], 7);
    assert_int_equal(layout->data[CASE_BYTES - 1], 7);
}

/* --- the fence -------------------------------------------------------------------------------- */

/* Changes one byte: the check must name the place, and pass again when the byte is restored. */
static void assert_noticed(char *byte, const char *where)
{
    char text[128] = "", kept = *byte;

    *byte = (char)~kept;
    assert_false(arena_fence_holds(arena, text, sizeof text));
    assert_string_equal(text, where);
    *byte = kept;
    assert_true(arena_fence_holds(arena, text, sizeof text));
}

static void assert_noticed_past(const struct slot *z, size_t bytes)
{
    char where[64];

    snprintf(where, sizeof where, "writes %zu bytes past the end of z", bytes);
    assert_noticed(z->start + z->bytes + bytes, where);
}

static void assert_noticed_before(const struct slot *z, size_t bytes)
{
    char where[64];

    snprintf(where, sizeof where, "writes %zu bytes before the start of z", bytes);
    assert_noticed(z->start - bytes, where);
}

static void the_fence_notices_every_byte_beside_an_output(void **state)
{
    char text[128];

    (void)state;
    for (size_t i = 0; i < ODD_SIZES; i++) {
        const struct layout *layout = commit_pair(odd_sizes[i]);
        const struct slot *z = &layout->slots[1];
        size_t before = (size_t)(z->start - z->page), past = z->pages - before - z->bytes;

        arena_poison_outputs(arena);
        assert_true(arena_fence_holds(arena, text, sizeof text));
        memset(z->start, 0, z->bytes); /* an answer is no breach */
        assert_true(arena_fence_holds(arena, text, sizeof text));
        for (size_t b = 0; b < past && b < 70; b++)
            assert_noticed_past(z, b);
        if (past > 0)
            assert_noticed_past(z, past - 1);
        for (size_t b = 1; b <= before && b <= 70; b++)
            assert_noticed_before(z, b);
        if (before > 0)
            assert_noticed_before(z, before);
    }
}

static void the_fence_is_around_each_output(void **state)
{
    char text[128];

    (void)state;
    arena_begin(arena);
    arena_input(arena, "x", 10, 1, 4);
    arena_output(arena, "index", 33, 3, 4);
    arena_output(arena, "distance", 33, 3, 4);
    const struct layout *layout = commit();
    arena_poison_outputs(arena);
    assert_true(arena_fence_holds(arena, text, sizeof text));
    assert_noticed(layout->slots[1].start + 396, "writes 0 bytes past the end of index");
    assert_noticed(layout->slots[2].start + 396, "writes 0 bytes past the end of distance");
    assert_noticed(layout->slots[2].start - 1, "writes 1 bytes before the start of distance");
}

/* --- places ----------------------------------------------------------------------------------- */

static void places_have_names(void **state)
{
    const struct slot *inside;

    (void)state;
    arena_begin(arena);
    arena_input(arena, "x", 100, 1, 4);
    arena_input(arena, "y", 100, 1, 8);
    const struct layout *layout = commit();
    const struct slot *x = &layout->slots[0], *y = &layout->slots[1];

    assert_string_equal(arena_locate(layout, x->start, &inside), "x[0]");
    assert_ptr_equal(inside, x);
    assert_string_equal(arena_locate(layout, x->start + 399, &inside), "x[99]");
    assert_string_equal(arena_locate(layout, y->start + 17, &inside), "y[2]");
    assert_ptr_equal(inside, y);
    assert_string_equal(arena_locate(layout, x->start + 400, &inside),
                        "0 bytes past the end of x");
    assert_null(inside);
    assert_string_equal(arena_locate(layout, x->page + x->pages, &inside),
                        "48 bytes past the end of x");
    assert_string_equal(arena_locate(layout, y->start - 8, &inside),
                        "8 bytes before the start of y");
    assert_null(inside);
    assert_string_equal(arena_locate(layout, layout->data, &inside),
                        "the case itself, its sizes and pointers");
    assert_null(inside);
    /* far away, but still in the arena: the nearest array is named */
    assert_string_equal(arena_locate(layout, y->start + 800 + 1000000, &inside),
                        "1000000 bytes past the end of y");
    assert_null(inside);
    assert_null(arena_locate(layout, NULL, &inside));
    assert_null(arena_locate(layout, &layout, &inside));
}

/* --- sizes that are too much ------------------------------------------------------------------ */

static void assert_too_much(const char *why)
{
    struct error error = {.text = ""};

    assert_false(arena_fits(arena, 1, &error));
    assert_non_null(strstr(error.text, why));
    arena_begin(arena);
    assert_non_null(arena_input(arena, "x", 1, 1, 4)); /* and forgotten with the next case */
    assert_true(arena_fits(arena, 1, &error));
}

static void products_do_not_overflow(void **state)
{
    static const size_t sizes[][3] = {
        {SIZE_MAX, 2, 1},             /* rows * columns */
        {(size_t)1 << 32, (size_t)1 << 32, 4},
        {SIZE_MAX / 4 + 1, 1, 4},     /* columns * element: 0, if it wraps */
        {SIZE_MAX, 1, 1},             /* rounded up to pages: 0, if it wraps */
        {SIZE_MAX - 4096, 1, 1},
        {((size_t)64 << 30) + 1, 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        arena_begin(arena);
        assert_null(arena_input(arena, "x", sizes[i][0], sizes[i][1], sizes[i][2]));
        assert_too_much("the case is too large");
        arena_begin(arena);
        assert_null(arena_output(arena, "z", sizes[i][0], sizes[i][1], sizes[i][2]));
        assert_too_much("the case is too large");
    }
    arena_begin(arena);
    assert_non_null(arena_input(arena, "x", 0, SIZE_MAX, 4)); /* nothing, however wide */
    commit();
}

static void sums_do_not_overflow(void **state)
{
    (void)state;
    arena_begin(arena);
    assert_non_null(arena_input(arena, "x", 50, (size_t)1 << 30, 1));
    assert_non_null(arena_input(arena, "y", 50, (size_t)1 << 30, 1));
    assert_null(arena_input(arena, "w", 50, (size_t)1 << 30, 1));
    assert_too_much("the case is too large");
}

static void slots_do_not_overflow(void **state)
{
    (void)state;
    arena_begin(arena);
    for (size_t i = 0; i < MAX_SLOTS; i++)
        assert_non_null(arena_input(arena, "x", 1, 1, 1));
    assert_null(arena_input(arena, "x", 1, 1, 1));
    assert_too_much("the case is too large");
}

static void memory_is_counted_for_all_workers(void **state)
{
    struct error error = {.text = ""};

    (void)state;
    arena_begin(arena);
    arena_output(arena, "z", 1 << 20, 1, 1);
    assert_true(arena_fits(arena, 1, &error));
    assert_false(arena_fits(arena, 1 << 30, &error)); /* a PiB */
    assert_non_null(strstr(error.text, "GiB of memory"));
}

/* --- huge pages ------------------------------------------------------------------------------- */

#ifndef MADV_COLLAPSE /* Linux 6.1, glibc 2.37 */
#define MADV_COLLAPSE 25
#endif

enum { HUGE_PAGE = 2 << 20 };

/* Returns the KiB of shared memory that this process maps by huge pages. */
static size_t huge_kib(void)
{
    char line[256];
    size_t kib, sum = 0;
    FILE *maps = fopen("/proc/self/smaps", "r");

    assert_non_null(maps);
    while (fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "ShmemPmdMapped: %zu kB", &kib) == 1)
            sum += kib;
    fclose(maps);
    return sum;
}

/* Returns whether the kernel merges small pages into a huge one when all of them exist. */
static bool kernel_collapses(void)
{
    int file = memfd_create("test-huge", MFD_CLOEXEC);
    char *place = mmap(NULL, 2 * HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *page = place + (-(uintptr_t)place & (HUGE_PAGE - 1));
    bool can;

    assert_int_equal(ftruncate(file, HUGE_PAGE), 0);
    assert_ptr_equal(mmap(page, HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0),
                     page);
    memset(page, 1, HUGE_PAGE);
    can = madvise(page, HUGE_PAGE, MADV_COLLAPSE) == 0;
    munmap(place, 2 * HUGE_PAGE);
    close(file);
    return can;
}

static void large_arrays_lie_on_huge_pages(void **state)
{
    enum { BYTES = 4 * HUGE_PAGE };
    const struct layout *layout;

    (void)state;
    if (!kernel_collapses())
        skip();
    layout = commit_pair(BYTES);
    arena_poison_inputs(arena);
    assert_true(huge_kib() >= BYTES / 1024);
    assert_int_equal(worker_touches(layout->slots[1].start, WRITE), 0);
    arena_poison_outputs(arena);
    assert_true(huge_kib() >= 2 * BYTES / 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_cannot_write_its_inputs),
        cmocka_unit_test(a_worker_cannot_leave_its_arrays),
        cmocka_unit_test(files_of_a_case_are_sealed),
        cmocka_unit_test(a_worker_writes_where_the_parent_reads),
        cmocka_unit_test(arrays_end_near_their_guard_page),
        cmocka_unit_test(arrays_do_not_overlap),
        cmocka_unit_test(the_case_keeps_its_place),
        cmocka_unit_test(poison_is_nan_and_spares_the_case),
        cmocka_unit_test(the_fence_notices_every_byte_beside_an_output),
        cmocka_unit_test(the_fence_is_around_each_output),
        cmocka_unit_test(places_have_names),
        cmocka_unit_test(products_do_not_overflow),
        cmocka_unit_test(sums_do_not_overflow),
        cmocka_unit_test(slots_do_not_overflow),
        cmocka_unit_test(memory_is_counted_for_all_workers),
        cmocka_unit_test(large_arrays_lie_on_huge_pages),
    };

    return cmocka_run_group_tests_name("arena", tests, set_up, NULL);
}
