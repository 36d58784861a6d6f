#!/bin/sh
# The output of rungs sweep for variants on a GPU, with made-up times, because the simulator has no clock.
export BUILD=build-sim
make --no-print-directory -j"$(nproc)" SIM=1 SANITIZE= DEBUG= $BUILD/rungs >/dev/null || {
    echo "1..1"
    echo "not ok 1 - make SIM=1"
    exit 1
}
. tests/tools/tap.sh

# sweep ARGUMENT...   of four variants at six sizes
sweep() {
    run sweep saxpy/cpu_naive saxpy/cpu_simd saxpy/cuda_naive saxpy/cuda_unified --from 2^12 \
        --to 2^22 --step 4 --quick --max-time 0.05 "$@"
    [ "$status" -eq 0 ] || cat "$tmp/out" "$tmp/err"
}

says() {
    grep -Eq -- "$1" "$tmp/out" || { cat "$tmp/out"; return 1; }
}

sweep --out "$tmp/none.jsonl"
ok "without a clock there are no times" says '^cuda_naive +cannot be timed: its device, sim, has no clock$'
ok "... and nothing to compare" says '^No contender was timed'

python3 tests/sim/made_times.py "$tmp/none.jsonl" >"$tmp/made.jsonl"
sweep --resume "$tmp/made.jsonl"
ok "nothing is measured" [ "$(grep -c '"measurement"' "$tmp/made.jsonl")" = 24 ]
ok "resident times have lines of their own" says '^  resident +3\.1 us +3\.34 us'
ok "the fastest is marked end to end" says '^cuda_naive +30\.5 us .*\*451 us$'
# 30 us + 0.1 ns n = 0.5 ns n at 75000; 3 us + 0.02 ns n = 0.5 ns n at 6250, where 0.2 us are 7 %.
ok "where it overtakes the best CPU variant" says \
    '^  end to end: from 67 to 87 thousand elements on, compared with cpu_simd$'
ok "... and where it does so resident" says \
    '^  resident: from 5400 to 7300 elements on, compared with cpu_simd$'
# 251.5 ms over 0.4 ns n - 30 us, and times are 0.45 % above these in the middle.
ok "after how many calls the start is paid for" says \
    '^  its setup pays off after 3345 calls at n=2\^18, after 152 calls at n=2\^22$'
ok "one that never does" says '^  end to end: never in this range, compared with cpu_simd$'
ok "... has no second view: its data are nowhere" [ "$(grep -c '^  resident:' "$tmp/out")" = 1 ]
ok "all that is on record" python3 tests/tools/records.py "$tmp/made.jsonl" resumed
ok "... with both views" sh -c '
    test "$(grep -c "\"record\":\"crossover\".*\"phase\":\"e2e\"" "$1")" = 2 &&
    test "$(grep -c "\"record\":\"crossover\".*\"phase\":\"resident\"" "$1")" = 1' sh "$tmp/made.jsonl"

sweep --resume "$tmp/made.jsonl" --contenders cuda_unified --baseline cuda_naive
ok "one GPU variant against another" says '^  end to end: never in this range, compared with cuda_naive$'

finish
