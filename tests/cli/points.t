#!/bin/sh
# Points as people have them: columns of each file, gaps, separators, names, streams, and every format of the
# answer.  What is computed is judged in data.t; here each small file has an answer that is known.
. tests/tools/tap.sh

root=$PWD
cd "$tmp" || exit 1
printf 'city,breite,laenge\nBerlin,52.52,13.40\nNowhere,,\n"Paris, ""the"" city",48.86,2.35\nSuva,-18.14,178.44\n' \
    >cities.csv
printf 'code;y;x\nBER;52.37;13.50\nORY;48.72;2.38\nXXX;NA;3\n\nCDG;49.01;2.55\nWLS;-13.24;-176.2\nSUV;-18.04;178.56\n' \
    >airports.csv
two="--obs cities.csv --ref airports.csv --obs-lat breite --obs-lon laenge --ref-lat y --ref-lon x"
skip="$two --skip-missing"
k=knn/cpu_naive

# answers ARGUMENT...   the answer is the file `want`; kilometres are whole and radians are left out
answers() {
    exits 0 run $k "$@" --out answer.csv &&
        sed 's/^\([^,]*,[^,]*,[^,]*\),\([^,.]*\)[^,]*,[^,]*/\1,\2/' answer.csv | diff want -
}

cat >want <<'END'
observation,rank,index,distance_km,observation_sheet_row,reference_sheet_row,observation_name,reference_name
0,0,0,18,2,2,Berlin,BER
0,1,3,855,2,6,Berlin,CDG
2,0,1,15,4,3,"Paris, ""the"" city",ORY
2,1,3,22,4,6,"Paris, ""the"" city",CDG
3,0,5,16,5,8,Suva,SUV
3,1,4,791,5,7,Suva,WLS
END
ok "columns of each file, a gap in both, names; rows keep their numbers" \
    answers $skip --obs-name city --ref-name code --k 2
ok "... what was left out is counted, a line each file" sh -c '
    grep -qx "rungs: cities.csv: 1 of 4 rows have no coordinates and are left out" err &&
    grep -qx "rungs: airports.csv: 1 of 6 rows have no coordinates and are left out" err && [ $(wc -l <err) = 2 ]'
ok "... and the line of the answer says what float32 rounds" \
    grep -Eq '  coordinates are float32, rounded by up to 0\.[0-9]+ m  -> answer.csv$' out
ok "a gap names the option" refuses 'cities\.csv:3:9: latitude is empty; --skip-missing leaves out such rows' \
    run $k $two
printf 'lat|lon\n1|2\n' >bars.txt
ok "a separator that is none" \
    refuses 'bars\.txt:1: has one column; commas, semicolons or tabs separate columns: "lat|lon"' \
    run $k --obs bars.txt --ref bars.txt
ok "a column that is not there names the file's option" \
    refuses 'airports\.csv:1: --ref-lat breite: not one of the columns "code", "y", "x"' \
    run $k $skip --ref-lat breite

# The five columns of before, for who asks for nothing else.
printf 'lat,lon\n52.52,13.40\n\n48.86,2.35\n' >plain.csv
printf 'lat\tlon\n52.37\t13.50\n48.72\t2.38\n' >plain.tsv
printf 'observation,rank,index,distance_km\n0,0,0,18\n1,0,1,15\n' >want
ok "without more options: the columns of before; a blank line, and tabs" answers --obs plain.csv --ref plain.tsv
tail -n 2 plain.tsv >headless.tsv
ok "no header: columns by number" answers --obs plain.csv --ref headless.tsv --ref-lat 1 --ref-lon 2
ok "--lat and --lon are of both files" answers --obs plain.csv --ref plain.tsv --lat lat --lon 2
ok "the option of one file wins" answers --obs plain.csv --ref headless.tsv --lat LAT --lon LON --ref-lat 1 --ref-lon 2
printf 'lat;lon\n52,52;13,40\n48,86;2,35\n' >comma.csv
ok "decimal commas between semicolons" answers --obs comma.csv --ref plain.tsv

