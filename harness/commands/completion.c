/* rungs completion: lists the words that may be typed next, and prints the shells' scripts that use it. */
#include "harness/commands/command.h"

#include <stdio.h>
#include <string.h>

#include "harness/commands/option_table.h"
#include "harness/model/registry.h"

/* --- what may be typed next ------------------------------------------------------------------- */

/* The text before each word: "S," in a list, "--size=" in an option. */
struct before {
    int length;
    const char *text;
};

/* Prints a line: the word, a tab, and the first phrase of its help. */
static void put(const struct before *b, const char *dashes, const char *word, int length,
                const char *about)
{
    printf("%.*s%s%.*s\t%.*s\n", b->length, b->text, dashes, length, word,
           (int)strcspn(about, ";:(["), about);
}

static void put_commands(const struct before *b)
{
    for (const struct command *const *c = commands; *c != NULL; c++)
        put(b, "", (*c)->name, (int)strlen((*c)->name), (*c)->about);
}

static void put_variants(const struct before *b)
{
    const struct problem *const *problems;
    const struct card *const *variants;
    size_t count = registry_problems(&problems);

    for (size_t i = 0; i < count; i++)
        put(b, "", problem_name(problems[i]), (int)strlen(problem_name(problems[i])), "all its variants");
    count = registry_variants(&variants);
    for (size_t i = 0; i < count; i++) {
        const struct name name = variants[i]->name;
        put(b, "", name.full, (int)strlen(name.full), variants[i]->idea);
    }
}

/* Lists what may follow a command or an option.  ":files" tells the shell to complete file names. */
static void put_words(const struct before *b, const char *words)
{
    while (*words != '\0') {
        const size_t length = strcspn(words, " ");
        if (strncmp(words, "VARIANT", length) == 0)
            put_variants(b);
        else if (strncmp(words, "COMMAND", length) == 0)
            put_commands(b);
        else if (strncmp(words, "FILE", length) == 0)
            puts(":files");
        else
            put(b, "", words, (int)length, "");
        words += length + strspn(words + length, " ");
    }
}

static void put_options(const struct before *b, const char *command)
{
    const struct option_row *rows;
    const size_t count = option_table(&rows);

    for (size_t i = 0; i < count; i++)
        if (option_table_is_of(&rows[i], command)) {
            put(b, "--", rows[i].name, (int)strlen(rows[i].name), rows[i].help);
            if (rows[i].letter != 0)
                put(b, "-", &rows[i].letter, 1, rows[i].help);
        }
}

/* Returns the command's option of this spelling if it takes a value, else NULL. */
static const struct option_row *option_before(const char *word, size_t length, const char *command)
{
    const struct option_row *rows;
    const size_t count = option_table(&rows);
    char text[64];

    for (size_t i = 0; i < count; i++) {
        if (rows[i].argument == NULL || rows[i].argument[0] == '[' ||
            !option_table_is_of(&rows[i], command))
            continue;
        snprintf(text, sizeof text, "--%s", rows[i].name);
        if (strlen(text) == length && strncmp(word, text, length) == 0)
            return &rows[i];
        if (length == 2 && word[0] == '-' && word[1] == rows[i].letter)
            return &rows[i];
    }
    return NULL;
}

/* Returns the option's values in the form that put_words takes. */
static const char *values_of(const struct option_row *row)
{
    if (strcmp(row->argument, "PATTERN") == 0)
        return "VARIANT";
    if (strcmp(row->argument, "FILE") == 0 || strcmp(row->argument, "FOLDER") == 0)
        return "FILE";
    return row->values != NULL ? row->values : "";
}

