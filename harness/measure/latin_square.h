/*
 * Who is timed when: the order of the variants in each round.
 *
 * What a variant leaves behind, in caches, clocks or threads that have not gone to sleep, is its
 * successor's to bear.  So in the rounds of a cycle each has each place once, and each other as its
 * predecessor once: the rows of the multiplication table modulo a prime p, which is a row-complete
 * Latin square (E. J. Williams, "Experimental designs balanced for the estimation of residual
 * effects of treatments", 1949, has such squares of other sizes).  Rungs stand on a circle of p
 * places, and each round goes round it in steps of another length.  Where p - 1 variants are more than
 * there are, places stay empty, and it is so nearly.
 */
#ifndef RUNGS_LATIN_SQUARE_H
#define RUNGS_LATIN_SQUARE_H

#include <stddef.h>
#include <stdint.h>

/* Rounds of a cycle for so many rungs: p - 1. */
size_t order_cycle(size_t count);

/* order[0 .. count - 1] becomes the order of this round, which is drawn anew with each cycle. */
void latin_square_round(size_t order[], size_t count, size_t round, uint64_t seed);

#endif