ok "no header: the message says how" refuses \
    'headless\.tsv:1: no header\? then give both columns by number, e\.g\. --ref-lat 1 --ref-lon 2; the first line is "52' \
    run $k --obs plain.csv --ref headless.tsv
printf 'lat,lon\n113.4,52.5\n' >swapped.csv
ok "latitude and longitude the wrong way round" refuses 'swapped\.csv:2:1: latitude 113\.4 .*; is it the longitude\?' \
    run $k --obs swapped.csv --ref plain.tsv
ok "files without options" refuses 'plain\.csv is a file; options name files' run knn plain.csv plain.tsv
ok "one dash for two" refuses 'there is no option -k; did you mean --k\?' run $k --obs plain.csv --ref plain.tsv -k 5
ok "more neighbours than references: the numbers" refuses 'knn: k is more than n; the files and options make m=2 n=2 k=5$' \
    run $k --obs plain.csv --ref plain.tsv --k 5
ok "a named size beside files" refuses '--size S is of generated data; files have their own' \
    run $k --obs plain.csv --ref plain.tsv --size S
ok "GeoJSON may end in .json" sh -c '"$rungs" run "$1" --obs plain.csv --ref plain.tsv --out a.json >out &&
    grep -q FeatureCollection a.json' - $k

# --- streams ----------------------------------------------------------------------------------------
streams() {
    "$rungs" run $k --obs - --ref plain.tsv --out - <plain.csv >answer.csv 2>err &&
        sed 's/^\([^,]*,[^,]*,[^,]*\),\([^,.]*\)[^,]*,[^,]*/\1,\2/' answer.csv | diff want - &&
        grep -q '  ok  .*-> standard output$' err
}
ok "from standard input to standard output, and the verdict beside it" streams
ok "a device needs no extension" exits 0 run $k --obs plain.csv --ref plain.tsv --out /dev/null
keeps_inputs() {
    ln -sf plain.csv link.csv && cp plain.csv before.csv &&
        refuses '^rungs: --out link\.csv is the file of --obs, and would replace it' \
            run $k --obs plain.csv --ref plain.tsv --out link.csv &&
        refuses '^rungs: --out plain\.csv is the file of --ref' run $k --obs plain.tsv --ref link.csv --out plain.csv &&
        cmp plain.csv before.csv
}
ok "an answer never replaces what it was read from" keeps_inputs
gzip -c plain.csv >plain.csv.gz
ok "compressed points name what unpacks them" refuses 'plain\.csv\.gz: is compressed by gzip; unpack it, e\.g\. zcat' \
    run $k --obs plain.csv.gz --ref plain.tsv
geopackage() {
    printf 'SQLite format 3\0' | "$rungs" run $k --obs - --ref plain.tsv 2>err
    grep -q 'GDAL' err && ! grep -q 'NUL byte' err && printf 'SQL,lat,lon\na,52.52,13.40\n\nb,48.86,2.35\n' |
        "$rungs" run $k --obs - --ref plain.tsv --out answer.csv && cut -d, -f1-3 answer.csv | grep -qx 1,0,1
}
ok "standard input that begins as a GeoPackage is for GDAL, a column SQL is not" geopackage
one_stdin() {
    ! "$rungs" run $k --obs - --ref - <plain.csv >out 2>err &&
        grep -qx 'rungs: standard input is read once, so only one file can be -' err
}
ok "standard input is one file" one_stdin
cat_npy() {
    "$numpy" -c 'import numpy; numpy.save("p.npy", [[52.52, 13.4], [float("nan"), 1], [48.86, 2.35]])' &&
        "$rungs" run $k --obs - --ref plain.tsv --skip-missing --out n.npy <p.npy >out 2>err &&
        grep -qx 'rungs: standard input: 1 of 3 rows have no coordinates and are left out' err && "$numpy" -c '
import numpy
answer = numpy.load("n.npy")
assert answer.shape == (2, 1, 4) and answer.dtype == "f8", answer
assert answer[:, 0, 0].tolist() == [0, 1] and answer[:, 0, 3].tolist() == [0, 2], answer
assert abs(answer[0, 0, 1] - 18.0) < 0.1 and abs(answer[0, 0, 2] * 6371.0088 - answer[0, 0, 1]) < 1e-9, answer'
}
if [ -n "$numpy" ]; then
    ok "NPY from standard input, by its content; NPY with the numbers of the rows" cat_npy
    ok "a gap in an NPY file" refuses 'p\.npy: \[1\]\[0\]: latitude is NaN; --skip-missing ' \
        run $k --obs p.npy --ref plain.tsv
    ok "an NPY file has no names" refuses 'p\.npy: an NPY file has no column of names for --obs-name' \
        run $k --obs p.npy --ref plain.tsv --obs-name 1
