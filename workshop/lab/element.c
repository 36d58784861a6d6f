#include "workshop/lab/element.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/model/registry.h"
#include "workshop/lab/own_lines.h"
#include "workshop/lab/text.h"

/* Reads the thread of a fact such as "thread 3 of block 0: ...".  Returns false if it is not one of block 0. */
static bool is_first_block(const char *fact, unsigned *x, unsigned *y)
{
    unsigned block, block_y;

    *y = 0;
    if (sscanf(fact, "thread %u of block %u:", x, &block) == 2)
        return block == 0;
    return sscanf(fact, "thread (x %u, y %u) of block (x %u, y %u)", x, y, &block, &block_y) == 4 &&
           block + block_y == 0;
}

static bool is_on_border(size_t r, size_t c, size_t rows, size_t cols)
{
    return r == 0 || c == 0 || r == rows - 1 || c == cols - 1;
}

/* Adds that a pixel has not the element as a neighbour, if that is so. */
static bool add_stranger(size_t r, size_t c, const struct size *size, struct mistake *m)
{
    const size_t rows = size->dims[0], cols = size->dims[1];
    const char *bracket = strchr(m->fact[0], '[');
    const long i = (long)(r * cols + c), most = (long)cols + 1;
    long element;

    if (r >= rows || c >= cols || bracket == NULL || sscanf(bracket, "[%ld]", &element) != 1 || (element >= i - most && element <= i + most))
        return false;
    mistake_add(m, "row %zu, column %zu is element %ld, and its neighbours are %ld to %ld: %ld is none of them", r, c, i, i - most, i + most, element);
    return true;
}

static void add_pixel(size_t r, size_t c, const struct size *size, struct mistake *m)
{
    const size_t rows = size->dims[0], cols = size->dims[1];

    if (r >= rows || c >= cols)
        mistake_add(m, "with x for columns and y for rows, that is row %zu, column %zu: there is no such pixel among "
                    "%zu x %zu", r, c, rows, cols);
    else if (!add_stranger(r, c, size, m) && is_on_border(r, c, rows, cols))
        mistake_add(m, "with x for columns and y for rows, that is row %zu, column %zu: it is on the border of %zu x "
                    "%zu pixels", r, c, rows, cols);
}

/* Returns whether thread i usually has element i. */
static bool has_one_each(const struct problem *p)
{
    return strcmp(p->axes[0], "n") == 0 || strcmp(problem_name(p), "knn") == 0;
}

/* For a pixel that was never written: adds its row and column, if the array is an image. */
static void add_unwritten(const struct exercise *e, const struct size *size, struct mistake *m)
{
    const size_t rows = size->dims[0], cols = size->dims[1];
    const char *element = m->facts > 0 ? strrchr(m->fact[0], '[') : NULL;
    size_t i, count;

    if (strcmp(m->kind, "unwritten-read") == 0 && strcmp(e->problem->axes[0], "rows") == 0 && element != NULL &&
        sscanf(element, "[%zu], of %zu element", &i, &count) == 2 && count == rows * cols)
        mistake_add(m, "that is row %zu, column %zu of the image, which has %zu rows and %zu columns", i / cols, i % cols,
                    rows, cols);
}

/* Nothing is written from element i on: says so in rows and columns, if that is the first one of a row, or in row 0. */
static void name_reach(size_t i, size_t rows, size_t cols, char *fact, size_t room)
{
    static const char *const further = "does the launch that has written it have threads for more, and do all of them store what they have?";

    if (i > 0 && i < cols)
        snprintf(fact, room, "of its row 0 columns 0 to %zu are written, of %zu, and nothing else: %s", i - 1, cols, further);
    else if (i > 0 && i % cols == 0)
        snprintf(fact, room, "of it rows 0 to %zu are written, of %zu, and nothing else: %s", i / cols - 1, rows, further);
}

