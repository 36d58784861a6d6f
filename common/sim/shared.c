/*
 * Shared memory: what of it is there, and what a block has written.
 *
 * __shared__ is thread-local, so that the arrays of all kernels stand side by side in the memory
 * that a thread of the machine has for itself, each with a gap behind it (the Makefile's doing).  The
 * program's own table of symbols says where each is and what it is called.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim.h"

__thread char cudasim_dynamic_shared[SHARED_BYTES_ASKED] __attribute__((aligned(1024)));

static __thread const char *own_start; /* of that memory; bytes below are counted from it */
static size_t own_bytes;

/* A byte for each of them: is there an array, and which block has written it last, counted to 255
   and over again? */
static unsigned char *there, *writer, now;

static const ElfW(Sym) *symbols;
static size_t symbol_count;
static const char *names;

/* --- where the arrays are --------------------------------------------------------------------- */

static int find_own(struct dl_phdr_info *info, size_t bytes, void *unused)
{
    (void)bytes;
    (void)unused;
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            own_start = info->dlpi_tls_data;
            own_bytes = info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the first is the program itself */
}

static const char *read_program(void)
{
    struct stat status;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    void *program = MAP_FAILED;

    if (file >= 0 && fstat(file, &status) == 0)
        program = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (file >= 0)
        close(file);
    return program != MAP_FAILED ? program : NULL;
}

static bool is_array(const ElfW(Sym) *s)
{
    return ELF64_ST_TYPE(s->st_info) == STT_TLS && s->st_shndx != SHN_UNDEF &&
           s->st_value + s->st_size <= own_bytes;
}

static void find_arrays(void)
{
    const char *program = read_program();

    if (program == NULL)
        return;
    const ElfW(Ehdr) *head = (const void *)program;
    const ElfW(Shdr) *sections = (const void *)(program + head->e_shoff);
    for (size_t i = 0; i < head->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB) {
            symbols = (const void *)(program + sections[i].sh_offset);
            symbol_count = sections[i].sh_size / sizeof *symbols;
            names = program + sections[sections[i].sh_link].sh_offset;
        }
}

void sim_shared_launch(void)
{
    if (own_start == NULL)
        dl_iterate_phdr(find_own, NULL);
    if (there != NULL)
        return;
    find_arrays();
    there = calloc(own_bytes, 1);
    writer = calloc(own_bytes, 1);
    if (symbols == NULL)
        memset(there, 1, own_bytes); /* stripped: no array has an end */
    for (size_t i = 0; i < symbol_count; i++)
        if (is_array(&symbols[i]))
            memset(there + symbols[i].st_value, 1, symbols[i].st_size);
}

void sim_shared_block(void)
{
    if (++now == 0) {
        memset(writer, 0, own_bytes);
        now = 1;
    }
}

bool sim_shared(const void *p)
{
    return (size_t)((const char *)p - own_start) < own_bytes;
}

size_t sim_shared_offset(const void *p)
{
    return (size_t)((const char *)p - own_start);
}

size_t sim_shared_bytes(void)
{
    return own_bytes;
}

/* --- what is wrong with an access ------------------------------------------------------------- */

char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status);

/* "tile", of "_ZZ6kernelPfE4tile". */
static const char *plain_name(const ElfW(Sym) *s)
{
    const char *mangled = names + s->st_name;
    const char *name = __cxa_demangle(mangled, NULL, NULL, NULL); /* the process ends soon */
    const char *part;

    if (name == NULL)
        return mangled;
    while ((part = strstr(name, "::")) != NULL)
        name = part + 2;
    return name;
}

/* `first` to `end` are bytes of which some belong to no array: what is nearest? */
static _Noreturn void stray(size_t first, size_t end, bool write, const void *at)
{
    const ElfW(Sym) *best = NULL;
    size_t least = SIZE_MAX;

    for (size_t i = 0; i < symbol_count; i++) {
        const ElfW(Sym) *s = &symbols[i];
        size_t away = first < s->st_value ? s->st_value - first
                      : first < s->st_value + s->st_size ? 0
                                                         : first - s->st_value - s->st_size;
        if (is_array(s) && s->st_size > 0 && away < least) {
            best = s;
            least = away;
        }
    }
    if (best == NULL)
        sim_fail(at, "out of bounds: %s shared memory where there is none",
                 write ? "writes" : "reads");
    sim_fail(at, "out of bounds: %s %zu bytes, %zu %s of the shared array %s of %zu bytes",
             write ? "writes" : "reads", end - first, least,
             first < best->st_value ? "before the start" : "past the end", plain_name(best),
             (size_t)best->st_size);
}

void sim_check_shared(const char *p, size_t bytes, bool write, const void *at)
{
    size_t offset = (size_t)(p - own_start);
    size_t dynamic = (size_t)(p - cudasim_dynamic_shared);

    if (dynamic < SHARED_BYTES_ASKED && dynamic + bytes > sim_block.launch->shared)
        sim_fail(at, "out of bounds: %s bytes %zu to %zu of %zu bytes of dynamic shared memory",
                 write ? "writes" : "reads", dynamic, dynamic + bytes - 1,
                 sim_block.launch->shared);
    if (offset + bytes > own_bytes || memchr(there + offset, 0, bytes) != NULL)
        stray(offset, offset + bytes, write, at);
    if (write)
        memset(writer + offset, now, bytes);
    else
        for (size_t i = 0; i < bytes; i++)
            if (writer[offset + i] != now)
                sim_fail(at, "never written: reads %zu bytes of shared memory that no thread of "
                             "this block has written", bytes);
}