else
    skip "NPY" "NumPy is not there"
fi

# --- the formats of the answer ------------------------------------------------------------------------
printf 'name,lat,lon\n"a ""b"" \\ \344\001",-18.14,178.44\n' >odd.csv
printf 'lat,lon\n-13.24,-176.2\n0,0\n' >islands.csv
geojson() {
    exits 0 run $k --obs odd.csv --ref islands.csv --obs-name name --k 2 --out a.GeoJSON && python3 -c '
import json
with open("a.GeoJSON", encoding="utf-8") as file:
    answer = json.load(file)
assert answer["type"] == "FeatureCollection", answer
first, second = answer["features"]
names = ["observation", "rank", "index", "distance_km", "distance_rad", "observation_name"]
assert list(first["properties"]) == names, first
assert first["type"] == "Feature" and first["geometry"]["type"] == "LineString"
assert first["properties"]["observation_name"] == "a \"b\" \\ ??", first
assert first["properties"]["rank"] == 0 and second["properties"]["index"] == 1
assert abs(first["properties"]["distance_km"] - 790.9) < 1
near = lambda got, want: all(abs(g - w) < 2e-5 for p, q in zip(got, want) for g, w in zip(p, q))
assert near(first["geometry"]["coordinates"], [[178.44, -18.14], [183.8, -13.24]]), first
assert near(second["geometry"]["coordinates"], [[178.44, -18.14], [0, 0]]), second'
}
ok "GeoJSON: lines, which stay short across the date line, and names that JSON can hold" geojson
printf 'name,lat,lon\nM\374nchen,48.14,11.58\n' >latin.csv
latin() {
    exits 0 run $k --obs latin.csv --obs-name name --ref plain.tsv --out latin.geojson &&
        grep -q '"M?nchen"' latin.geojson &&
        grep -q '^warning: latin\.geojson: names that are not UTF-8 have ? in them; iconv ' err && [ "$(wc -l <err)" = 1 ]
}
ok "... of names that are not UTF-8 a line says so" latin
ok "an extension that is not written, before anything is computed" \
    refuses 'x\.parquet: the name must end in \.csv, \.npy or \.geojson' \
    run $k --obs plain.csv --ref plain.tsv --out x.parquet
ok "... or none" refuses 'out/nearest: the name must end in ' run $k --size XL --out out/nearest
ok "names in NPY" refuses 'a\.npy: NPY holds no names; write \.csv or \.geojson' \
    run $k --obs plain.csv --ref plain.tsv --ref-name 2 --out a.npy
ok "nothing was left behind" sh -c '[ ! -e x.parquet ] && [ ! -e a.npy ]'

