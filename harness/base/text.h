/* Text for people: numbers, durations, clean lines, and distances between words. */
#ifndef RUNGS_TEXT_H
#define RUNGS_TEXT_H

#include <stddef.h>

/* Writes a number with three significant digits and no exponent, up to 10^15: "0.0263", "3.5",
   "449", "50900". Any other number becomes "-". */
void describe_number(double x, char *text, size_t bytes);

/* Writes a whole number exactly below 100000, else with three digits: "4096", "278k", "1.05M". */
void describe_count(double count, char *text, size_t bytes);

/* Writes bytes with three digits: "512 B", "12.6 MB". */
void describe_bytes(double count, char *text, size_t bytes);

/* Writes a duration: "17 s", "41 min", "3.1 h", "2.4 days". */
void describe_duration(double seconds, char *text, size_t bytes);

/* Turns any text into one line of valid UTF-8, in place.  Invalid bytes and characters that turn
   the direction of writing become question marks.  The text never grows. */
void text_clean(char *text);

/* Copies the last line, without the blanks and line ends behind it. */
void text_last_line(const char *text, char *line, size_t bytes);

/* Writes a word as a shell takes it: as it is, or in quotes if a character of it has a meaning for a shell. */
void text_quote(const char *word, char *text, size_t bytes);

/* Appends to a text, as far as it fits. */
void text_add(char *text, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* For "did you mean": returns the number of letters to insert, delete or replace to turn one
   word into the other (V. Levenshtein, 1966), whatever their case.  Only the first 127 letters count. */
unsigned edit_distance(const char *a, const char *b);

#endif
