/*
 * alone SIZE
 *
 * Times the loop as a program of one's own would: calls until 50 ms have passed, thirty times with the arrays at other places,
 * and prints the median of the seconds a call.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "loop.h"

enum { BLOCKS = 30 };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    double seconds[BLOCKS];

    if (argc != 2)
        return 2;
    loop_prepare(argv[1]);
    double began = now();
    do
        loop_run();
    while (now() - began < 0.1);
    for (int i = 0; i < BLOCKS; i++) {
        int calls = 0;
        double end;

        loop_move();
        loop_run();
        began = now();
        do {
            loop_run();
            calls++;
        } while ((end = now()) - began < 0.05);
        seconds[i] = (end - began) / calls;
    }
    qsort(seconds, BLOCKS, sizeof *seconds, by_value);
    printf("%.9g\n", (seconds[BLOCKS / 2 - 1] + seconds[BLOCKS / 2]) / 2);
    return 0;
}
