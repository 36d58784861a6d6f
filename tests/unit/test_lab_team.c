/* Programs with teams of OpenMP: which variables all threads write, and which teams begin in a team; and programs that are right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "workshop/lab/team.h"

/* Looks at a program with `before` outside of its function, and `body` in it. */
static void look(const char *before, const char *body, struct mistake *m)
{
    char text[2000];

    snprintf(text, sizeof text, "%s\nstatic void run(const void *problem)\n{\n%s\n}\n", before, body);
    mistake_set(m, "");
    team_look(text, m);
}

static void right(const char *before, const char *body)
{
    struct mistake m;

    look(before, body, &m);
    if (mistaken(&m))
        print_message("%s\n", m.fact[0]);
    assert_false(mistaken(&m));
}

static void wrong(const char *before, const char *body, const char *words)
{
    struct mistake m;

    look(before, body, &m);
    assert_true(mistaken(&m));
    for (int i = 0; i < m.facts; i++)
        if (strstr(m.fact[i], words) != NULL)
            return;
    print_message("%s\n", m.fact[0]);
    fail();
}

static void written_by_all(void **state)
{
    (void)state;
    wrong("", "float t;\n#pragma omp parallel\n{\n#pragma omp for\nfor (int i = 0; i < n; i++) { t = x[i]; z[i] = t; }\n}", "there is one t for all");
    wrong("", "float t;\n#pragma omp parallel for shared(t)\nfor (int i = 0; i < n; i++) { t = x[i]; z[i] = t; }", "no clause makes it private");
    wrong("", "float t[2];\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) { t[0] = x[i]; z[i] = t[0]; }", "there is one t for all");
    wrong("", "int i;\n#pragma omp parallel\nfor (i = omp_get_thread_num(); i < n; i += omp_get_num_threads())\nz[i] = x[i];", "there is one i for all");
    wrong("static float t;", "#pragma omp parallel for\nfor (int i = 0; i < n; i++) { t = x[i]; z[i] = t; }", "outside of all functions");
    wrong("static float f(float a)\n{\nstatic float t;\nt = a;\nreturn t;\n}", "#pragma omp parallel for\nfor (int i = 0; i < n; i++) z[i] = f(x[i]);",
          "calls this function in each thread");
}

static void written_by_one(void **state)
{
    (void)state;
    right("", "float t; int i;\n#pragma omp parallel private(t)\n#pragma omp for\nfor (i = 0; i < n; i++) { t = x[i]; z[i] = t; }");
    right("", "float t;\n#pragma omp parallel\n{\n#pragma omp for \\\n    private(t)\nfor (int i = 0; i < n; i++) { t = x[i]; z[i] = t; }\n}");
    right("", "int r, c;\n#pragma omp parallel for collapse(2)\nfor (r = 0; r < n; r++) for (c = 0; c < n; c++) z[r * n + c] = 0;");
    right("", "float t;\n#pragma omp parallel\n{\nfloat t;\nt = 1;\n}");
    right("static _Thread_local float t;", "#pragma omp parallel for\nfor (int i = 0; i < n; i++) { t = x[i]; z[i] = t; }");
    right("", "float t;\n#pragma omp parallel\n{\n#pragma omp critical\nt += 1;\n}");
    right("", "int count;\n#pragma omp parallel\nif (omp_get_thread_num() == 0)\ncount = f();");
    right("", "int found;\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) { if (i != k) continue; found = i; }");
    right("", "int count;\n#pragma omp parallel\ncount = omp_get_num_threads();");
    right("static float f(float a)\n{\nfloat t;\nt = a;\nreturn t;\n}", "#pragma omp parallel for\nfor (int i = 0; i < n; i++) z[i] = f(x[i]);");
}

static void team_in_team(void **state)
{
    static const char part[] = "static void part(int a, int b)\n{\n#pragma omp parallel for\nfor (int i = a; i < b; i++) z[i] = x[i];\n}";

    (void)state;
    wrong("", "#pragma omp parallel\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) z[i] = x[i];", "a second team inside");
    wrong("", "#pragma omp parallel\n{\n# pragma  omp parallel\n{\n#pragma omp for\nfor (int i = 0; i < n; i++) z[i] = x[i];\n}\n}", "a second team inside");
    wrong(part, "#pragma omp parallel\npart(0, n);", "a second team inside");
    right(part, "#pragma omp parallel for\nfor (int k = 0; k < 8; k++) part(k * n / 8, (k + 1) * n / 8);");
    right(part, "#pragma omp parallel\n{\n#pragma omp single\npart(0, n);\n}");
    right(part, "#pragma omp parallel\n{\nint t = omp_get_thread_num();\npart(t * 4, t * 4 + 4);\n}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_by_all),
        cmocka_unit_test(written_by_one),
        cmocka_unit_test(team_in_team),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
