# A cell from run to run: data NAME.tsv, a block for each of the `rungs`; `runs` of them, called
# `commits`, of the `days`; changes between `least` and `most` percent.
note = 'across: runs, by commit and time; whiskers: 95 % interval of the median'
axis = ''
load 'scripts/curves.gp'

set xrange [0.6:runs + 0.4]
every_so = (runs + 4) / 5
unset xtics
set xtics scale 0.5 font tiny
set xtics ('' 1)
do for [i = 1:runs:every_so] { set xtics add (short(commits[i], 9)."\n".days[i] i) }

set multiplot
@at_left
set logscale y
set format y '%.0s %cs'
set label 10 'time end to end'
plot for [i = 1:|rungs|] data index i - 1 using 1:(known($3, $2)):3:4 @whisker, \
    for [i = 1:|rungs|] data index i - 1 using 1:2 with linespoints @curve

@at_right
unset logscale y
set format y '%+.0f %%'
set yrange [least:most]
set ytics add ('0 %%' 0)
set label 10 'more time than in its first run here'
plot 0 with lines linewidth 3 linecolor rgb faint, \
    for [i = 1:|rungs|] data index i - 1 using 1:(known($6, $5)):6:7 @whisker, \
    for [i = 1:|rungs|] data index i - 1 using 1:5 with linespoints @curve @named
unset multiplot
unset output
