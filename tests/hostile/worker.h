/* The program that an attack is loaded into: its functions and its calls of libraries.  It exports
   neither, but an attack shares its memory and can read its file. */
#ifndef RUNGS_HOSTILE_WORKER_H
#define RUNGS_HOSTILE_WORKER_H

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* For constructors: returns whether this process is a worker that serves; another process only reads
   the card. */
static inline int is_serving(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "--serve") == 0;
}

static inline int hostile_first(struct dl_phdr_info *info, size_t bytes, void *to)
{
    (void)bytes;
    *(struct dl_phdr_info *)to = *info;
    return 1; /* the program itself comes first */
}

/* Finds a function of the worker by the symbols in its file. */
static inline void *worker_function(const char *name)
{
    const int file = open("/proc/self/exe", O_RDONLY);
    struct dl_phdr_info program;
    struct stat s;
    void *found = NULL;

    if (file < 0 || fstat(file, &s) != 0)
        return NULL;
    const char *whole = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (whole == MAP_FAILED)
        return NULL;
    dl_iterate_phdr(hostile_first, &program);
    const ElfW(Ehdr) *head = (const void *)whole;
    const ElfW(Shdr) *part = (const void *)(whole + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++) {
        if (part[i].sh_type != SHT_SYMTAB)
            continue;
        const ElfW(Sym) *symbol = (const void *)(whole + part[i].sh_offset);
        const char *names = whole + part[part[i].sh_link].sh_offset;
        for (size_t k = 0; k < part[i].sh_size / sizeof *symbol; k++)
            if (symbol[k].st_value != 0 && strcmp(names + symbol[k].st_name, name) == 0)
                found = (void *)(program.dlpi_addr + symbol[k].st_value);
    }
    munmap((void *)whole, (size_t)s.st_size);
    return found;
}

/* Replaces a library function that the worker calls by `instead`.  Returns 1 on success. */
static inline int worker_calls(const char *name, void *instead)
{
    struct dl_phdr_info program;
    const ElfW(Dyn) *d = NULL;
    const ElfW(Sym) *symbols = NULL;
    const ElfW(Rela) *lists[2] = {NULL, NULL};
    size_t bytes[2] = {0, 0};
    const char *names = NULL;
    int found = 0;

    dl_iterate_phdr(hostile_first, &program);
    for (int i = 0; i < program.dlpi_phnum; i++)
        if (program.dlpi_phdr[i].p_type == PT_DYNAMIC)
            d = (const void *)(program.dlpi_addr + program.dlpi_phdr[i].p_vaddr);
    for (; d != NULL && d->d_tag != DT_NULL; d++)
        switch (d->d_tag) {
        case DT_SYMTAB: symbols = (const void *)d->d_un.d_ptr; break;
        case DT_STRTAB: names = (const void *)d->d_un.d_ptr; break;
        case DT_JMPREL: lists[0] = (const void *)d->d_un.d_ptr; break;
        case DT_PLTRELSZ: bytes[0] = d->d_un.d_val; break;
        case DT_RELA: lists[1] = (const void *)d->d_un.d_ptr; break;
        case DT_RELASZ: bytes[1] = d->d_un.d_val; break;
        default: break;
        }
    for (int list = 0; list < 2 && symbols != NULL && names != NULL; list++)
        for (size_t i = 0; i < bytes[list] / sizeof *lists[list]; i++) {
            const ElfW(Rela) *r = &lists[list][i];
            void **slot = (void **)(program.dlpi_addr + r->r_offset);
            const size_t which = ELF64_R_SYM(r->r_info);

            if (which == 0 || strcmp(names + symbols[which].st_name, name) != 0)
                continue;
            if (mprotect((void *)((uintptr_t)slot & ~4095ul), 4096, PROT_READ | PROT_WRITE) == 0) {
                *slot = instead;
                found = 1;
            }
        }
    return found;
}

/* Replaces a function of the process by another. */
static inline int overwrite(void *code, void *instead)
{
    unsigned char jump[12] = {0x48, 0xb8, [10] = 0xff, 0xe0}; /* mov instead, %rax; jmp *%rax */

    if (code == NULL || sizeof instead != 8 ||
        mprotect((void *)((uintptr_t)code & ~4095ul), 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return 0;
    memcpy(jump + 2, &instead, sizeof instead);
    memcpy(code, jump, sizeof jump);
    return 1;
}

#endif
