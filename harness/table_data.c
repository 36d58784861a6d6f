/* Tables for programs: CSV and JSON Lines. */
#include <math.h>
#include <stdlib.h>

#include "harness/record.h"
#include "harness/registry.h"
#include "harness/table.h"

/* A field of a CSV file, in quotation marks (RFC 4180). */
static void print_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void print_number(FILE *out, double x)
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
    print_number(out, share);
}

void table_csv(FILE *out, struct row *const rows[], size_t count, bool first)
{
    if (first)
        fputs("problem,variant,label,size,outcome,reason,error,exact,e2e_s,e2e_low_s,e2e_high_s,"
              "run_s,run_low_s,run_high_s,cold_s,upload_s,download_s,rate,unit,cores,setup_s,"
              "run_limit,run_of_limit,limit,of_limit\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct row *row = rows[i];
        const struct name name = variant_name(row->variant);
        const struct summary e2e = summarize(row->e2e.round, row_timed(row) ? row->e2e.rounds : 0);
        const struct summary run = summarize(row->run.round, row_timed(row) ? row->run.rounds : 0);
        const char *unit;
        double work = row_work(row, &unit);
        char size[128];

        table_size(row->problem, row->dims, size, sizeof size);
        fprintf(out, "%s,%s,%s,%s,%s,", name.problem, name.variant, row->label, size,
                outcome_names[row->fate.outcome]);
        print_quoted(out, row->fate.reason);
        print_number(out, row->verdict.seen > 0 ? row->verdict.error : NAN);
        print_number(out, verdict_exact(&row->verdict));
        print_number(out, e2e.median);
        print_number(out, e2e.low);
        print_number(out, e2e.high);
        print_number(out, row->run.rounds > 0 ? run.median : e2e.median);
        print_number(out, row->run.rounds > 0 ? run.low : e2e.low);
        print_number(out, row->run.rounds > 0 ? run.high : e2e.high);
        print_number(out, median_of(row->cold.round, row->cold.rounds));
        print_number(out, median_of(row->upload.round, row->upload.rounds));
        print_number(out, median_of(row->download.round, row->download.rounds));
        print_number(out, work / e2e.median / 1e9);
        fprintf(out, ",%s", unit);
        print_number(out, row->cores);
        print_number(out, row->setup);
        print_limit(out, &row->limit_run, row->run.rounds > 0 ? &row->run : &row->e2e);
        print_limit(out, &row->limit_e2e, &row->e2e);
        fputc('\n', out);
    }
}

void table_json(FILE *out, struct row *const rows[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *text = record_text(rows[i]);
        fprintf(out, "%s\n", text != NULL ? text : "null");
        free(text);
    }
}
