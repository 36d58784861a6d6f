#include "harness/model/card.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/model/language.h"

/* --- names ------------------------------------------------------------------------------------ */

/* Copies the part of a path that ends before `end`, up to its first dot.  Returns where it starts. */
static const char *last_part(const char *path, const char *end, char *text, size_t bytes)
{
    const char *start = end;

    while (start > path && start[-1] != '/')
        start--;
    const size_t length = (size_t)(end - start) < bytes ? (size_t)(end - start) : bytes - 1;
    memcpy(text, start, length);
    text[length] = '\0';
    text[strcspn(text, ".")] = '\0';
    return start > path ? start - 1 : path;
}

struct name card_name(const char *path)
{
    struct name name;
    const char *rest = last_part(path, path + strlen(path), name.variant, sizeof name.variant);

    last_part(path, rest, name.problem, sizeof name.problem);
    char *end = stpcpy(name.full, name.problem);
    *end++ = '/';
    strcpy(end, name.variant);
    return name;
}

/* --- values ----------------------------------------------------------------------------------- */

/* The position in the file. */
struct place {
    const char *path;
    int line;
    char *at;
};

static bool complain(const struct place *p, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool complain(const struct place *p, struct error *error, const char *format, ...)
{
    char text[300];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(error, "%s:%d: %s", p->path, p->line, text);
}

static void skip_blanks(struct place *p)
{
    p->at += strspn(p->at, " \t");
}

/* Reads a text in double quotes, in which \" and \\ stand for these two characters.  The result lies
   in the line itself. */
static char *take_text(struct place *p)
{
    char *start = p->at + 1, *to = start;

    if (*p->at != '"')
        return NULL;
    for (char *from = start;; from++) {
        if (*from == '\0')
            return NULL;
        if (*from == '"') {
            *to = '\0';
            p->at = from + 1;
            text_clean(start); /* it will be shown and recorded */
            return start;
        }
        if (*from == '\\' && (from[1] == '"' || from[1] == '\\'))
            from++;
        *to++ = *from;
    }
}

static int index_of(const char *const words[], const char *word)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static const char *nearest(const char *const words[], const char *word)
{
    const char *best = words[0];

    for (int i = 1; words[i] != NULL; i++)
        if (edit_distance(words[i], word) < edit_distance(best, word))
            best = words[i];
    return best;
}

/* Returns the index of a word; -1 with an error if it is none of them. */
static int known(const struct place *p, const char *const words[], const char *word, struct error *error)
{
    const int at = index_of(words, word);

    if (at < 0)
        complain(p, error, "unknown word \"%s\"; did you mean \"%s\"?", word, nearest(words, word));
    return at;
}

static bool take_word(struct place *p, const char *const words[], int *index, struct error *error)
{
    const char *word = take_text(p);

    if (word == NULL)
        complain(p, error, "expected text in double quotes");
    *index = word != NULL ? known(p, words, word, error) : -1;
    return *index >= 0;
}

/* Reads ["numpy>=2", "numba"] into texts[], which ends with NULL. */
static bool take_texts(struct place *p, const char *texts[], size_t most, struct error *error)
{
    size_t count = 0;

    if (*p->at++ != '[')
        return complain(p, error, "expected a list in square brackets");
    for (skip_blanks(p); *p->at != ']'; skip_blanks(p)) {
        if (count + 1 == most)
            return complain(p, error, "more than %zu texts", most - 1);
        if ((texts[count++] = take_text(p)) == NULL)
            return complain(p, error, "expected text in double quotes");
        skip_blanks(p);
        if (*p->at == ',')
            p->at++;
        else if (*p->at != ']')
            return complain(p, error, "expected \",\" or \"]\"");
    }
    p->at++;
    texts[count] = NULL;
    return true;
}

/* Of PEP 508 the harness reads a name, and a name with a lowest version.  More would be accepted and not looked at. */
static bool are_simple(const struct place *p, const char *const dependencies[], struct error *error)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

    for (size_t i = 0; dependencies[i] != NULL; i++) {
        const char *name = dependencies[i], *rest = name + strspn(name, letters);
        rest += strspn(rest, " ");
        if (strncmp(rest, ">=", 2) == 0) {
            rest += 2 + strspn(rest + 2, " ");
            rest += strspn(rest, "0123456789.");
        }
        if (rest == name || *rest != '\0')
            return complain(p, error, "\"%s\": write the name, or the name and a lowest version, as in \"numpy>=2\"", name);
    }
    return true;
}

/* Reads ["upload", "download"] as bits. */
static bool take_bits(struct place *p, const char *const words[], unsigned *bits,
                      struct error *error)
{
    const char *texts[33] = {NULL};

    if (!take_texts(p, texts, 33, error))
        return false;
    for (size_t i = 0; texts[i] != NULL; i++) {
        const int bit = known(p, words, texts[i], error);
        if (bit < 0)
            return false;
        *bits |= 1u << bit;
    }
    return true;
}

