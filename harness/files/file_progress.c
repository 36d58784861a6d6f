#include "harness/files/file_progress.h"

#include <stdio.h>

#include "harness/base/clock.h"
#include "harness/base/terminal.h"
#include "harness/base/text.h"

static const double PATIENCE = 1.0, REDRAW_TIME = 0.1; /* seconds */

struct file_progress file_progress_begin(const char *verb, const char *name)
{
    return (struct file_progress){.verb = verb, .name = name, .next = clock_now() + PATIENCE};
}

void file_progress_show(struct file_progress *p, size_t done, size_t all)
{
    char text[320];
    const double now = clock_now();

    if (now < p->next || terminal_height(stderr) == 0)
        return;
    p->next = now + REDRAW_TIME;
    p->lines = 1;
    (void)snprintf(text, sizeof text, "%s %.0f %%: %s", p->verb, 100.0 * (double)done / (double)all, p->name);
    text_clean(text);
    fprintf(stderr, "\r%.*s\033[K", (int)terminal_columns(stderr) - 1, text); /* a wrapped line would stay */
    fflush(stderr);
}

void file_progress_end(struct file_progress *p)
{
    if (p->lines > 0)
        fputs("\r\033[K", stderr);
    p->lines = 0;
}
