# rungs plot: speed-up and efficiency over threads, devices or ranks
# place: 5
# heading: Over threads, devices or ranks
# each: table axis
# rows: speedup>0
# order: given
# over: axis
# all: swept=0
# needs: 2 given
# else: it needs a variant timed with several numbers of threads (bench --threads 1,2)
note = 'grey: ideal; whiskers: 95 % confidence interval of the ratio'
axis = ''
across(row) = num('given')
at_left(end) = num('speedup'.end)
at_right(end) = 100.0 * num('efficiency') * num('speedup'.end) / num('speedup')
weight(row) = 0
load 'scripts/curves.gp'

# The range contains all curves and the ideal.
smallest = 1e300; largest = 0.0; low = 1.0; high = 1.0
@each_row (axis = strcol('axis'), smallest = less(smallest, across(0)), \
    largest = more(largest, across(0)), low = less(low, at_left('_low')), \
    high = more(high, at_left('_high')), 0) @done
set label 12 axis; set label 13 axis
set xrange [smallest / 1.15:largest * 1.15]
set logscale x 2
ideal = 'with lines linewidth 3 linecolor rgb faint'

set multiplot
@on_the_left
set logscale y 2
set yrange [low / 1.3:more(high, largest / smallest) * 1.3]
set format '%g'
set label 10 'times faster end to end than on '.sprintf('%g', smallest)
plot x / smallest @ideal, @whiskers_at_left, @curves_at_left

@on_the_right
unset logscale y
set yrange [0:105 < *]
set format y '%.0f %%'
set label 10 'efficiency: share of the ideal'
plot 100 @ideal, @whiskers_at_right, @curves_at_right
unset multiplot
unset output