static bool take_truth(struct place *p, bool *truth, struct error *error)
{
    *truth = strncmp(p->at, "true", 4) == 0;
    if (!*truth && strncmp(p->at, "false", 5) != 0)
        return complain(p, error, "expected true or false");
    p->at += *truth ? 4 : 5;
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

#define OWN_TABLE "[tool.rungs]"

enum key {
    SOURCE, IDEA, BASE, MATH, TRAITS, DEVICE, CLOCK, PHASES, RESOURCE, READ, LEVEL, LINES, MACHINE, NEEDS, SENDS, DEPENDENCIES, PYTHON, ENGINE
};

static const char *const keys[] = {"source", "idea",   "base",     "math", "traits", "device", "clock",
                                   "phases", "resource", "read",   "level", "lines", "machine", "needs", "sends", "dependencies",
                                   "requires-python", "engine", NULL};

static bool take_value(struct place *p, enum key key, struct card *c, struct error *error)
{
    const char **const texts[] = {[SOURCE] = &c->source, [IDEA] = &c->idea, [BASE] = &c->base,
                                  [READ] = &c->read, [MACHINE] = &c->machine, [NEEDS] = &c->needs,
                                  [SENDS] = &c->sends};
    int math = 0, device = 0, clock = 0, engine = 0;

    switch (key) {
    case DEPENDENCIES:
        return take_texts(p, c->dependencies, MAX_DEPENDENCIES, error) && are_simple(p, c->dependencies, error);
    case PYTHON: return take_text(p) != NULL || complain(p, error, "expected text in double quotes");
    case MATH:
        if (!take_word(p, math_names, &math, error))
            return false;
        c->math = (enum math)math;
        return true;
    case DEVICE:
        if (!take_word(p, device_names, &device, error))
            return false;
        c->device = device_names[device];
        return true;
    case ENGINE:
        if (!take_word(p, engine_names, &engine, error))
            return false;
        c->engine = engine_names[engine];
        return true;
    case TRAITS: return take_bits(p, trait_names, &c->traits, error);
    case PHASES: return take_bits(p, card_phase_names, &c->phases, error);
    case CLOCK:
        if (c->language == NULL)
            return take_truth(p, &c->clock, error);
        if (!take_word(p, clock_names, &clock, error))
            return false;
        c->stream = clock == 1;
        return true;
    case RESOURCE:
        c->resource = (int)strtol(p->at, &p->at, 10);
        return true;
    case LEVEL:
        c->level = (int)strtol(p->at, &p->at, 10);
        return true;
    case LINES:
        c->lines = (int)strtol(p->at, &p->at, 10);
        return true;
    default:
        *texts[key] = take_text(p);
        return *texts[key] != NULL || complain(p, error, "expected text in double quotes");
    }
}

static bool take_line(struct place *p, struct card *c, struct error *error)
{
    skip_blanks(p);
    if (*p->at == '\0' || *p->at == '#')
        return true;
    if (*p->at == '[')
        return complain(p, error, "unknown table %s; did you mean " OWN_TABLE "?", p->at);
    char *key = p->at;
    p->at += strcspn(p->at, " \t=");
    char *end = p->at;
    skip_blanks(p);
    if (*p->at != '=')
        return complain(p, error, "expected KEY = VALUE");
    p->at++;
    skip_blanks(p);
    *end = '\0';
    const int which = index_of(keys, key);
    if (which < 0)
        return complain(p, error, "unknown key \"%s\"; did you mean \"%s\"?", key, nearest(keys, key));
    if (!take_value(p, (enum key)which, c, error))
        return false;
    skip_blanks(p);
    return *p->at == '\0' || complain(p, error, "unexpected \"%s\" after the value", p->at);
}

/* --- the file --------------------------------------------------------------------------------- */

enum { MAX_CARD = 16384 };

/* The card, its texts and its paths, in one block. */
struct block {
    struct card card;
    char file[512], text[];
};

static bool take_lines(struct place *p, struct card *c, char *text, struct error *error)
{
    for (char *line = strtok_r(text, "\n", &text); line != NULL; line = strtok_r(NULL, "\n", &text)) {
        p->at = line;
        p->line++;
        if (!take_line(p, c, error))
            return false;
    }
    if (c->idea == NULL || c->idea[0] == '\0')
        return error_set(error, "%s: .idea is missing: say in one line what this variant does differently",
                         c->source);
    return card_has(c, CARD_RUN) ||
           error_set(error, "%s: .run is missing: there is nothing to measure", c->source);
}

/* A block with the text of a file; NULL: the error says why. */
static struct block *read_block(const char *path, struct error *error)
{
    struct stat s;
    const bool strange = stat(path, &s) == 0 && !S_ISREG(s.st_mode); /* to open a pipe could take for ever */
    FILE *f = strange ? NULL : fopen(path, "re");
    struct block *b = f != NULL ? calloc(1, sizeof *b + MAX_CARD) : NULL;

    if (b == NULL)
        error_set(error, "%s: %s", path, strange ? "is no plain file" : strerror(errno));
    else
        b->text[fread(b->text, 1, MAX_CARD - 1, f)] = '\0';
    if (f != NULL)
        fclose(f);
    return b;
}

static struct card *make_card(struct block *b, struct card card, const char *path, struct error *error)
{
    struct place place = {.path = path};

    b->card = card;
    b->card.name = card_name(path);
    b->card.file = b->card.source = b->file;
    b->card.device = "cpu";
    b->card.clock = true;
    b->card.resource = -1;
    if (!take_lines(&place, &b->card, b->text, error)) {
        free(b);
        return NULL;
    }
    return &b->card;
}

struct card *card_read(const char *path, struct error *error)
{
    struct block *b = read_block(path, error);

    if (b == NULL)
        return NULL;
    /* The file that it is about has the same name, and the ending ".so" or none. */
    snprintf(b->file, sizeof b->file, "%.*s.so", (int)(strlen(path) - strlen(".card")), path);
    if (access(b->file, R_OK) != 0)
        b->file[strlen(b->file) - strlen(".so")] = '\0';
    return make_card(b, (struct card){.math = MATH_F32}, path, error);
}

/* --- a source's own --------------------------------------------------------------------------- */

/* Returns whether a line begins a table of another tool, whose lines are not for the harness: "[tool.uv]".  A name that is
   nearly our own is a mistake, and stays to be named. */
static bool is_foreign(const char *line)
{
    const unsigned misspelt = 2;

    return line[0] == '[' && edit_distance(line, OWN_TABLE) > misspelt;
}

/* Blanks out what is no line of the block, so that the lines' numbers stay what they are in the file, and the
   block's comment signs.  A list over several lines becomes one.  False: there is no whole block. */
static bool uncover_block(char *text, const char *comment)
{
    enum { BEFORE, INSIDE, AFTER } part = BEFORE;
    char open[32], close[32], *list = NULL;
    bool foreign = false;

    snprintf(open, sizeof open, "%s /// script", comment);
    snprintf(close, sizeof close, "%s ///", comment);
    for (char *line = text, *end; *line != '\0'; line = end) {
        end = line + strcspn(line, "\n");
        const bool last = *end == '\0';
        *end = '\0';
        if (part == BEFORE && strcmp(line, open) == 0) {
            part = INSIDE;
            memset(line, ' ', strlen(line));
        } else if (part == INSIDE && strcmp(line, close) != 0) {
            if (strncmp(line, comment, strlen(comment)) != 0)
                return false;
            memset(line, ' ', strlen(comment));
            const char *words = line + strspn(line, " \t");
            if (list == NULL && words[0] == '[')
                foreign = is_foreign(words);
            if (foreign || strncmp(words, OWN_TABLE, strlen(OWN_TABLE)) == 0)
                memset(line, ' ', strlen(line));
            if (list == NULL && strchr(line, '=') != NULL && strchr(line, '[') != NULL)
                list = line;
        } else {
            part = part == INSIDE ? AFTER : part;
            memset(line, ' ', strlen(line));
        }
        if (list != NULL && strchr(line, ']') != NULL)
            list = NULL;
        if (!last)
            *end = list != NULL ? ' ' : '\n';
        end += !last;
    }
    return part == AFTER;
}

struct card *card_read_source(const char *path, struct error *error)
{
    const struct language *l = language_of(path);
    struct block *b = read_block(path, error);

    if (b == NULL)
        return NULL;
    snprintf(b->file, sizeof b->file, "%s", path);
    if (!uncover_block(b->text, l->comment)) {
        free(b);
        error_set(error, "%s: no card: it begins with a line \"%s /// script\" and ends with \"%s ///\"", path,
                  l->comment, l->comment);
        return NULL;
    }
    return make_card(b, (struct card){.math = MATH_F32, .language = l,
                                      .phases = 1u << CARD_RUN | 1u << CARD_PREPARE}, path, error);
}

void card_free(struct card *c)
{
    free(c); /* the first member of its block */
}

static int is_card(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name), end = strlen(".card");

    return (length > end && strcmp(entry->d_name + length - end, ".card") == 0) ||
           (entry->d_name[0] != '.' && language_of(entry->d_name) != NULL);
}

static struct card *read_either(const char *path, struct error *error)
{
    return language_of(path) != NULL ? card_read_source(path, error) : card_read(path, error);
}

bool cards_read(const char *folder, struct card **list, struct error *error)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_card, alphasort);
    bool good = true;

    for (int i = 0; i < count; i++) {
        struct error other;
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        struct card *c = read_either(path, good ? error : &other);
        free(entries[i]);
        good = good && c != NULL;
        if (c == NULL)
            continue;
        c->next = *list;
        *list = c;
    }
    if (count >= 0)
        free(entries);
    return good;
}
