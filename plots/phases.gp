# What the time end to end consists of: data NAME.tsv, with `rows` of them, the longest
# `most` of the time end to end.
data = name.'.tsv'
note = 'shares of the time end to end, from medians, which need not add up to it'

wide = most + 0.16
@bars
set xrange [0:wide]
set xtics ('0' 0, '20 %%' 0.2, '40 %%' 0.4, '60 %%' 0.6, '80 %%' 0.8, '100 %%' 1) scale 0.5
set label 1 'end to end' at wide, @over_column

array words[5] = ['upload', 'run', 'download', 'the rest: launch, driver', 'all in one']
array colours[5] = [sky, red, blue, faint, orange]
load 'scripts/legend.gp'

# Words in a part of a bar that has room for them.
mid(before, part) = before + part / 2.0
inside(n, part) = part > 0.1 ? strcol(n) : ''
low(row) = row - half
high(row) = row + half
part = 'with boxxyerror linecolor rgb'
on_it = 'with labels font small textcolor rgb'

plot data using (0):1:(0):3:(low($1)):(high($1)) @part sky, \
    '' using 3:1:3:($3 + $4):(low($1)):(high($1)) @part red, \
    '' using 3:1:($3 + $4):($3 + $4 + $5):(low($1)):(high($1)) @part blue, \
    '' using 3:1:($3 + $4 + $5):($3 + $4 + $5 + $6):(low($1)):(high($1)) @part faint, \
    '' using (0):1:(0):7:(low($1)):(high($1)) @part orange, \
    '' using (mid(0, $3)):1:(inside(9, $3)) @on_it '#000000', \
    '' using (mid($3, $4)):1:(inside(10, $4)) @on_it '#000000', \
    '' using (mid($3 + $4, $5)):1:(inside(11, $5)) @on_it '#ffffff', \
    '' using (mid($3 + $4 + $5, $6)):1:(inside(12, $6)) @on_it ink, \
    '' using (0):1:(short(strcol(2), 24)) @name_of_row, \
    '' using (wide):1:(strcol(8)) @in_column
unset output
