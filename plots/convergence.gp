# rungs plot: how near methods that iterate have come, over time and over readings of the data
# place: 8
# heading: Convergence
# each: table
# rows: most=1 e2e_s>0 evaluations>0
# all: swept=0
# needs: 1 evaluations
# with: evaluations
# else: it needs times of variants that say how they converge, e.g. of rungs bench logreg
note = 'a point an evaluation, by the variants'' own account; its time is its share of the readings'
axis = ''

# The curves are of the second table, and each evaluation is a row of it.
table = '-evaluations'
rows = evaluations
across(row) = num('time_s')
at_left(end) = end eq '' ? more(num('residual'), 1e-12) : NaN
at_right(end) = end eq '' ? num('readings') : NaN
# A variant without a resident time has no curve at the left.
weight(row) = num('time_s') >= 0 ? num('time_s') : 0
load 'scripts/curves.gp'
undefine table

set logscale xy
set format y '%.0e'

set multiplot
@on_the_left
set format x '%.0s %cs'
set label 10 'residual over time, resident'
plot @curves_at_left

@on_the_right
set format x '%g'
set label 10 'residual over readings of all data'
plot for [i = 1:variants] $curves index i - 1 using 5:2 with linespoints @curve @named
unset multiplot
unset output
