# Time and rate over the size: data NAME.tsv, a block for each of the `rungs`, then the crossovers
# end to end and resident; sizes from `smallest` to `largest`, in `axis`; `unit` of the rate;
# `crossing` and `crossing_resident` say where the first crossover is, their _at at which size.
note = 'ring: from here on faster than the fastest that it is compared with'
load 'scripts/curves.gp'

set xrange [smallest / 1.3:largest * 1.3]
set logscale xy
set format x '%.0s%c'
upright = 'nohead dashtype 3 linewidth 2 linecolor rgb quiet'

set multiplot
@at_left
set format y '%.0s %cs'
set label 10 'time end to end'
set label 11 short(crossing, 52)
here = crossing_at
if (here > 0) { set arrow 1 from here, graph 0 to here, graph 1 @upright }
plot for [i = 1:|rungs|] data index i - 1 using 1:(known($3, $2)):3:4 @whisker, \
    for [i = 1:|rungs|] data index i - 1 using 1:2 with linespoints @curve, \
    data index |rungs| using 1:2 with points @ring

@at_right
set format y '%.0s%c'
set label 10 'rate of the run alone, in '.unit
set label 11 short(crossing_resident, 52)
unset arrow 1
here = crossing_resident_at
if (here > 0) { set arrow 1 from here, graph 0 to here, graph 1 @upright }
plot for [i = 1:|rungs|] data index i - 1 using 1:6 with linespoints @curve @named, \
    data index |rungs| + 1 using 1:2 with points @ring
unset multiplot
unset output
