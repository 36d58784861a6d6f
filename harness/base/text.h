/* Text for people: numbers in words, clean lines, and distances between words. */
#ifndef RUNGS_TEXT_H
#define RUNGS_TEXT_H

#include <stddef.h>

/* Three digits that count and no exponent, up to 10^15: "0.0263", "3.5", "449", "50900".  A number
   beyond, or none, is "-". */
void describe_number(double x, char *text, size_t bytes);

/* "17 s", "41 min", "3.1 h", "2.4 days" */
void describe_duration(double seconds, char *text, size_t bytes);

/* Makes one line of valid UTF-8 of any text: what is neither, or turns the direction of writing,
   becomes a question mark.  It is never longer than it was. */
void text_clean(char *text);

/* Adds to what a text holds, as far as there is room. */
void text_add(char *text, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* For "did you mean": letters to insert, delete or replace to make one of the other (V. Levenshtein, 1966).  Words
   longer than 127 letters are compared up to there. */
unsigned edit_distance(const char *a, const char *b);

#endif
