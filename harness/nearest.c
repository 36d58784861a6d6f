#include "harness/nearest.h"

#include <string.h>

enum { LONGEST = 127 };

static unsigned least(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;

    return m < c ? m : c;
}

unsigned edit_distance(const char *a, const char *b)
{
    unsigned row[LONGEST + 1]; /* distances from a[0..i) to every b[0..j) */
    size_t m = strnlen(a, LONGEST), n = strnlen(b, LONGEST);

    for (size_t j = 0; j <= n; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(row[j] + 1, row[j - 1] + 1, replaced);
        }
    }
    return row[n];
}
