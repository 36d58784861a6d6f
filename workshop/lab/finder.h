/* What is found in a function of a learner's program, so that mutants can be made of it. */
#ifndef RUNGS_LAB_FINDER_H
#define RUNGS_LAB_FINDER_H

#include "workshop/lab/schema.h"
#include "workshop/lab/token.h"

enum { MOST_PATHS = 64, MOST_SITES = 512, MOST_SCOPES = 6, RELATED_LINES = 16 };

/* What a name stands for, as far as its declaration tells. */
enum sort { UNKNOWN, INTEGER, REAL, POINTER };

/* A variable or a member, such as i, threadIdx.x or p->n; each of a function once. */
struct path {
    char text[48];
    enum sort sort;
    char type[64];  /* its words, without const, and the lengths of an array, such as float[32[33; "": not known */
    bool constant; /* it, or what it points to, cannot be assigned to: const, or in capitals, such as TILE */
    bool remote;   /* of the file, and the function does not use it */
    size_t from[MOST_SCOPES], to[MOST_SCOPES], scopes; /* the tokens where it is known; 0: in all of the function */
};

/* Where one stands. */
struct site {
    size_t first, last; /* its tokens */
    size_t path;
    size_t end;         /* the first token behind its brackets, too: a[i] */
    bool assigned;      /* what it names is assigned to */
    size_t statement;   /* the token with which that begins */
};

struct finder {
    struct mutants *all;
    struct tokens t, header;
    const bool *learners; /* for each line: it is not the starter's */
    const struct hint *hint;
    /* the function: its tokens, and what is in them */
    size_t begin, end;
    bool kernel;
    struct path path[MOST_PATHS];
    size_t paths;
    struct site site[MOST_SITES];
    size_t sites;
    int related[RELATED_LINES]; /* lines that set the variables of those which the mistake names */
    size_t related_count;
};

/* Begins a mutant that changes something at this token; returns its number. */
__attribute__((format(printf, 4, 5))) size_t finder_begin(struct finder *f, size_t token, int priority, const char *words, ...);

/* Adds a change of tokens first to end - 1 to it. */
void finder_change(struct finder *f, size_t mutant, enum change_kind kind, size_t first, size_t end, const char *text);

/* Copies tokens first to end - 1. */
const char *finder_plain(const struct finder *f, size_t first, size_t end, char *text, size_t room);

bool finder_is_learners(const struct finder *f, size_t token);

/* Finds all names in the function, and where they stand: names.c. */
void finder_names(struct finder *f);

/* Returns whether the name is known at this token, and for the base of a member, whether that is. */
bool finder_is_known(const struct finder *f, const struct path *p, size_t token);

/* Returns whether a pointer, and not an element, begins at this token. */
bool finder_is_pointer(const struct finder *f, size_t token);

bool finder_is_keyword(const struct tokens *t, size_t i);

/* Returns the token behind the lengths of an array that is declared there, which must be constant; else i. */
size_t finder_behind_lengths(const struct finder *f, size_t i, size_t statement);

/* Make mutants: of the operator or number at a token, of the arguments in brackets, and of a name; of two names: expressions.c. */
void mutate_token(struct finder *f, size_t i);
void mutate_name(struct finder *f, const struct site *s);
void mutate_pairs(struct finder *f);

/* Make mutants of a call, of a value, of a difference, and of a value that is read after it was overwritten: values.c. */
void mutate_call(struct finder *f, size_t i);
void mutate_amount(struct finder *f, const struct site *s);
void mutate_difference(struct finder *f, size_t i);
void mutate_overwritten(struct finder *f, size_t site);

/* Make mutants of an index, and of a whole expression: indices.c. */
void mutate_index(struct finder *f, const struct site *a);
void mutate_brackets(struct finder *f, size_t i);
void mutate_element(struct finder *f, const struct site *s);
void mutate_whole(struct finder *f, size_t i);

/* Make mutants of what stands in several places: everywhere.c. */
void mutate_directions(struct finder *f);
void mutate_statement_directions(struct finder *f, size_t site);
void mutate_call_everywhere(struct finder *f, size_t i);
void mutate_name_everywhere(struct finder *f, size_t path);
void mutate_operation_everywhere(struct finder *f, size_t i);
void mutate_sizes(struct finder *f); /* of the whole file */

/* Make mutants of the condition and the place of a statement, and of an element that is read: guards.c. */
void mutate_when(struct finder *f, size_t i, size_t end);
void mutate_read(struct finder *f, const struct site *s);
void mutate_flag(struct finder *f, const struct site *s);
void mutate_condition(struct finder *f, size_t i);
void mutate_unset(struct finder *f, size_t i);
void mutate_share(struct finder *f, size_t i);

/* Returns whether a statement may be inserted before token i. */
bool finder_begins_statement(const struct finder *f, size_t i);

/* Return the token behind the statement that begins at i: if it is an expression, else i; and of any statement. */
size_t finder_statement_end(const struct finder *f, size_t i);
size_t finder_behind_statement(const struct finder *f, size_t i);

/* Makes mutants of the statement that begins there, if one does: statements.c. */
void mutate_statement(struct finder *f, size_t i);

/* Make mutants of the order of a block's statements, of a variable that is set before a loop, of a loop that tests its condition at
   its end, and of what stands in a branch: moves.c. */
void mutate_order(struct finder *f, size_t open);
void mutate_rounds(struct finder *f, size_t path);
void mutate_do(struct finder *f, size_t i);
void mutate_branch(struct finder *f, size_t i);

/* Make mutants of a choice a ? b : c, of what is added to a pointer, and of where a share begins: choices.c. */
void mutate_choice(struct finder *f, size_t i);
void mutate_bytes(struct finder *f, size_t i);
void mutate_begin(struct finder *f, size_t i);

/* Make mutants of where control goes, and of what belongs to a head without braces: jumps.c. */
void mutate_jump(struct finder *f, size_t i);
void mutate_braces(struct finder *f, size_t i);
void mutate_loop_barrier(struct finder *f, size_t i);

/* Make mutants of what an operator or a function takes in: regroup.c. */
void mutate_grouping(struct finder *f, size_t i);
void mutate_reach(struct finder *f, size_t i);

/* Make mutants that put an expression of the function in another place, and a statement for another of two: reuse.c. */
void mutate_wholes(struct finder *f);
void mutate_sibling(struct finder *f, size_t i);

#endif
