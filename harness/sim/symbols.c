/* The names of the program's variables and shared arrays, from its symbol table. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/sim/sim.h"

const struct sim_symbol *sim_symbols;
size_t sim_symbol_count;

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

static void read_table(const ElfW(Sym) *table, size_t count, const char *names)
{
    struct sim_symbol *symbols = calloc(count + 1, sizeof *symbols);

    for (size_t i = 0; symbols != NULL && i < count; i++) {
        const ElfW(Sym) *s = &table[i];
        unsigned type = ELF64_ST_TYPE(s->st_info);
        if ((type == STT_TLS || type == STT_OBJECT) && s->st_shndx != SHN_UNDEF && s->st_size > 0)
            symbols[sim_symbol_count++] =
                (struct sim_symbol){names + s->st_name, s->st_value, s->st_size, type == STT_TLS};
    }
    sim_symbols = symbols;
}

void sim_symbols_read(void)
{
    const char *program = read_program(); /* kept, because it contains the names */

    if (program == NULL)
        return;
    const ElfW(Ehdr) *head = (const void *)program;
    const ElfW(Shdr) *sections = (const void *)(program + head->e_shoff);
    for (size_t i = 0; i < head->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB)
            read_table((const void *)(program + sections[i].sh_offset),
                       sections[i].sh_size / sizeof(ElfW(Sym)),
                       program + sections[sections[i].sh_link].sh_offset);
}

const struct sim_symbol *sim_symbol_at(bool shared, size_t offset)
{
    for (size_t i = 0; i < sim_symbol_count; i++)
        if (sim_symbols[i].shared == shared && offset - sim_symbols[i].start < sim_symbols[i].bytes)
            return &sim_symbols[i];
    return NULL;
}

const struct sim_symbol *sim_symbol_near(size_t offset)
{
    const struct sim_symbol *best = NULL;
    size_t least = SIZE_MAX;

    for (size_t i = 0; i < sim_symbol_count; i++) {
        const struct sim_symbol *s = &sim_symbols[i];
        size_t away = offset < s->start              ? s->start - offset
                      : offset < s->start + s->bytes ? 0
                                                     : offset - s->start - s->bytes;
        if (s->shared && away < least) {
            best = s;
            least = away;
        }
    }
    return best;
}

char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status);

const char *sim_symbol_name(const struct sim_symbol *s)
{
    const char *name = __cxa_demangle(s->name, NULL, NULL, NULL); /* not freed: the process ends soon */
    const char *part;

    if (name == NULL)
        return s->name;
    while ((part = strstr(name, "::")) != NULL)
        name = part + 2;
    return name;
}
