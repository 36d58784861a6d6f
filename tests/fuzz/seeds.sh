#!/bin/sh
# seeds.sh FOLDER   writes first files for the fuzzers csv, npy, pgm and records
set -eu
mkdir -p "$1/csv" "$1/npy" "$1/pgm" "$1/records"

cd "$1/csv"
printf 'lat,lon\n1.5,-2.25\n90,360\n' >plain
printf '\357\273\277"name","Latitude","Longitude"\r\n"a ""b"", c\nd",-1e1,+0.5\r\n\r\n' >quoted
printf '1,2\n0.1,0.2\n' >numbers
printf 'a;b;c\n1,5;2,5;3\n\n;NA;\n' >semicolons
printf 'lat\tlon\n"1"\t2\n' >tabs
printf 'a,b,GPS longitude,y\n,nan,180,-90\n,1,inf,\n' >other

# npy NAME TYPE ORDER SHAPE DATA   DATA is a format of printf
npy() {
    text="{'descr': '$2', 'fortran_order': $3, 'shape': $4, }"
    length=$(printf '%03o' $((${#text} + 1)))
    printf "\\223NUMPY\\001\\000\\${length}\\000%s\\n$5" "$text" >"$1"
}
cd ../npy
npy f4 '<f4' False '(1, 2)' '\000\000\200\077\000\000\300\177'
npy f8 '>f8' True '(2, 1)' '\077\360\000\000\000\000\000\000\100\000\000\000\000\000\000\000'
npy u1 '|u1' True '(2, 3)' 'abcdef'
npy c8 '<c8' False '(1,)' '\000\000\200\077\000\000\000\000'
npy scalar '<f4' False '()' '\000\000\200\077'
npy i8 '<i8' False '(2,)' '\001\000\000\000\000\000\000\000\377\377\377\377\377\377\377\377'
npy i4 '>i4' True '(1, 2)' '\001\000\000\001\000\000\000\001'
npy i2 '>i2' True '(1, 2)' '\200\000\000\001'
npy u2 '<u2' False '(2,)' '\377\377\000\001'
npy i1 '|i1' False '(2,)' '\200\177'
npy b1 '|b1' False '(2,)' '\000\001'
npy u8 '<u8' False '(0,)' ''

cd ../pgm
cp ../npy/u1 npy
printf 'P2\n# a comment\n3 2\n15\n0 1 2\n3 14 15\n' >text
printf 'P5 3 2 255\nabcdef' >bytes
printf 'P5 1 2 65535\n\000\001\377\377' >wide
printf 'P6 1 2 255\nabcdef' >colours

# The shortest runs that the reader accepts.
run='{"record":"run","schema":"rungs/1.0","run_id":"a","seed":1,"threads":2,"order":"latin",'
run=$run'"build":{"version":"0.1"},"host":{"cpu":"c","cores":2},"devices":[{"name":"g","driver":"1"}]}'
phase='{"rounds":[5,1.5e3],"timer":"device"}'
cell='{"record":"measurement","run_id":"a","problem":"p","variant":"v","label":"S","size":{"n":3},'
cell=$cell'"validation":{"status":"ok","reason":null},"phases":{"e2e":'$phase',"run":'$phase'},'
cell=$cell'"once":{"setup":1,"first":2},"work":{"flops":1},"cores":1.5,"threads":2,'
cell=$cell'"flags":["noisy"],"limit":{"run":null,"e2e":{"name":"bus","floor_ns":3}}}'
cd ../records
printf '%s\n' "$run" "$cell" '{"record":"end","run_id":"a","exit_status":0,"wall_ns":9}' >whole
printf '%s\n' "$run" '{"record":"ceiling","run_id":"a","name":"c","status":"ok","cores":1,"best":4e9}' \
    '{"record":"crossover","run_id":"a","problem":"p","variant":"v","from":1,"axis_to":2.5}' >others
printf '%s\n\n%s' "$run" '{"record":"compare","run_id":"a"}' >cut
block='{"record":"block","run_id":"a","problem":"p","variant":"v","label":"S","size":{"n":3},"launch":0,'
block=$block'"round":1,"reps":2,"runs":0,"took_ns":9,"cpu_ns":9,"scale":{"threads":2},"e2e":[1,2],'
printf '%s\n' "$run" "$block"'"telemetry":[null,1,2,3,4,0]}' >block