# --- float64 ------------------------------------------------------------------------------------------
# Towns so small that float32 cannot tell most of their points apart, each point twice, and a pole.
python3 -c '
import random
random.seed(7)
def write(name, count):
    towns = [(52.5, 13.4), (-33.9, 359.99999), (89.9999999, 12.3), (0.0, 0.0)]
    with open(name, "w") as file:
        print("lat,lon", file=file)
        for _ in range(count):
            lat, lon = random.choice(towns)
            point = f"{lat + random.uniform(-1e-7, 1e-7):.10f},{lon + random.uniform(-3e-6, 3e-6):.10f}"
            print(point, point, sep="\n", file=file)
write("many.csv", 60)
write("crowd.csv", 250)'
exact() { # ARGUMENT...   the answer is what comparing all pairs in float64 finds, to the last bit
    exits 0 run $k --obs many.csv --ref crowd.csv --k 6 --out rounded.csv || return
    exits 0 run "$@" --obs many.csv --ref crowd.csv --k 6 --float64 --out exact.csv && python3 -c '
import csv, math
def points(name):
    return [(float(r["lat"]) * (math.pi / 180), float(r["lon"]) * (math.pi / 180)) for r in csv.DictReader(open(name))]
def haversine(p, q):
    lat, lon = math.sin((q[0] - p[0]) / 2), math.sin((q[1] - p[1]) / 2)
    return 2 * math.asin(math.sqrt(min(lat * lat + math.cos(p[0]) * math.cos(q[0]) * lon * lon, 1)))
refs = points("crowd.csv")
want = [n for p in points("many.csv") for n in sorted((haversine(p, q), j) for j, q in enumerate(refs))[:6]]
got = [(float(r["distance_rad"]), int(r["index"])) for r in csv.DictReader(open("exact.csv"))]
assert got == want, [(g, w) for g, w in zip(got, want) if g != w][:3]
others = sum(int(r["index"]) != w[1] for r, w in zip(csv.DictReader(open("rounded.csv")), want))
assert others > 100, others
line = f"; float64 without rounding finds {others} other neighbours of {len(want)}  -> exact.csv\n"
assert open("out").read().endswith(line), (line, open("out").read())'
}
ok "--float64: the neighbours of unrounded coordinates, and how many rounding changes" exact $k
ok "... with the variant that is chosen" exact knn
ok "... in NPY and GeoJSON" sh -c '
    for out in exact.npy exact.geojson; do
        "$rungs" run knn/cpu_naive --obs many.csv --ref crowd.csv --k 6 --float64 --out $out >out 2>err || exit 1
    done
    python3 -c "
