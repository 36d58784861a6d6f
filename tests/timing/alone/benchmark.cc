/*
 * benchmark SIZE
 *
 * The loop under google-benchmark; prints the median of the seconds a call in ten repetitions, with the arrays at other places.
 */
#include <benchmark/benchmark.h>
#include <cstdio>
#include <string>

#include "loop.h"

static void call(benchmark::State &state)
{
    loop_move();
    for (auto round : state)
        loop_run();
}
BENCHMARK(call)->Unit(benchmark::kNanosecond)->MinTime(0.15)->Repetitions(10)->UseRealTime();

class Median : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context &) override { return true; }
    void ReportRuns(const std::vector<Run> &runs) override
    {
        for (const Run &run : runs)
            if (run.run_type == Run::RT_Aggregate && run.aggregate_name == "median")
                std::printf("%.9g\n", run.GetAdjustedRealTime() * 1e-9);
    }
};

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    loop_prepare(argv[1]);
    benchmark::Initialize(&argc, argv);
    Median median;
    benchmark::RunSpecifiedBenchmarks(&median);
    return 0;
}
