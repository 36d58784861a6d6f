# rungs plot: the same problem and size in run after run, of several files or one
# place: 6
# heading: From run to run
# each: problem size data machine devices
# rows: axis=- e2e_s>0
# all: swept=0
# order: started
# over: runs
# needs: 2 run_id
# else: it needs two runs of one machine with the same problem and size; name more files
note = 'x: runs, by commit and time; whiskers: 95 % interval of the median'
axis = ''

# The runs in order, with commits and times: 2026-11-21T15:45:11Z is 11-21, or 15:45 within one day.
runs = 0; this_run = ''; one_day = 1
array commits[rows]; array started[rows]
begin_run(row) = (runs = runs + 1, commits[runs] = said(strcol('commit')), \
    started[runs] = strcol('started'), \
    one_day = one_day && substr(started[runs], 1, 10) eq substr(started[1], 1, 10), runs)
across(row) = (run = strcol('run_id').strcol('file'), \
    run eq this_run ? runs : (this_run = run, begin_run(0)))
at_left(end) = num('e2e'.end.'_s')
at_right(end) = 100.0 * (at_left(end) / first[k] - 1.0)
weight(row) = 0
load 'scripts/curves.gp'

# The range follows the medians, because one wide interval would flatten all other curves.  Times are
# above 0.
least = 0.0; most = 0.0
do for [r = 1:rows] { least = less(least, zs[r]); most = more(most, zs[r]) }
room = more(5.0, 0.3 * (most - least))
bottom = more(least - room, -100.0)

set xrange [0.6:runs + 0.4]
every_so = (runs + 4) / 5
unset xtics
set xtics scale 0.5 font tiny
set xtics ('' 1)
do for [i = 1:runs:every_so] {
    time = one_day ? substr(started[i], 12, 16) : substr(started[i], 6, 10)
    set xtics add (short(commits[i], 9)."\n".time i)
}

set multiplot
@on_the_left
set logscale y
set format y '%.0s %cs'
set label 10 'time end to end'
plot @whiskers_at_left, @curves_at_left

@on_the_right
unset logscale y
set format y '%+.0f %%'
set yrange [bottom:most + room]
set ytics add ('0 %%' 0)
set label 10 'more time than in the first run shown'
plot 0 with lines linewidth 3 linecolor rgb faint, @whiskers_at_right, @curves_at_right
unset multiplot
unset output
