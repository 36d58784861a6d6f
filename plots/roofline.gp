# Rungs under the ceilings of their machine: data NAME.tsv, whose blocks are roofs, roofs beyond,
# names of levels, names of slopes, points of the CPU, points of devices; the frame from `begin` to
# `finish` (flops a byte) and from `bottom` to `top` (flops a second); `intensity`, where the points
# stand; `device`, of those that are not the CPU's.
data = name.'.tsv'
note = 'names: left the CPU, right other devices; full: the run alone, ring: end to end; '.\
    'dashed: from cache, or in less precise arithmetic'

across = 0.1
@noted
set lmargin at screen 0.1
set rmargin at screen 0.975
set tmargin at screen 1.0 - 105.0 / height
set bmargin at screen 155.0 / height
set xrange [begin:finish]
set yrange [bottom:top]
set logscale xy
set format x '%g'
set format y '%.0s%c'
set tics scale 0.5 font small
set grid xtics ytics
under = 'font small textcolor rgb ink'
set label 6 'flops a byte of inputs and outputs' at screen 0.5375, 78.0 / height center @under
set label 7 'flops a second' at screen 0.02, 0.5 center rotate @under

array words[device eq '' ? 2 : 3]
array colours[device eq '' ? 2 : 3]
words[1] = 'CPU, one core'; colours[1] = sky
words[2] = 'CPU, several cores'; colours[2] = blue
if (device ne '') { words[3] = device; colours[3] = orange }
load 'scripts/legend.gp'

# Behind names; gnuplot's SVG cannot, and gets it from harness/plots/svg.c.
set style textbox opaque fillcolor rgb paper noborder margins 0.3, 0.1
clear = picture eq 'svg' ? '' : 'boxed'

# Slopes of 1 on both scales, on this canvas.
decade_x = 1600 * 0.875 / log10(finish / begin)
decade_y = (height - 260.0) / log10(top / bottom)
angle = atan2(decade_y, decade_x) * 180.0 / pi
slope = (finish / begin) ** 0.01

# Names stand beside the points; "-" is none.
side = (finish / begin) ** 0.03
beside(x) = x < begin ? begin : x > finish ? finish : x
rung(text) = text eq '-' ? '' : short(text, 24)
named = '@clear font small textcolor rgb ink'
leader = 'with vectors nohead linecolor rgb quiet'
level = 'font tiny textcolor rgb ink'
dots = 'pointsize dot linewidth 2 * thick linecolor rgb'

plot data index 0 using 2:3:(shade($1)) with lines linewidth 3 * thick linecolor rgb variable, \
    '' index 1 using 2:3:(shade($1)) \
        with lines linewidth 2 * thick dashtype 2 linecolor rgb variable, \
    '' index 2 using 2:3:(strcol(4)) with labels right offset -0.5, 0.7 @level, \
    '' index 3 using ($2 * slope):($3 * slope):(strcol(4)) \
        with labels left rotate by angle @level, \
    '' index 4 using 2:3:($2 / side - $2):($5 - $3) @leader, \
    '' index 5 using 2:3:($2 * side - $2):($5 - $3) @leader, \
    '' index 5 using 2:4 with points pointtype 6 @dots orange, \
    '' index 4:5 using 2:3:(shade($1)) with points pointtype 7 @dots variable, \
    '' index 4 using (beside($2 / side)):5:(rung(strcol(6))) with labels right offset -0.3, 0 \
        @named, \
    '' index 5 using (beside($2 * side)):5:(rung(strcol(6))) with labels left offset 0.3, 0 @named
unset output
