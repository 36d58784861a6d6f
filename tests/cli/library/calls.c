/* Uses librungs.so as a C program would: each line that it prints is a check of tests/cli/library.t. */
#include "harness/library/rungs.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { N = 1000 };

/* Fills, calls and looks at what came out. */
static int is_right(struct rungs *r, float a, float first)
{
    float *x = rungs_array(r, "x"), *y = rungs_array(r, "y");

    for (int i = 0; i < N; i++) {
        x[i] = first + (float)i;
        y[i] = 0.5f;
    }
    if (rungs_set(r, "a", a) != 0 || rungs_call(r) < 0.0)
        return 0;
    const float *z = rungs_array(r, "z");
    for (int i = 0; i < N; i++)
        if (fabsf(z[i] - (a * x[i] + y[i])) > 1e-3f)
            return 0;
    return rungs_judge(r) >= 0.0;
}

static void report(int right, const char *what)
{
    printf("%s %s%s%s\n", right ? "right" : "WRONG", what, right ? "" : ": ", right ? "" : rungs_error());
}

static void *in_a_thread(void *first)
{
    struct rungs *r = rungs_open("saxpy/cpu_naive", "n=1000", 1);
    int right = r != NULL;

    for (int call = 0; right && call < 200; call++)
        right = is_right(r, (float)call, *(float *)first);
    rungs_close(r);
    return right ? first : NULL;
}

int main(void)
{
    signal(SIGPIPE, SIG_DFL); /* a broken connection must not end the caller */
    signal(SIGCHLD, SIG_IGN);
    report(rungs_abi() == RUNGS_LIBRARY_ABI, "abi");

    struct rungs *r = rungs_open("saxpy/cpu_simd", "n=1000", 1);
    report(r != NULL && is_right(r, 2.0f, 1.0f) && is_right(r, -3.0f, 7.0f), "two calls");
    report(rungs_array(r, "q") == NULL && strcmp(rungs_error(), "saxpy has no array q") == 0, "no array");
    report(rungs_bytes(r, "x") == N * sizeof(float) && rungs_bytes(r, "q") == 0, "bytes");
    report(rungs_set(r, "n", 5.0) != 0 && strcmp(rungs_error(), "n is part of the size, which stays") == 0, "no length");

    report(rungs_call(NULL) < 0.0 && rungs_judge(NULL) < 0.0 && rungs_set(NULL, "a", 1.0) != 0 && rungs_case(NULL) == NULL &&
           rungs_array(NULL, "x") == NULL && rungs_bytes(NULL, "x") == 0 &&
           strcmp(rungs_error(), "the handle is NULL: rungs_open has failed") == 0, "no handle");

    struct rungs *second = rungs_open("reduce/cpu_simd", "n=500", 0);
    report(second != NULL && is_right(r, 4.0f, 2.0f), "two handles");
    rungs_close(r);
    rungs_close(second);
    rungs_close(NULL);

    r = rungs_open("saxpy/cpu_simd", "n=0", 1);
    report(r != NULL && rungs_call(r) >= 0.0 && rungs_judge(r) == 0.0, "no elements");
    rungs_close(r);

    pthread_t threads[2];
    float first[2] = {0.25f, 100.0f};
    void *ended[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, in_a_thread, &first[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &ended[i]);
    report(ended[0] != NULL && ended[1] != NULL, "two threads");

    r = rungs_open("saxpy/cpu_simd", "n=1000", 1);
    printf("left %d\n", (int)getpid()); /* a program that ends without rungs_close */
    return r == NULL;
}