/* For a row of a GPU's part of an image that was never written: adds which row of the image it is, and whose. */
static void add_band(const struct exercise *e, const struct size *size, struct mistake *m)
{
    const size_t rows = size->dims[0], cols = size->dims[1], gpus = (size_t)e->devices < rows ? (size_t)e->devices : rows;
    const char *element = m->facts > 0 ? strrchr(m->fact[0], '[') : NULL, *on = m->facts > 0 ? strstr(m->fact[0], "on GPU ") : NULL;
    size_t i, count, g = on != NULL ? (size_t)atoi(on + strlen("on GPU ")) : 0, owner = 0;

    if (strcmp(m->kind, "unwritten-read") != 0 || strcmp(e->problem->axes[0], "rows") != 0 || e->devices <= 1 || cols == 0 || g >= gpus ||
        element == NULL || sscanf(element, "[%zu], of %zu element", &i, &count) != 2)
        return;
    const size_t first = rows * g / gpus, last = rows * (g + 1) / gpus, top = first > 0 ? first - 1 : 0, bottom = last < rows ? last + 1 : rows;
    const size_t row = top + i / cols;
    if (count != (bottom - top) * cols)
        return;
    while (rows * (owner + 1) / gpus <= row)
        owner++;
    mistake_add(m, "that is row %zu of the image, %s: GPU %zu computes it, whose band has rows %zu to %zu", row,
                owner == g ? "a row of the GPU's own band" : row < first ? "the halo above the GPU's band" : "the halo below the GPU's band", owner,
                rows * owner / gpus, rows * (owner + 1) / gpus - 1);
}

/* Says of an image that is written in part which rows and columns are, if these are whole ones. */
static void name_written(const struct exercise *e, const struct size *size, struct mistake *m)
{
    const size_t rows = size->dims[0], cols = size->dims[1];
    const bool image = strcmp(e->problem->axes[0], "rows") == 0 && cols > 0;
    size_t bytes, gap, last;

    for (int f = 0; f < m->facts; f++) {
        char *fact = m->fact[f];
        const char *element = strrchr(m->fact[0], '[');
        size_t i;
        if (strcmp(fact, "all before it is written") == 0 && image && e->devices <= 1 && element != NULL && sscanf(element, "[%zu], of", &i) == 1)
            name_reach(i, rows, cols, fact, sizeof m->fact[f]);
        if (sscanf(fact, "%zu bytes of it are written, the first gap is at byte %zu, the last of them is byte %zu", &bytes, &gap, &last) != 3)
            continue;
        const size_t right = gap / sizeof(float) < cols ? gap / sizeof(float) : cols, below = cols > 0 ? last / sizeof(float) / cols + 1 : 0;
        if (image && right < cols && bytes == right * below * sizeof(float))
            snprintf(fact, sizeof m->fact[f], "of it rows 0 to %zu and columns 0 to %zu are written, of %zu rows and %zu columns: the blocks of "
                     "the launch that has written it do not reach further", below - 1, right - 1, rows, cols);
        else if (strcmp(e->problem->axes[0], "rows") == 0 && e->devices <= 1 && gap > 0 && cols > 0 && gap % (cols * sizeof(float)) == 0 &&
                 bytes % (cols * sizeof(float)) == 0 && bytes > gap)
            snprintf(fact, sizeof m->fact[f], "of it rows 0 to %zu are written, and of the others %zu: the launch that has written it has left "
                     "out whole rows, the first of them row %zu", gap / sizeof(float) / cols - 1, (bytes - gap) / sizeof(float) / cols,
                     gap / sizeof(float) / cols);
        else
            snprintf(fact, sizeof m->fact[f], "%zu bytes of it are written", bytes);
    }
}

/* For an element that was never written: adds whether the thread reads another one than its own. */
static void add_shift(const struct exercise *e, struct mistake *m)
{
    const char *array = m->facts > 0 ? strstr(m->fact[0], "reads ") : NULL, *element;
    unsigned x, y;
    size_t i;

    if (strcmp(m->kind, "unwritten-read") != 0 || !has_one_each(e->problem) || !is_first_block(m->fact[0], &x, &y) || array == NULL ||
        strstr(array, "ref") != NULL || (element = strrchr(m->fact[0], '[')) == NULL || sscanf(element, "[%zu], of", &i) != 1 || i == x)
        return;
    mistake_add(m, "thread %u of block 0 reads element %zu: the index or the pointer is shifted", x, i);
}

