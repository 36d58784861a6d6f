/* Shared by map.c, sizes and cost, map_data.c, the data, map_judge.c, their judge, and data/map.c, users' files. */
#ifndef RUNGS_PROBLEMS_MAP_H
#define RUNGS_PROBLEMS_MAP_H

#include "harness/model/problem.h"

/* As in struct problem. */
void map_fill(void *c, uint64_t seed);
void map_trouble(void *c, uint64_t seed);
void map_touch(const void *c, const struct slot *array, size_t index, void *element, uint64_t seed);
void *map_solve(const void *c);
struct verdict map_judge(const void *c, const void *solution, enum math math, uint64_t seed);

extern const struct user_data map_data;

/* Beyond it x + y or 2 (x - y) may be no float32, and approximate divisions by it are 0. */
#define MAP_RELDIFF_MOST 0x1p125F

#endif
