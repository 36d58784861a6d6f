/* Tables for programs: CSV and JSON Lines. */
#include <math.h>
#include <stdlib.h>

#include "harness/compare_json.h"
#include "harness/record.h"
#include "harness/registry.h"
#include "harness/scaling.h"
#include "harness/table.h"

void table_csv_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void table_csv_number(FILE *out, double x)
{
    if (isfinite(x))
        fprintf(out, ",%.9g", x);
    else
        fputc(',', out);
}

static void print_limit(FILE *out, const struct limit *limit, const struct series *time)
{
    const double share = limit_share(limit, time);

    fprintf(out, ",%s", isfinite(share) ? limit->name : "");
    table_csv_number(out, share);
}

static const struct comparison none = {.ratio = NAN};

static void print_comparison(FILE *out, const struct comparison *c)
{
    if (!isfinite(c->ratio)) {
        fputs(",,,,,,", out);
        return;
    }
    table_csv_number(out, c->ratio);
    table_csv_number(out, c->low);
    table_csv_number(out, c->high);
    table_csv_number(out, c->confidence);
    fprintf(out, ",%zu,%s", c->rounds, finding_names[c->finding]);
}

/* For each role: against whom, end to end, resident. */
static void print_standing(FILE *out, const struct standing *s)
{
    for (size_t role = 0; role < ROLES; role++) {
        const char *than = s != NULL && s->than[role] != NULL ? s->than[role]->name : "";
        fprintf(out, ",%s", than);
        print_comparison(out, s != NULL ? &s->e2e[role] : &none);
        print_comparison(out, s != NULL ? &s->resident[role] : &none);
    }
}

static void print_headings(FILE *out)
{
    static const char *const phases[] = {"", "resident_"};

    fputs("problem,variant,label,size,outcome,reason,error,exact,e2e_s,e2e_low_s,e2e_high_s,"
          "run_s,run_low_s,run_high_s,cold_s,upload_s,download_s,rate,unit,cores,setup_s,"
          "run_limit,run_of_limit,limit,of_limit", out);
    for (size_t role = 0; role < ROLES; role++) {
        fprintf(out, ",%s", role_names[role]);
        for (size_t p = 0; p < 2; p++) {
            const char *r = role_names[role], *x = phases[p];
            fprintf(out, ",%s_%sx,%s_%slow,%s_%shigh,%s_%sconf,%s_%srounds,%s_%sverdict", r, x, r,
                    x, r, x, r, x, r, x, r, x);
        }
    }
    fputs(",axis,given,speedup,speedup_low,speedup_high,efficiency,machine\n", out);
}

/* What the rung was given of what it scales with, and what that brings end to end. */
static void print_speedup(FILE *out, const struct row *row, const struct speedup list[], size_t count)
{
    const char *axis = scale_axis(&row->scale);
    const struct speedup *s = NULL;

    for (size_t i = 0; i < count && s == NULL; i++)
        if (list[i].row == row)
            s = &list[i];
    fprintf(out, ",%s", axis != NULL ? axis : "");
    table_csv_number(out, axis != NULL ? (double)(row->scale.threads + row->scale.devices) : NAN);
    table_csv_number(out, s != NULL ? s->e2e.ratio : NAN);
    table_csv_number(out, s != NULL ? s->e2e.low : NAN);
    table_csv_number(out, s != NULL ? s->e2e.high : NAN);
    table_csv_number(out, s != NULL ? speedup_efficiency(s, s->e2e.ratio) : NAN);
    fprintf(out, ",%s\n", row->machine != NULL ? row->machine : "");
}

void table_csv(FILE *out, struct row *const rows[], size_t count, const struct ladder *ladder,
               bool first)
{
    struct speedup *list = calloc(count + 1, sizeof *list);

    if (list == NULL)
        abort();
    const size_t found = speedups_find(rows, count, list);
    if (first)
        print_headings(out);
    for (size_t i = 0; i < count; i++) {
        const struct row *row = rows[i];
        const struct name name = record_name(row);
        static const struct series no_rounds;
        const struct summary e2e = series_summary(row_timed(row) ? &row->e2e : &no_rounds);
        const struct summary run = series_summary(row_timed(row) ? &row->run : &no_rounds);
        const char *unit;
        double work = row_work(row, &unit);
        char size[128];

        table_size(row->problem, row->dims, size, sizeof size);
        fprintf(out, "%s,%s,%s,%s,%s,", name.problem, name.variant, row->label, size,
                outcome_names[row->fate.outcome]);
        table_csv_text(out, row->fate.reason);
        table_csv_number(out, row->verdict.seen > 0 ? row->verdict.error : NAN);
        table_csv_number(out, verdict_exact(&row->verdict));
        table_csv_number(out, e2e.median);
        table_csv_number(out, e2e.low);
        table_csv_number(out, e2e.high);
        table_csv_number(out, row->run.rounds > 0 ? run.median : e2e.median);
        table_csv_number(out, row->run.rounds > 0 ? run.low : e2e.low);
        table_csv_number(out, row->run.rounds > 0 ? run.high : e2e.high);
        table_csv_number(out, median_of(row->cold.round, row->cold.rounds));
        table_csv_number(out, median_of(row->upload.round, row->upload.rounds));
        table_csv_number(out, median_of(row->download.round, row->download.rounds));
        table_csv_number(out, work / e2e.median / 1e9);
        fprintf(out, ",%s", unit);
        table_csv_number(out, row->cores);
        table_csv_number(out, row->setup);
        print_limit(out, &row->limit_run, row->run.rounds > 0 ? &row->run : &row->e2e);
        print_limit(out, &row->limit_e2e, &row->e2e);
        print_standing(out, ladder != NULL ? &ladder->standings[i] : NULL);
        print_speedup(out, row, list, found);
    }
    free(list);
}

void table_json(FILE *out, struct row *const rows[], size_t count, const struct ladder *ladder)
{
    json_t *comparisons = ladder != NULL ? ladder_json(ladder, rows) : json_array(), *one;
    json_t *speedups = speedups_json(rows, count);
    size_t at;

    json_array_extend(comparisons, speedups);
    json_decref(speedups);

    for (size_t i = 0; i < count; i++) {
        char *text = record_text(rows[i]);
        fprintf(out, "%s\n", text != NULL ? text : "null");
        free(text);
    }
    json_array_foreach(comparisons, at, one) {
        char *text = json_dumps(one, JSON_COMPACT | JSON_REAL_PRECISION(9));
        fprintf(out, "%s\n", text != NULL ? text : "null");
        free(text);
    }
    json_decref(comparisons);
}