/* A kernel with threads in one line: adds the pixel with the number of the thread, if that is one on the border. */
static void add_pixel_in_line(size_t i, const struct size *size, struct mistake *m)
{
    const size_t rows = size->dims[0], cols = size->dims[1];

    if (i < rows * cols && !add_stranger(i / cols, i % cols, size, m) && is_on_border(i / cols, i % cols, rows, cols))
        mistake_add(m, "if thread %zu has pixel %zu, that is row %zu, column %zu: it is on the border of %zu x %zu pixels", i, i, i / cols, i % cols,
                    rows, cols);
}

/* Returns whether threads have two numbers, as in a kernel that uses threadIdx.y.  The first ones of a block have 0 for the second. */
static bool has_two_numbers(const struct exercise *e, const char *fact)
{
    struct error ignored;
    char *text = strstr(fact, "(x ") == NULL ? text_read(e->source, &ignored) : NULL, *code = text != NULL ? text_without_comments(text) : NULL;
    const bool uses = code != NULL && strstr(code, "threadIdx.y") != NULL;

    free(code);
    free(text);
    return uses || strstr(fact, "(x ") != NULL;
}

/* For an access outside of an array: adds whether the thread has an element at all.  That is known of block 0. */
static void add_owner(const struct exercise *e, const struct size *size, struct mistake *m)
{
    const size_t count = size->dims[0];
    unsigned x, y;

    if (strcmp(m->kind, "out-of-bounds") != 0 || m->facts == 0)
        return;
    if (count == 0)
        mistake_add(m, "there is no element at all at this size");
    else if (!is_first_block(m->fact[0], &x, &y))
        return;
    else if (strcmp(e->problem->axes[0], "rows") == 0 && has_two_numbers(e, m->fact[0]))
        add_pixel(y, x, size, m);
    else if (strcmp(e->problem->axes[0], "rows") == 0)
        add_pixel_in_line(x, size, m);
    else if (y == 0 && x >= count && has_one_each(e->problem) && strstr(m->fact[0], "ref") == NULL) /* each thread reads all references */
        mistake_add(m, "thread %u has no element of its own: there %s %zu, and the last has number %zu", x,
                    count == 1 ? "is" : "are", count, count - 1);
}

/* Quotes the line that sets a pointer into an array, "d_y = d_x + ...". */
static void quote_part(const struct exercise *e, const char *array, struct mistake *m)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), part[64];
    int line = 1;

    snprintf(part, sizeof part, "= %s + ", array);
    const char *at = text != NULL ? strstr(text, part) : NULL;
    for (const char *c = text; at != NULL && c < at; c++)
        line += *c == '\n';
    if (at != NULL)
        own_lines_quote(e, line, m);
    free(text);
}

/* Quotes the line that sets the pointer which the quoted line of an access uses: "d_z = d_y + 2 * n". */
static void quote_pointer(const struct exercise *e, struct mistake *m)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), name[40], to[40];
    int line = 1;

    for (const char *at = text; at != NULL && *at != '\0'; at = text_next_line(at), line++)
        if (m->facts > 1 && sscanf(at, " %39[A-Za-z0-9_] = %39[A-Za-z0-9_] +", name, to) == 2 && strstr(m->fact[1], name) != NULL &&
            strcspn(at, "+") < strcspn(at, ";\n")) {
            own_lines_quote(e, line, m);
            break;
        }
    free(text);
}

/* For an access just behind an array that has room for several of n floats: adds where their parts begin. */
static void add_part_behind(const struct exercise *e, const char *array, size_t element, size_t bytes, size_t count, struct mistake *m)
{
    const size_t parts = element / count;

    if (element % count != 0 || parts < 2 || bytes != element * sizeof(float))
        return;
    char times[24] = "";
    if (parts > 2)
        snprintf(times, sizeof times, "%zu", parts - 1);
    mistake_add(m, "that place is %zu floats behind the start of %s, where its room ends, with n = %zu: of %zu arrays of n floats in it the last one begins "
                   "%s%sn floats behind the start of %s", element, array, count, parts, times, parts > 2 ? " * " : "", array);
    quote_pointer(e, m);
}

