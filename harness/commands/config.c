/* rungs config: the user's defaults of options, where each is from, and the folders of this program. */
#include "harness/commands/command.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folders.h"
#include "harness/base/terminal.h"
#include "harness/commands/defaults.h"
#include "harness/table/grid.h"

enum { C_OPTION, C_VALUE, C_FROM, C_VARIABLE };

static const struct grid_column columns[] = {
    {"option", "option", .left = true},
    {"value", "value", .left = true},
    {"from", "from", .left = true},
    {"variable", "variable", .left = true},
};

/* Is it the first row of this name? */
static bool is_first(const struct option_row *rows, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(rows[i].name, rows[at].name) == 0)
            return false;
    return true;
}

/* The value must be right for one command at least.  The error is the last row's. */
static bool is_right(const struct option_row *rows, size_t count, const struct option_row *row,
                     const struct user_default *d, struct error *error)
{
    static struct options scratch;

    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, row->name) == 0 && defaults_take(&rows[i], d, &scratch, error))
            return true;
    return false;
}

static bool add_options(struct grid *g, struct error *error)
{
    const struct option_row *rows;
    const size_t count = option_table(&rows);
    struct user_default d;
    char variable[64];

    for (size_t i = 0; i < count; i++) {
        if (!option_table_has_default(&rows[i]) || !is_first(rows, i))
            continue;
        const bool set = defaults_find(&rows[i], &d);
        if (set && !is_right(rows, count, &rows[i], &d, error))
            return false;
        defaults_variable(&rows[i], variable, sizeof variable);
        grid_row(g);
        grid_set(g, C_OPTION, "--%s", rows[i].name);
        grid_set(g, C_VARIABLE, "%s", variable);
        if (set) {
            grid_set(g, C_VALUE, "%s", d.value != NULL ? d.value : "on");
            grid_set(g, C_FROM, "%s", d.from);
        }
    }
    return true;
}

static void print_file(const char *what, bool known, const char *path)
{
    terminal_printf(stdout, "%s  %s%s\n", what, known ? path : "none: neither HOME nor the XDG variable is set",
                    known && access(path, F_OK) != 0 ? " (does not exist)" : "");
}

static int run(const struct options *o)
{
    struct error error;
    struct grid g;
    char path[PATH_MAX];

    grid_start(&g);
    grid_columns(&g, columns, sizeof columns / sizeof *columns);
    const bool fine = defaults_read(&error) && add_options(&g, &error);
    if (fine && o->format == FORMAT_TABLE) {
        print_file("defaults", defaults_file(path, sizeof path), path);
        print_file("cache   ", folders_cache("", path, sizeof path), path);
        putchar('\n');
    }
    if (fine)
        grid_print(&g, o->format, stdout);
    grid_free(&g);
    return fine ? STATUS_OK : usage_error(&error);
}

const struct command command_config = {
    .name = "config",
    .usage = "config [--format json]",
    .about = "show your defaults of options, and where each is from",
    .help = "A default counts for every command that takes the option, unless the command line has it.\n"
            "The environment comes before the file.\n\n"
            "  RUNGS_MAX_TIME=2 rungs bench    --max-time 2; a flag's variable is 1, or 0\n"
            "  ~/.config/rungs/options         an option a line, as on the command line: --max-time 2\n",
    .words = "",
    .run = run,
};
