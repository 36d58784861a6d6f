# Time and rate over the size: data NAME.tsv, a block for each of the `rungs`, then the crossovers end
# to end and resident; `kind` of each rung as in "shade"; sizes from `smallest` to `largest`, in `axis`;
# `unit` of the rate; `crossing` and `crossing_resident` say where the first crossover is, their _at
# at which size.
data = name.'.tsv'

# Seven colours, then the same again with other points: a CPU's rung dashed, another device's not.
array hues[7] = [0xd55e00, 0x0072b2, 0x009e73, 0xe69f00, 0x56b4e9, 0xcc79a7, dark ? 0xeeeeee : 0x1a1a1a]
array dots[4] = [7, 5, 9, 13]
hue(i) = hues[(i - 1) % 7 + 1]
shape(i) = dots[int((i - 1) / 7) % 4 + 1]
dash(i) = kind[i] == 2 ? 1 : 2

set tmargin at screen 1.0 - 135.0 / height
set bmargin at screen 125.0 / height
set xrange [smallest / 1.3:largest * 1.3]
set logscale xy
set format x '%.0s%c'
set tics scale 0.5 font small
set grid xtics ytics
set label 5 'dashed: on the CPU; ring: from here on faster than the fastest that it is compared with' at screen 0.985, 48.0 / height right font tiny textcolor rgb quiet

set multiplot
set lmargin at screen 0.08
set rmargin at screen 0.41
set format y '%.0s %cs'
set label 10 'time end to end' at graph 0, 1.0 left offset 0, 2.1 font small textcolor rgb ink
set label 11 short(crossing, 52) at graph 0, 1.0 left offset 0, 0.8 font tiny textcolor rgb quiet
set label 12 axis at graph 0.5, 0 center offset 0, -2.6 font small textcolor rgb ink
if (crossing_at > 0) { set arrow 1 from crossing_at, graph 0 to crossing_at, graph 1 nohead dashtype 3 linewidth 2 linecolor rgb quiet }
plot for [i = 1:|rungs|] data index i - 1 using 1:2:3:4 with yerrorlines linewidth 2 * thick dashtype dash(i) linecolor rgb hue(i) pointtype shape(i) pointsize dot * 0.6, \
    data index |rungs| using 1:2 with points pointtype 6 pointsize dot * 1.8 linewidth 3 linecolor rgb ink

set lmargin at screen 0.475
set rmargin at screen 0.785
set format y '%.0s%c'
set label 10 unit.' of the run alone' at graph 0, 1.0
set label 11 short(crossing_resident, 52)
unset label 1001
unset label 1002
unset label 5
unset arrow 1
if (crossing_resident_at > 0) { set arrow 1 from crossing_resident_at, graph 0 to crossing_resident_at, graph 1 nohead dashtype 3 linewidth 2 linecolor rgb quiet }
set key at screen 0.795, 1.0 - 120.0 / height left top vertical maxcols 1 Left reverse samplen 2 font small
plot for [i = 1:|rungs|] data index i - 1 using 1:6 with linespoints linewidth 2 * thick dashtype dash(i) linecolor rgb hue(i) pointtype shape(i) pointsize dot * 0.6 title short(rungs[i], 20), \
    data index |rungs| + 1 using 1:2 with points pointtype 6 pointsize dot * 1.8 linewidth 3 linecolor rgb ink
unset multiplot
unset output
