# For the tests that need the simulator; sourced.  Builds $targets of build-sim/, and makes that the
# BUILD that is tested.
for tool in g++ addr2line; do
    command -v $tool >/dev/null || { echo "1..0 # skip $tool is not there"; exit 0; }
done
export BUILD=build-sim
said=$(make --no-print-directory -j"$(nproc)" SIM=1 SANITIZE= DEBUG= \
    $(for target in $targets; do echo "$BUILD/$target"; done) 2>&1) || {
    echo "1..1"
    echo "not ok 1 - make SIM=1"
    echo "$said" | tail -n 20 | sed 's/^/#   /'
    exit 1
}