static const struct command *first_command(char const *const words[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (const struct command *const *c = commands; *c != NULL; c++)
            if (strcmp(words[i], (*c)->name) == 0)
                return *c;
    return NULL;
}

/* Loads the folders that the typed words name, as the command would.  A folder that cannot be read adds nothing. */
static void load_folders(const char *const words[], size_t count)
{
    static const char option[] = "--variants";
    const size_t length = sizeof option - 1;
    struct error error;
    bool follows = false; /* its value */

    for (size_t i = 0; i < count; i++) {
        if (follows && strcmp(words[i], "=") == 0)
            continue;
        if (follows)
            registry_load(words[i], &error);
        else if (strncmp(words[i], option, length) == 0 && words[i][length] == '=')
            registry_load(words[i] + length + 1, &error);
        follows = strcmp(words[i], option) == 0;
    }
    registry_order(&error);
}

/* Lists the words that may replace the last one, which may be incomplete.  bash splits words at `=`. */
static void put_next(const char *const words[], size_t count)
{
    const struct command *command = first_command(words, count - 1);
    const char *name = command != NULL ? command->name : "", *now = words[count - 1];
    const char *last = count > 1 ? words[count - 2] : "", *equals = strchr(now, '=');
    size_t length = strlen(last);

    if (strcmp(now, "=") == 0)
        now = "";
    else if (strcmp(last, "=") == 0 && count > 2)
        length = strlen(last = words[count - 3]);
    else if (strncmp(now, "--", 2) == 0 && equals != NULL)
        length = (size_t)(equals - (last = now));
    const char *comma = strrchr(now, ',');
    struct before before = {.text = now};
    if (comma != NULL || last == now)
        before.length = (int)((comma != NULL ? comma : equals) + 1 - now);
    const struct option_row *row = option_before(last, length, name);
    if (row != NULL)
        put_words(&before, values_of(row));
    else if (now[0] == '-')
        put_options(&before, name);
    else
        put_words(&before, command != NULL ? command->words : "COMMAND");
}

/* --- the scripts ------------------------------------------------------------------------------ */

static const char bash[] =
    "# Completion of rungs in bash.  In ~/.bashrc: eval \"$(rungs completion bash)\"\n"
    "_rungs()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} words\n"
    "    words=$(\"${COMP_WORDS[0]}\" completion words -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" \\\n"
    "        2>/dev/null | cut -f 1)\n"
    "    [[ $cur == = ]] && cur=\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"${words/:files/}\" -- \"$cur\")\n"
    "    if [[ $words == *:files* ]]; then\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$cur\")\n"
    "    fi\n"
    "}\n"
    "complete -F _rungs rungs\n";

static const char zsh[] =
    "#compdef rungs\n"
    "# Completion of rungs in zsh.  In ~/.zshrc: source <(rungs completion zsh)\n"
    "_rungs()\n"
    "{\n"
    "    local line\n"
    "    local -a found about\n"
    "    for line in ${(f)\"$(rungs completion words -- \"${(@)words[2,CURRENT]}\" 2>/dev/null)\"}; do\n"
    "        if [[ $line == :files ]]; then\n"
    "            _files\n"
    "        else\n"
    "            found+=(\"${line%%$'\\t'*}\")\n"
    "            about+=(\"${line/$'\\t'/  }\")\n"
    "        fi\n"
    "    done\n"
    "    compadd -l -d about -a found\n"
    "}\n"
    "if [[ $funcstack[1] == _rungs ]]; then _rungs \"$@\"; else compdef _rungs rungs; fi\n";

static const char fish[] =
    "# Completion of rungs in fish.  In config.fish: rungs completion fish | source\n"
    "function __rungs_words\n"
    "    set -l typed (commandline -opc) (commandline -ct)\n"
    "    rungs completion words -- $typed[2..-1] 2>/dev/null\n"
    "end\n"
    "complete -c rungs -f -a '(__rungs_words | string match -v :files)'\n"
    "complete -c rungs -n '__rungs_words | string match -q :files' -F\n";

/* --- the command ------------------------------------------------------------------------------ */

static int run(const struct options *o)
{
    static const struct {
        const char *name, *script;
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    const char *what = o->patterns.count > 0 ? o->patterns.word[0] : "";
    struct error error;

    if (strcmp(what, "words") == 0 && o->patterns.count > 1) {
        load_folders(o->patterns.word + 1, o->patterns.count - 2); /* not the word that is being typed */
        put_next(o->patterns.word + 1, o->patterns.count - 1);
        return STATUS_OK;
    }
    for (size_t i = 0; i < 3 && o->patterns.count == 1; i++)
        if (strcmp(what, shells[i].name) == 0) {
            fputs(shells[i].script, stdout);
            return STATUS_OK;
        }
    error_set(&error, "completion takes a shell: bash, zsh or fish");
    return usage_error(&error);
}

const struct command command_completion = {
    .name = "completion",
    .usage = "completion bash|zsh|fish",
    .about = "print a script that completes commands, options and variants in a shell",
    .help = "In ~/.bashrc:  eval \"$(rungs completion bash)\"\n"
            "In ~/.zshrc:   source <(rungs completion zsh)\n"
            "In fish:       rungs completion fish | source\n",
    .words = "bash zsh fish",
    .run = run,
};
