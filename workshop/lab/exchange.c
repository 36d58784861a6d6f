#include "workshop/lab/exchange.h"

#include "workshop/lab/token.h"

/* A statement "a = b;": the tokens of what it sets, and of what it sets that to. */
struct assignment {
    size_t to, to_count, from, from_count;
};

/* Reads the statement of tokens begin to end - 1.  Returns false if it is no plain assignment. */
static bool read_assignment(const struct tokens *t, size_t begin, size_t end, struct assignment *a)
{
    size_t equals = begin;

    while (equals < end && !token_is(t, equals, "="))
        equals++;
    *a = (struct assignment){begin, equals - begin, equals + 1, end - equals - 1};
    return equals > begin && equals + 1 < end;
}

/* Returns whether each of the two sets what the other one reads. */
static bool undoes(const struct tokens *t, const struct assignment *a, const struct assignment *b)
{
    return a->to_count == b->from_count && a->from_count == b->to_count && tokens_equal(t, a->to, b->from, a->to_count) &&
           tokens_equal(t, a->from, b->to, a->from_count);
}

static void tell(const struct tokens *t, const struct assignment *first, const struct assignment *second, struct mistake *m)
{
    const struct mistake found = *m;
    const struct token *to = &t->list[first->to], *from = &t->list[first->from];
    const char *a = t->text + to->at, *b = t->text + from->at;
    const int a_length = (int)(to[first->to_count - 1].end - to->at), b_length = (int)(from[first->from_count - 1].end - from->at);

    mistake_set(m, "exchange-lost");
    mistake_add(m, "line %d: %.*s = %.*s, and then line %d: %.*s = %.*s. After the first of the two both are the same, so the second changes nothing: "
                   "what %.*s was before is lost",
                to->line, a_length, a, b_length, b, t->list[second->to].line, b_length, b, a_length, a, a_length, a);
    for (int i = 0; i < found.facts; i++)
        mistake_add(m, "%s", found.fact[i]);
    m->explains = found.explains;
}

void exchange_look(const char *text, struct mistake *m)
{
    struct tokens t;
    struct assignment last = {0}, this = {0};
    bool after = false, told = !tokens_read(&t, text); /* the statement before is an assignment */

    for (size_t i = 0, begin = 0; i < t.count && !told; i++) {
        if (!token_in(&t, i, "; { }"))
            continue;
        const bool is = token_is(&t, i, ";") && read_assignment(&t, begin, i, &this);
        told = is && after && undoes(&t, &last, &this);
        if (told)
            tell(&t, &last, &this, m);
        last = this;
        after = is;
        begin = i + 1;
    }
    tokens_free(&t);
}
