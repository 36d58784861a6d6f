#!/bin/sh
# Makes the records of this folder on the machine at hand.
#
#     results/reference/measure.sh FOLDER [RECORD...]     without a RECORD: lists them
#     results/reference/measure.sh /tmp/h200 check default reduce
#
# FOLDER gets one file per record, and a line per record is printed: its rows, those that are not ok, and the time it took.
# BUILD names the build folder (default build).  Times behind the names are of one H200 with 16 cores.
set -u
cd "$(dirname "$0")/../.." || exit 1
rungs=${BUILD:-build}/rungs

# The records: name, minutes, and the words behind `rungs`.
records() {
    cat <<'RECORDS'
ceilings           1    ceilings
check              2    check --all
default            6    bench -x py_*
default-again      6    bench -x py_*
aa                 6    selftest aa --size S -x py_*
languages          6    bench */py_* cuda_naive cpu_naive --size S,M --quick
reduce             2    bench reduce/cuda_* reduce/cpu_simd_openmp --size S,M,L --size n=2^20 --size n=2^24 --quick
align              2    bench align/cuda_* align/cpu_avx512 align/cpu_fftw --size S,M,L,XL --quick
compact            2    bench compact/cuda_* compact/cpu_simd_openmp compact/cpu_openmp --size S,M,L --quick
map                3    bench map/cuda_* map/cpu_simd_openmp map/py_torch --size S,M,L,R,Z --quick
python             3    bench FIVE/py_cupy* FIVE/py_torch* FIVE/py_jax_gpu FIVE/py_triton FIVE/py_numba_cuda* FIVE/cuda_naive FIVE/cuda_shared BEST --size M --quick
axxat              2    bench axxat/cuda_* axxat/cpu_simd_openmp --size S,M,L,S1,M1,L1 --quick
cg                 2    bench cg/cuda_* cg/cpu_simd_openmp --size S,M,L --quick
logreg             2    bench logreg/cuda_* logreg/cpu_simd_openmp logreg/cpu_newton --size S,M,L --quick
qr                 2    bench qr --size S,M --quick
l-saxpy            1    bench saxpy/cuda_* --size L --quick
l-knn              1    bench knn/cuda_* --size L --quick
l-matmul           1    bench matmul/cuda_* --size L --quick
l-stencil          1    bench stencil/cuda_* --size L --quick
l-fft              1    bench fft/cuda_* --size L --quick
xl-knn             1    bench cuda_index cuda_index_streams cuda_tree cuda_wgmma knn/cuda_tiled --size XL --quick
kinds              2    bench cuda_index cuda_tree cuda_ordered cuda_wgmma knn/cuda_tiled cpu_tree_avx512 cpu_vnni --size L --data all --quick
kinds-k8           1    bench cuda_topk_tree cuda_topk_wgmma cpu_tree_avx512 --size L --k 8 --data all --quick
kinds-k32          1    bench cuda_topk_tree cuda_topk_wgmma cpu_tree_avx512 --size L --k 32 --data all --quick
shapes             2    bench matmul/cuda_any_shape matmul/cuda_cublas matmul/cuda_stream_k cpu_any_shape cpu_openblas --quick SHAPES
lengths            2    bench fft/cuda_cufft cuda_bluestein cuda_dependent cuda_chirp --quick LENGTHS
lengths-cpu        2    bench cpu_bluestein cpu_fftw --quick LENGTHS
stencils           1    bench cuda_fused stencil/cuda_naive stencil/cuda_packed --quick STENCILS
staged             2    bench cuda_staged cuda_streams cuda_pinned cuda_index_streams --size L --quick
RECORDS
}

# Sizes that are too many for a line.  m, n and k of matmul; signals and length; rows, columns and sweeps.
shapes() {
    for s in 64,64,65536 16384,16,16384 3000,5001,777 100000,64,64 64,100000,64 8192,8192,16 64,64,262144 1001,999,1003 \
        8,4096,4096 16,8192,8192 256,256,256 4096,4096,4096; do
        echo "$s" | sed 's/\(.*\),\(.*\),\(.*\)/m=\1,n=\2,k=\3/'
    done
}
lengths() {
    for s in 1,7^7 7,7^7 1,5^9 3,5^9 1,10^6 1,5^10 1,7^8 1,3^15 1,2^25 1,1000003 1,2000006 8,1000003 4096,1009 1,65537 \
        1,10403 1,16777213; do
        echo "$s" | sed 's/\(.*\),\(.*\)/batch=\1,n=\2/'
    done
}
stencils() {
    for s in 4096,4096 100003,33 33,100003 1000000,3 3,1000000 1009,1013; do
        echo "$s" | sed 's/\(.*\),\(.*\)/rows=\1,cols=\2,sweeps=1\nrows=\1,cols=\2,sweeps=16/'
    done
}

# The words of a record; SHAPES, LENGTHS and STENCILS become a --size for each of theirs, FIVE/V the variant V of each of
# the default run's problems, BEST the top of each of their ladders.
words() {
    for word; do
        case $word in
        SHAPES) shapes | sed 's/^/--size /' ;;
        LENGTHS) lengths | sed 's/^/--size /' ;;
        STENCILS) stencils | sed 's/^/--size /' ;;
        FIVE/*) find variants/saxpy variants/knn variants/matmul variants/stencil variants/fft -name "${word#FIVE/}.[cp]*" |
            sed 's|^variants/||; s|\..*||' ;;
        BEST) echo saxpy/cuda_vector knn/cuda_wgmma knn/cuda_index matmul/cuda_tensor_split matmul/cuda_cublas \
            stencil/cuda_fused fft/cuda_cufft fft/cuda_dependent ;;
        *) echo "$word" ;;
        esac
    done
}

# measure FOLDER NAME MINUTES WORD...   makes one record and prints its line
measure() {
    folder=$1 name=$2 limit=$(($3 * 120))
    shift 3
    file=$folder/$name.jsonl
    began=$(date +%s)
    command=$1
    case $command in check) out="--format json" ;; *) out="--out $file" ;; esac
    timeout -s INT "$limit" "$rungs" $(words "$@") $out > "$folder/$name.txt" 2> "$folder/$name.log"
    status=$?
    case $command in check) cp "$folder/$name.txt" "$file" ;; esac
    [ $status -eq 124 ] && status="stopped after $limit s"
    bad=$(grep -E -o '"status":"[a-z_]*"' "$file" 2>/dev/null | grep -vc "ok\|skipped\|refused")
    echo "$name: status $status, $(grep -c '"status":"ok"' "$file" 2>/dev/null) right, $bad not, $(($(date +%s) - began)) s"
}

[ $# -gt 0 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$1
shift
[ $# -gt 0 ] || { records; exit 0; }
set -f # patterns are for rungs
mkdir -p "$folder" || exit 1
for wanted; do
    line=$(records | awk -v name="$wanted" '$1 == name')
    [ -n "$line" ] || { echo "no record is named $wanted" >&2; exit 2; }
    measure "$folder" $line
done
