/* Parses the text of an asm statement, once: instructions and their operands. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/sim/ptx/ptx.h"

static const struct {
    const char *pattern;
    void (*run)(struct ptx_frame *f, const struct ptx_instruction *i);
} table[] = {
#define PTX_ENTRY(pattern, function) {pattern, function},
    PTX_INSTRUCTIONS(PTX_ENTRY)
#undef PTX_ENTRY
};

/* The statement being parsed. */
static struct {
    const struct cudasim_ptx *statement;
    const char *constraints; /* two characters for each operand: =, + or space, and its type */
    const void *at;
    char local[PTX_LOCALS][32];
    unsigned locals;
} now;

static _Noreturn void fail(const char *what, const char *text)
{
    sim_fail(now.at, "PTX cannot be simulated: %s: %.60s", what, text);
}

static void *allocate(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);

    if (p == NULL)
        sim_fail(now.at, "no memory");
    return p;
}

/* --- operands --------------------------------------------------------------------------------- */

static unsigned words_of(char type)
{
    return strchr("ldn", type) != NULL ? 2 : 1;
}

/* %7: finds its words among those of all operands. */
static struct ptx_operand given(unsigned number)
{
    struct ptx_operand o = {.kind = PTX_GIVEN};

    if (2 * number >= strlen(now.constraints))
        fail("an operand that is not given", now.statement->text);
    for (unsigned i = 0; i < number; i++)
        o.at += words_of(now.constraints[2 * i + 1]);
    o.words = words_of(now.constraints[2 * number + 1]);
    return o;
}

static int local_named(const char *name, size_t length)
{
    for (unsigned i = 0; i < now.locals; i++)
        if (strlen(now.local[i]) == length && memcmp(now.local[i], name, length) == 0)
            return (int)i;
    return -1;
}

static size_t word_length(const char *at)
{
    size_t n = 0;

    while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.')
        n++;
    return n;
}

/* Parses a number: 16, -1, 0x3fff, or 0f3f800000, the bits of a float. */
static uint64_t number_at(const char *at, char **end)
{
    if (at[0] == '0' && (at[1] == 'f' || at[1] == 'F'))
        return strtoull(at + 2, end, 16);
    return (uint64_t)strtoll(at, end, 0);
}

static struct ptx_operand operand_at(const char **at)
{
    struct ptx_operand o = {.kind = PTX_NOTHING};
    char name[32], *end;
    size_t length;
    int local;

    if ((*at)[0] == '%' && isdigit((unsigned char)(*at)[1])) {
        o = given((unsigned)strtoul(*at + 1, &end, 10));
        *at = end;
    } else if (strncmp(*at, "%%", 2) == 0) {
        length = word_length(*at + 2);
        snprintf(name, sizeof name, "%.*s", (int)length, *at + 2);
        o = (struct ptx_operand){.kind = PTX_SPECIAL, .at = ptx_special_named(name, now.at)};
        *at += 2 + length;
    } else if (isdigit((unsigned char)**at) || **at == '-') {
        o = (struct ptx_operand){.kind = PTX_NUMBER, .value = number_at(*at, &end)};
        *at = end;
    } else {
        length = word_length(*at);
        local = local_named(*at, length);
        if (length == 0 || (local < 0 && strncmp(*at, "_", length) != 0))
            fail("an operand", *at);
        if (local >= 0)
            o = (struct ptx_operand){.kind = PTX_LOCAL, .at = (unsigned)local};
        *at += length;
    }
    return o;
}

/* Commas separate groups; those within brackets separate operands. */
static void read_operands(struct ptx_instruction *i, const char *at, const char *end)
{
    unsigned count = 0;
    int depth = 0;

    at = ptx_skip(at, "");
    i->groups = at < end;
    for (; at < end; at = ptx_skip(at, "")) {
        if (strchr("{[}],", *at) != NULL) {
            depth += *at == '{' || *at == '[';
            depth -= *at == '}' || *at == ']';
            if (*at == ',' && depth == 0) {
                if (i->groups == PTX_GROUPS)
                    fail("more operands than are possible", i->place.operation);
                i->first[i->groups++] = count;
            }
            at++;
        } else if (*at == '+' && count > 0) {
            char *after;
            i->operand[count - 1].value += number_at(ptx_skip(at + 1, ""), &after);
            at = after;
        } else {
            i->operand = allocate(i->operand, (count + 1) * sizeof *i->operand);
            i->operand[count++] = operand_at(&at);
        }
    }
    i->first[i->groups] = count;
}

/* --- statements ------------------------------------------------------------------------------- */

/* .reg .pred p, q */
static void declare(const char *at, const char *end)
{
    at = ptx_skip(at + strlen(".reg"), "");
    at += strcspn(at, " \t\n"); /* the type is ignored: all registers have 64 bits */
    for (at = ptx_skip(at, ","); at < end; at = ptx_skip(at, ",")) {
        size_t length = word_length(at);
        if (length == 0 || now.locals == PTX_LOCALS)
            fail("registers", at);
        snprintf(now.local[now.locals++], sizeof now.local[0], "%.*s", (int)length, at);
        at += length;
    }
}

static struct ptx_instruction instruction_at(const char *at, const char *name,
                                             const char *condition)
{
    struct ptx_instruction i = {.condition = -1};

    for (size_t n = 0; n < sizeof table / sizeof *table && i.run == NULL; n++)
        if (fnmatch(table[n].pattern, name, 0) == 0)
            i.run = table[n].run;
    if (i.run == NULL)
        sim_fail(now.at, "PTX %s cannot be simulated", name);
    i.place = (struct cudasim_place){strdup(name), now.statement->file, now.statement->line};
    if (condition != NULL) {
        i.negated = *condition == '!';
        condition += i.negated;
        i.condition = local_named(condition, word_length(condition));
        if (i.condition < 0)
            fail("a condition", condition);
    }
    read_operands(&i, at + strlen(name), ptx_end(at));
    return i;
}

struct ptx_program *ptx_read(const struct cudasim_ptx *statement, const char *constraints,
                             const void *at)
{
    struct ptx_program *p = allocate(NULL, sizeof *p);
    char name[PTX_NAME_BYTES];
    const char *condition, *text = statement->text;

    *p = (struct ptx_program){.count = 0};
    now.statement = statement;
    now.constraints = constraints;
    now.at = at;
    now.locals = 0;
    while ((text = ptx_next(text, name, &condition)) != NULL) {
        if (strcmp(name, ".reg") == 0) {
            declare(text, ptx_end(text));
        } else {
            p->instruction = allocate(p->instruction, (p->count + 1) * sizeof *p->instruction);
            p->instruction[p->count++] = instruction_at(text, name, condition);
        }
        text = ptx_end(text);
    }
    return p;
}
