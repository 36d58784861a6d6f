# Scaling: data NAME.tsv, a block for each of the `rungs`; from `smallest` to `largest` of what
# `axis` names.
note = 'grey: ideal; whiskers: the 95 % interval of the ratio'
load 'scripts/curves.gp'

set xrange [smallest / 1.15:largest * 1.15]
set logscale x 2
ideal = 'with lines linewidth 3 linecolor rgb faint'

set multiplot
@at_left
set logscale y 2
set yrange [fastest_low:fastest_high]
set format '%g'
set label 10 'times faster end to end than on '.sprintf('%g', smallest)
plot x / smallest @ideal, \
    for [i = 1:|rungs|] data index i - 1 using 1:(known($3, $2)):3:4 @whisker, \
    for [i = 1:|rungs|] data index i - 1 using 1:2 with linespoints @curve

@at_right
unset logscale y
set yrange [0:105 < *]
set format y '%.0f %%'
set label 10 'efficiency: of the ideal'
plot 100 @ideal, \
    for [i = 1:|rungs|] data index i - 1 using 1:(known($6, $5)):6:7 @whisker, \
    for [i = 1:|rungs|] data index i - 1 using 1:5 with linespoints @curve @named
unset multiplot
unset output
