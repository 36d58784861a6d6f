/*
 * The order of the variants in each round.
 *
 * A variant leaves traces (cache contents, clock rates, threads still awake) that affect the next one.
 * So in a cycle of rounds each variant has each place once, and follows each other variant once.  The
 * orders are rows of the multiplication table modulo a prime p, which is a row-complete Latin square.
 * (E. J. Williams, "Experimental designs balanced for the estimation of residual effects of treatments",
 * 1949, has such squares of other sizes.)  The variants stand on a circle of p places, and each round
 * goes round it in steps of another length.  If there are fewer than p - 1 variants, some places stay
 * empty, and the balance is approximate.
 */
#ifndef RUNGS_LATIN_SQUARE_H
#define RUNGS_LATIN_SQUARE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the rounds of a cycle for this many variants: p - 1. */
size_t latin_square_cycle(size_t count);

/* Sets order[0 .. count - 1] to the order of this round.  Each cycle draws new orders. */
void latin_square_round(size_t order[], size_t count, size_t round, uint64_t seed);

#endif
