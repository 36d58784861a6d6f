#include "workshop/lab/mistake.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "workshop/lab/text.h"

void mistake_set(struct mistake *m, const char *kind)
{
    snprintf(m->kind, sizeof m->kind, "%s", kind);
    m->facts = 0;
    m->explains = 0;
    m->named = false;
    m->turns = 0;
}

void mistake_add(struct mistake *m, const char *format, ...)
{
    va_list arguments;

    if (m->facts == MISTAKE_FACTS)
        return;
    va_start(arguments, format);
    vsnprintf(m->fact[m->facts], sizeof m->fact[0], format, arguments);
    va_end(arguments);
    m->facts++;
}

void mistake_quote(struct mistake *m, const char *text, int number)
{
    const char *line = text_line(text, number);

    mistake_add(m, "%5d | %.*s", number, (int)strcspn(line, "\n"), line);
}