/* For an access behind an array: adds that it begins n * sizeof(float) floats behind its start, if it does. */
static void add_byte_offset(const struct exercise *e, const struct size *size, struct mistake *m)
{
    const size_t count = size->dims[0];
    const char *fact = m->facts > 0 ? m->fact[0] : "", *does = strstr(fact, ": reads "), *past = strstr(fact, " bytes"), *of = strstr(fact, "past the end of ");
    size_t behind = 0, bytes = 0, element = 0;
    char array[32] = "";
    unsigned x = 0, y;

    if (strcmp(m->kind, "out-of-bounds") != 0 || count == 0 || strcmp(e->problem->axes[0], "n") != 0)
        return;
    does = does != NULL ? does : strstr(fact, ": writes ");
    const char *has = strstr(fact, "which has ");
    if (has != NULL && sscanf(has, "which has %zu bytes", &bytes) == 1 && bytes < sizeof(float) * count) {
        mistake_add(m, "it has %zu byte%s, less than n floats need: %zu, with n = %zu", bytes, bytes == 1 ? "" : "s", sizeof(float) * count, count);
        return;
    }
    size_t more = 0;
    if (does != NULL && strncmp(fact, "cudaMemcpy", 10) == 0 && has != NULL && strstr(fact, " bytes past the end of") != NULL && sscanf(does, ": %*s %zu bytes past", &more) == 1 &&
        bytes + more == sizeof(void *) * count) {
        mistake_add(m, "from the start of the array these are %zu bytes, %zu for each of the n = %zu elements: a pointer has %zu, a float has %zu",
                    bytes + more, sizeof(void *), count, sizeof(void *), sizeof(float));
        return;
    }
    if (past != NULL && of != NULL && sscanf(of, "past the end of %31[^, ], which has %zu bytes", array, &bytes) == 2) {
        if (strncmp(past, " bytes, ", 8) == 0)
            sscanf(past, " bytes, %zu past", &behind);
        element = (bytes + behind) / sizeof(float);
    } else if (does == NULL || sscanf(does, ": %*s %31[^[][%zu]", array, &element) != 2 || !is_first_block(fact, &x, &y) || element < x) {
        return;
    }
    element -= x;
    if (element < sizeof(float) * count || element % (sizeof(float) * count) != 0) {
        add_part_behind(e, array, element, bytes, count, m);
        return;
    }
    mistake_add(m, "that is %zu floats behind the start of %s, with n = %zu: n * sizeof(float) is a number of bytes, and a pointer to float counts "
                   "in floats", element, array, count);
    quote_part(e, array, m);
}

/* For a launch without blocks: adds that there is something to do, if there is, and along which axis the grid has none. */
static void add_no_blocks(const struct exercise *e, const struct size *size, struct mistake *m)
{
    const bool flat = e->problem->axes[1] == NULL || has_one_each(e->problem);

    const char *grid = m->facts > 0 ? strstr(m->fact[0], "the grid is ") : NULL;
    unsigned x = 0, y = 0;

    if (strcmp(m->kind, "no-blocks") != 0 || size->dims[0] == 0 || (!flat && size->dims[1] == 0) || e->devices > 1)
        return;
    if (grid != NULL && sscanf(grid, "the grid is %ux%u", &x, &y) == 2 && x > 0 && y == 0)
        mistake_add(m, "there is something to do at this size: the division that counts the blocks in y gives 0, so it rounds down, or divides by more than "
                       "the length of a block in y");
    else
        mistake_add(m, "there is something to do at this size: the division that counts the blocks gives 0, so it rounds down, or divides by too much");
}

void element_add(const struct exercise *e, const struct size *size, struct mistake *m)
{
    add_owner(e, size, m);
    add_byte_offset(e, size, m);
    add_unwritten(e, size, m);
    add_band(e, size, m);
    add_shift(e, m);
    add_no_blocks(e, size, m);
    name_written(e, size, m);
}
