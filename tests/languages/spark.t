#!/bin/sh
# Spark: its variants are right, in Python's processes and in the JVM; what is missing is named; parts on disk are all answered
# although an executor is killed.  Each start of Spark takes seconds, so one size has to do: python.t has all check sizes.
. tests/tools/tap.sh
. tests/languages/broken.sh
find_python
command -v java >/dev/null || { echo "1..0 # skip Spark needs java"; exit 0; }
"$RUNGS_PYTHON" -c 'import pyspark' 2>/dev/null || { echo '1..0 # skip no pyspark: make python GROUPS="core spark"'; exit 0; }

run list knn/py_spark
grep -q "needs namespaces" "$tmp/out" && { echo "1..0 # skip this machine gives no namespaces"; exit 0; }

right() {
    run check "$1" --size m=5003,n=301,k=3 --timeout 120
    cat "$tmp/out" "$tmp/err"
    grep -Eq "^$1 +ok" "$tmp/out"
}
ok "three phases, in Python's processes" right knn/py_spark
ok "one job, in Python's processes" right knn/py_spark_once
if [ -e "$(dirname "$rungs")/librungs_jni.so" ]; then
    ok "one job, in the JVM" right knn/java_spark
else
    skip "one job, in the JVM" "no JDK"
fi

# --- wrong ones -----------------------------------------------------------------------------------------------
mkdir -p "$tmp/own/knn"
# changed FROM TO   py_spark_once with another text in it
changed() {
    sed "s/$1/$2/" variants/knn/py_spark_once.py >"$tmp/own/knn/py_changed.py"
    run check knn/py_changed --variants "$tmp/own" --size m=100,n=50,k=1 --timeout 120
    cat "$tmp/out" "$tmp/err"
}
changed "in partition" "in ((which, lon, lat) for which, lat, lon in partition)" >/dev/null
ok "a task that takes latitudes for longitudes is wrong" grep -Eq '^knn/py_changed +wrong' "$tmp/out"
changed "knn.cpu_simd" "knn\/cpu_none" >/dev/null
ok "a task that fails is the reason" sh -c 'grep -Eq "^knn/py_changed +crash.*py_changed.py:[0-9]+: Py4JJavaError" "$1"' sh "$tmp/out"

# --- what is missing ------------------------------------------------------------------------------------------
mkdir "$tmp/bin"
ln -s "$(command -v python3)" "$tmp/bin"
no_java() {
    PATH=$tmp/bin "$rungs" check knn/py_spark >"$tmp/out" 2>&1
    cat "$tmp/out"
    grep -q 'knn/py_spark is left out: java is not installed' "$tmp/out"
}
ok "without Java it is left out" no_java

# --- parts on disk --------------------------------------------------------------------------------------------
parts() {
    PYTHONPATH=$(dirname "$rungs") timeout 300 "$RUNGS_PYTHON" tests/languages/cluster/parts_spark.py "$tmp/all" --parts 20 --count 500000 --kill \
        >"$tmp/job" 2>"$tmp/err" </dev/null
    ended=$?
    cat "$tmp/job" "$tmp/err"
    [ $ended -eq 0 ] && grep -q '^20 of 20 parts of 500000 .*killed an executor, [1-9]' "$tmp/job"
}
ok "all parts are answered although an executor is killed" parts

finish
