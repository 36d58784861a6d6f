/* A file in memory, each byte known as code, comment or literal. */
#ifndef CUDASIM_SOURCE_H
#define CUDASIM_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

enum kind { CODE, COMMENT, LITERAL };

struct source {
    const char *path;
    char *text;
    unsigned char *kind; /* of each byte */
    size_t length;
};

struct source read_source(const char *path);
int line_of(const struct source *s, size_t at);

/* Says why on standard error, and ends the program. */
__attribute__((noreturn, format(printf, 1, 2))) void give_up(const char *format, ...);

bool in_word(char c);
size_t word_end(const struct source *s, size_t at);
bool is_word(const struct source *s, size_t at, const char *word); /* does it begin there? */

/* Over what is no code: where the next thing begins, and where the last before `at` ends. */
size_t forward(const struct source *s, size_t at);
size_t backward(const struct source *s, size_t at);

/* From the bracket at `at` to the one that closes it, and from that to the one that opens it.
   `commas` counts those that are in this bracket and in no other.  The brackets of templates are
   known by their place: where one stands, only its own kind nests. */
size_t closing(const struct source *s, size_t at, int *commas);
size_t opening(const struct source *s, size_t at);

/* What is to be put in front of what stands at some places, in order. */
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
/* Refuses what cannot be simulated. */
struct asm_statement asm_at(const struct source *s, size_t at);
/* If something else is to take the place of what stands at `at`, of the statement or of a
   constraint as "=r": writes that, and goes on behind it. */
bool put_asm(const struct source *s, const struct asm_statement *a, size_t *at);
bool put_constraint(const struct source *s, size_t *at);

/* Notes that the file cannot be simulated, because of what stands at `at`; the first one counts. */
void refuse(const struct source *s, size_t at, const char *what);
void refuse_header(const struct source *s, size_t at, const char *name); /* if it is one of those */

/* Writes a variant that has the card of the file's and refuses.  False: nothing was to be refused. */
bool write_refusing(const char *path);

#endif
