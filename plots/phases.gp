# What the time end to end consists of: data NAME.tsv, with `rows` of them, the longest
# `most` of the time end to end.
data = name.'.tsv'

set lmargin at screen 0.225
set rmargin at screen 0.985
set tmargin at screen 1.0 - 132.0 / height
set label 5 'shares of the time end to end, from medians, which need not add up to it' at screen 0.225, 50.0 / height left font tiny textcolor rgb quiet
set bmargin at screen 118.0 / height
wide = most + 0.16
set xrange [0:wide]
set yrange [rows - 0.5:-0.5]
set border 2
set xtics ('0' 0, '20 %%' 0.2, '40 %%' 0.4, '60 %%' 0.6, '80 %%' 0.8, '100 %%' 1) scale 0.5 font small
set grid xtics
unset ytics
size = rows > 26 ? tiny : normal
across = 0.225
array words[5] = ['upload', 'run', 'download', 'the rest: launch, driver', 'all in one']
array colours[5] = [sky, red, blue, faint, orange]
load 'scripts/legend.gp'
set label 1 'end to end' at wide, graph 1.0 right offset 0, 0.7 font small textcolor rgb quiet

# Words in a part of a bar that has room for them.
mid(before, part) = before + part / 2.0
inside(n, part) = part > 0.1 ? strcol(n) : ''

plot data using (0):1:(0):3:($1 - 0.38):($1 + 0.38) with boxxyerror linecolor rgb sky, \
    '' using 3:1:3:($3 + $4):($1 - 0.38):($1 + 0.38) with boxxyerror linecolor rgb red, \
    '' using 3:1:($3 + $4):($3 + $4 + $5):($1 - 0.38):($1 + 0.38) with boxxyerror linecolor rgb blue, \
    '' using 3:1:($3 + $4 + $5):($3 + $4 + $5 + $6):($1 - 0.38):($1 + 0.38) with boxxyerror linecolor rgb faint, \
    '' using (0):1:(0):7:($1 - 0.38):($1 + 0.38) with boxxyerror linecolor rgb orange, \
    '' using (mid(0, $3)):1:(inside(9, $3)) with labels font small textcolor rgb '#000000', \
    '' using (mid($3, $4)):1:(inside(10, $4)) with labels font small textcolor rgb '#000000', \
    '' using (mid($3 + $4, $5)):1:(inside(11, $5)) with labels font small textcolor rgb '#ffffff', \
    '' using (mid($3 + $4 + $5, $6)):1:(inside(12, $6)) with labels font small textcolor rgb ink, \
    '' using (0):1:(short(strcol(2), 24)) with labels right offset -0.6, 0 font size textcolor rgb ink, \
    '' using (wide):1:(strcol(8)) with labels right font size textcolor rgb ink
unset output
