# Included by the lab's tests after tap.sh: builds the workshop and copies it into a tree of the test's own.
for tool in g++ addr2line; do
    command -v $tool >/dev/null || { echo "1..0 # skip $tool is not there"; exit 0; }
done
make --no-print-directory workshop >/dev/null || { echo "1..1"; echo "not ok 1 - make workshop"; exit 1; }

# In a copy, so that the learner's files here stay as they are.
tree=$tmp/tree
mkdir -p "$tree/build"
cp -a Makefile setup.sh common harness variants workshop build-sim "$tree"
rm -rf "$tree/build-sim/dev" "$tree/build-sim/build-sim"
[ ! -e build/packages.mk ] || cp -a build/packages.mk "$tree/build"
cd "$tree" || exit 1
rungs=$tree/build-sim/rungs
# Only tests of the search need it; it takes most of the time of a verdict.
RUNGS_LAB_SEARCH=0
export RUNGS_LAB_SEARCH
