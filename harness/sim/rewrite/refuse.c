/* Files that cannot be simulated: the reason, and variants that give it as their refusal. */
#include <stdio.h>
#include <string.h>

#include "harness/sim/rewrite/source.h"

static char refusal[256]; /* empty: the file can be simulated */

static const struct {
    const char *header, *reason;
} absent[] = {
    {"cublas", "cuBLAS"},
    {"cufft", "cuFFT"},
    {"curand", "cuRAND"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"nccl", "NCCL"},
    {"mma.h", "tensor cores"},
    {"cooperative_groups", "cooperative groups"},
    {"cuda/", "libcu++"},
    {"cub/", "CUB"},
    {"thrust/", "Thrust"},
    {"cute/", "CuTe"},
    {"cutlass", "CUTLASS"},
    {"cuda_fp8", "float8"},
};

void refuse(const struct source *s, size_t at, const char *what)
{
    if (refusal[0] == '\0')
        snprintf(refusal, sizeof refusal, "%s cannot be simulated: %s:%d", what, s->path,
                 line_of(s, at));
}

void refuse_header(const struct source *s, size_t at, const char *name)
{
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (strncmp(name, absent[i].header, strlen(absent[i].header)) == 0)
            refuse(s, at, absent[i].reason);
}

/* Writes the fields of VARIANT(...) that describe it, without the functions. */
static void put_card(const struct source *s)
{
    static const char *const kept[] = {".idea", ".base", ".device", ".math"};
    size_t at = 0;
    int ignored = 0;

    while (at < s->length && !(s->kind[at] == CODE && is_word(s, at, "VARIANT") &&
                               (at == 0 || !in_word(s->text[at - 1]))))
        at++;
    if (at == s->length)
        return;
    size_t open = forward(s, at + strlen("VARIANT"));
    size_t close = closing(s, open, &ignored);
    for (size_t i = open + 1; i < close;) {
        size_t field = forward(s, i), end = field;
        while (end < close && !(s->kind[end] == CODE && s->text[end] == ','))
            end++;
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            if (s->text[field] == '.' && is_word(s, field + 1, kept[k] + 1))
                printf("        %.*s,\n", (int)(end - field), s->text + field);
        i = end + 1;
    }
}

bool write_refusing(const char *path)
{
    if (refusal[0] == '\0')
        return false;
    const struct source s = read_source(path);

    printf("#include \"common/variant.h\"\n\n"
           "static const char *refuse(const void *)\n{\n    return \"%s\";\n}\n\n"
           "static void run(const void *)\n{\n}\n\n"
           "#line 1 \"%s\"\nVARIANT(\n",
           refusal, path);
    put_card(&s);
    puts("        .refuse = refuse,\n        .run = run)");
    return true;
}
