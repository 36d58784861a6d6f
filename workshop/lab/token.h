/* The tokens of a C or CUDA source, without comments and preprocessor lines. */
#ifndef RUNGS_LAB_TOKEN_H
#define RUNGS_LAB_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind { WORD, NUMBER, PUNCTUATION, LITERAL };

struct token {
    enum token_kind kind;
    size_t at, end; /* in the text */
    int line;
    size_t match; /* of a bracket: the other one's place in the list; else its own */
};

struct tokens {
    const char *text;
    struct token *list;
    size_t count;
};

/* Returns false if brackets do not match. */
bool tokens_read(struct tokens *t, const char *text);
void tokens_free(struct tokens *t);

bool token_is(const struct tokens *t, size_t i, const char *text);

/* Returns whether token i is one of these, which blanks separate. */
bool token_in(const struct tokens *t, size_t i, const char *list);

/* Returns whether `count` tokens from a on are the same as those from b on. */
bool tokens_equal(const struct tokens *t, size_t a, size_t b, size_t count);

/* Returns whether the word begins a declaration, as far as that can be known: "float", "uint32_t", "const". */
bool token_is_type(const struct tokens *t, size_t i);

/* Returns whether the bracket at i closes a cast: there are only types and stars in it. */
bool token_is_cast(const struct tokens *t, size_t i);

/* Returns the precedence of a binary operator, from 1 (||) to 10 (*); 0: the token is none. */
int token_binary(const struct tokens *t, size_t i);

/* Return where the left operand of the binary operator i begins, and where its right operand ends. */
size_t token_left(const struct tokens *t, size_t i);
size_t token_right(const struct tokens *t, size_t i);

#endif