import csv, json
want = [(int(r[\"index\"]), float(r[\"distance_km\"])) for r in csv.DictReader(open(\"exact.csv\"))]
got = [f[\"properties\"] for f in json.load(open(\"exact.geojson\"))[\"features\"]]
assert [(p[\"index\"], p[\"distance_km\"]) for p in got] == want
try:
    import numpy
    npy = numpy.load(\"exact.npy\").reshape(-1, 3)
    assert [(int(i), km) for i, km, _ in npy] == want
except ImportError:
    pass"'
printf 'lat,lon\n12.3456789,123.456789\n' >place.csv
ok "GeoJSON has the coordinates of the file" sh -c '
    "$rungs" run knn/cpu_naive --obs place.csv --ref plain.tsv --out p.geojson >out 2>err &&
    grep -qF "[[123.456789,12.3456789],[13.5,52.37]]" p.geojson'

# --- what GDAL reads ----------------------------------------------------------------------------------
# tests/unit/files/test_points_gdal.c has its formats; here is what the command line adds.
cat >towns.geojson <<'END'
{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"town":"Berlin"},"geometry":{"type":"Point","coordinates":[13.4,52.52]}},
{"type":"Feature","properties":{"town":"Nowhere"},"geometry":null},
{"type":"Feature","properties":{"town":"Paris"},"geometry":{"type":"Point","coordinates":[2.35,48.86]}}]}
END
sed 's/"features"/"crs":{"type":"name","properties":{"name":"EPSG:32633"}},&/
    s/13.4,52.52/391779,5820072/; s/2.35,48.86/500000,0/' towns.geojson >utm.geojson
if [ -e "${rungs%/*}/rungs-gdal.so" ]; then
    named() {
        exits 0 run $k --obs towns.geojson --obs-name town --skip-missing --ref plain.tsv --out answer.csv &&
            cut -d , -f 1-3,6- answer.csv >got && diff - got <<'END'
observation,rank,index,observation_sheet_row,reference_sheet_row,observation_name
0,0,0,1,2,Berlin
2,0,1,3,3,Paris
END
    }
    ok "GeoJSON: names, a gap, the numbers of rows" named
    from_pipe() {
        "$rungs" run $k --obs - --obs-name town --skip-missing --ref plain.tsv --out piped.csv <towns.geojson >out 2>err &&
            cmp piped.csv answer.csv && grep -qx 'rungs: standard input: 1 of 3 rows have no coordinates and are left out' err
    }
    ok "... from standard input" from_pipe
    ok "... a gap names the feature" refuses 'towns\.geojson: feature 1: has no geometry; --skip-missing leaves out ' \
        run $k --obs towns.geojson --ref plain.tsv
    transformed() {
        exits 0 run $k --obs utm.geojson --skip-missing --ref plain.tsv --float64 --out u.geojson &&
            grep -qx 'rungs: utm.geojson: transformed from WGS 84 / UTM zone 33N to WGS 84' err &&
            grep -q '\[\[15,0\],\[2.38,48.72\]\]' u.geojson
    }
    ok "other coordinates are transformed, and a line says so" transformed
    ok "the library of GDAL is not loaded without need" sh -c '
        LD_DEBUG=files "$rungs" run knn/cpu_naive --obs plain.csv --ref plain.tsv >out 2>&1 && grep -q libm out &&
            ! grep -q gdal out'
    zipped() {
        python3 -c 'import zipfile; zipfile.ZipFile("t.zip", "w").write("towns.geojson")' &&
            exits 0 run $k --obs t.zip --obs-name town --skip-missing --ref plain.tsv --out zip.csv && cmp zip.csv answer.csv
    }
    ok "a zipped file" zipped
else
    ok "GeoJSON without GDAL says what to do" refuses \
        'towns\.geojson: neither CSV nor NPY, and this build lacks GDAL: install libgdal-dev .* ogr2ogr -f CSV ' \
        run $k --obs towns.geojson --ref plain.tsv
fi
ok "CSV has no layers" refuses 'plain\.csv: has no layers for --obs-layer' \
    run $k --obs plain.csv --obs-layer a --ref plain.tsv

# --- radians ------------------------------------------------------------------------------------------
printf 'lat,lon\n0.9167,0.2339\n-0.8528,6.2\n' >radians.csv
warns() { # OBS REF OPTION   empty: no warning
    exits 0 run $k --obs "$1" --ref "$2" && if [ -n "$3" ]; then
        echo "warning: radians.csv: all angles are within +-2 pi; if they are radians, add $3" | diff - err
    else
        [ ! -s err ]
    fi
}
ok "small angles are suspected" warns radians.csv plain.tsv --obs-radians
ok "... in either file" warns plain.csv radians.csv --ref-radians
ok "... and others are not" warns plain.csv plain.tsv ""
one_in_radians() { # the second place is 2.2 km from the second one of plain.tsv
    printf 'lat;lon\n0.5;1\n0.8503416669675;0.0410152374\n' >some.csv
    "$rungs" run $k --obs some.csv --obs-radians --ref plain.tsv --out some-out.csv >out 2>err && [ ! -s err ] &&
        grep -q '^1,0,1,2\.2' some-out.csv &&
        "$rungs" run $k --ref some.csv --ref-radians --obs plain.tsv --out some-out.csv >out 2>err && [ ! -s err ] &&
        grep -q '^1,0,1,' some-out.csv
}
ok "... and one of the files may be in radians" one_in_radians
ok "... nor radians that are said to be" sh -c '
    "$rungs" run knn/cpu_naive --obs radians.csv --ref radians.csv --radians 2>&1 >out | grep -c . | grep -qx 0'

# --- which variant ------------------------------------------------------------------------------------
chooses() {
    exits 0 run knn --obs plain.csv --ref plain.tsv --out answer.csv &&
        grep -Eq '^rungs: knn/[a-z_0-9]+ was the fastest of [0-9]+ variants on these data: .*, then knn/[a-z_0-9]+ ' err &&
        [ "$(sed 's/^rungs: \([^ ]*\) .*/\1/' err)" = "$(sed 's/ .*//' out)" ] && [ "$(wc -l <out)" = 1 ] &&
        sed 's/^\([^,]*,[^,]*,[^,]*\),\([^,.]*\)[^,]*,[^,]*/\1,\2/' answer.csv | diff want -
}
ok "without a variant, the fastest computes the answer, and a line says which" chooses
names_others() {
    exits 0 run knn/cpu_naive knn/cpu_tree --obs plain.csv --ref plain.tsv && ! grep -q 'cpu_.*: refused' err &&
        exits 0 run knn -v --size m=4000,n=2000,k=5 && grep -Eq '; [0-9]+ refused, failed or were predicted' err &&
        grep -Eq '^rungs: knn/cpu_naive: skipped: predicted .* a call, where another takes ' err
}
ok "-v names the variants that were not taken, and why" names_others
own_answer() {
    exits 0 run knn --size m=2000,n=500 --out answer.csv && "$rungs" run "$(sed 's/ .*//' out)" --size m=2000,n=500 \
        --out again.csv >/dev/null && cmp answer.csv again.csv
}
ok "... and the answer is that variant's, to the last bit" own_answer
ok "... also at sizes where the first of the ladder is too slow to be tried" sh -c '
    "$rungs" run knn --size m=20000,n=8000 >out 2>err && ! grep -q "^knn/cpu_naive" out && [ $(wc -l <out) = 1 ] &&
    grep -q "[1-9][0-9]* refused, failed or were predicted to be slower (-v names them)$" err'

# --- files as they come -------------------------------------------------------------------------------
data=$root/../shared/data
if [ -r "$data/runways-400.csv" ] && [ -r "$data/navaids.csv" ]; then
    real() {
        exits 0 run knn --obs "$data/runways-400.csv" --obs-lat le_latitude_deg --obs-lon le_longitude_deg \
            --obs-name airport_ident --ref "$data/navaids.csv" --ref-name ident --skip-missing --k 5 --out r.csv &&
            grep -q 'runways-400.csv: 370 of 399 rows have no coordinates' err && python3 -c '
import csv, math, sys
folder, = sys.argv[1:]
rows = lambda name: [[]] + list(csv.reader(open(f"{folder}/{name}.csv", encoding="utf-8"))) # sheets begin at 1
runways, navaids = rows("runways-400"), rows("navaids")
answers = list(csv.DictReader(open("r.csv")))
assert len(answers) == 29 * 5, len(answers)
for a in answers:
    runway, navaid = runways[int(a["observation_sheet_row"])], navaids[int(a["reference_sheet_row"])]
    assert runway == runways[int(a["observation"]) + 2] and navaid == navaids[int(a["index"]) + 2]
    assert a["observation_name"] == runway[2] and a["reference_name"] == navaid[2], a
    p, l, q, m = (math.radians(float(x)) for x in (runway[9], runway[10], navaid[6], navaid[7]))
    h = math.sin((p - q) / 2) ** 2 + math.cos(p) * math.cos(q) * math.sin((l - m) / 2) ** 2
    assert abs(2 * 6371.0088 * math.asin(math.sqrt(h)) - float(a["distance_km"])) < 0.002, a' "$data"
    }
    ok "runways with gaps and their five nearest navaids: each row is the file's own" real
else
    skip "runways with gaps and their five nearest navaids" "the files are not there"
fi

finish
