/* Numbers in words, for tables, pictures and messages. */
#ifndef RUNGS_DESCRIBE_H
#define RUNGS_DESCRIBE_H

#include <stddef.h>

/* Three digits that count and no exponent, up to 10^15: "0.0263", "3.5", "449", "50900".  A number
   beyond, or none, is "-". */
void describe_number(double x, char *text, size_t bytes);

/* "17 s", "41 min", "3.1 h", "2.4 days" */
void describe_duration(double seconds, char *text, size_t bytes);

#endif
