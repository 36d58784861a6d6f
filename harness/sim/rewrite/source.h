/* A file in memory, with each byte marked as code, comment or literal. */
#ifndef CUDASIM_SOURCE_H
#define CUDASIM_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

enum kind { CODE, COMMENT, LITERAL };

struct source {
    const char *path;
    char *text;
    unsigned char *kind; /* for each byte */
    size_t length;
};

struct source read_source(const char *path);
int line_of(const struct source *s, size_t at);

/* Prints the reason to standard error and ends the program. */
__attribute__((noreturn, format(printf, 1, 2))) void give_up(const char *format, ...);

bool in_word(char c);
size_t word_end(const struct source *s, size_t at);
bool is_word(const struct source *s, size_t at, const char *word); /* does the word begin there? */

/* Skip what is not code: return where the next code begins, and where the last code before `at` ends. */
size_t forward(const struct source *s, size_t at);
size_t backward(const struct source *s, size_t at);

/* Return the bracket that closes the one at `at`, or that opens it.  `commas` counts the commas
   directly inside.  Template brackets are known by their place: within them only brackets of that kind
   nest. */
size_t closing(const struct source *s, size_t at, int *commas);
size_t opening(const struct source *s, size_t at);

/* Texts to insert at some places, in order. */
struct marks {
    size_t count;
    struct mark {
        size_t at;
        const char *text;
    } *mark;
};
struct marks mark_loops(const struct source *s);

/* An asm statement, asm [volatile](text : outputs : inputs : clobbers). */
struct asm_statement {
    size_t start, open, close, colon[3];
    unsigned colons;
};
/* Returns the statement at `at`; ends the program if it cannot be simulated. */
struct asm_statement asm_at(const struct source *s, size_t at);
/* Replaces what stands at `at` in the statement, or in a constraint like "=r", if it needs
   replacement, and moves `at` behind it. */
bool put_asm(const struct source *s, const struct asm_statement *a, size_t *at);
bool put_constraint(const struct source *s, size_t *at);

/* Notes that the file cannot be simulated because of what stands at `at`.  The first note counts. */
void refuse(const struct source *s, size_t at, const char *what);
void refuse_header(const struct source *s, size_t at, const char *name); /* if it is an unsupported header */

/* Writes a variant with the card of the file's variant that refuses.  Returns false if there was
   nothing to refuse. */
bool write_refusing(const char *path);

#endif
