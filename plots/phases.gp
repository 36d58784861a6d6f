# rungs plot: upload, run, download and the rest, as shares of the time end to end
# place: 2
# heading: Parts of the time end to end
# each: table
# rows: most=1 kind=device e2e_s>0
# all: swept=0
# needs: 1 resident_s
# else: it needs times of variants on a GPU
#
# A bar for each variant.  If copies and work overlap, the phases are not known: the bar has one part.
names = rows; bars_only = 1
load 'scripts/style.gp'
note = 'shares of the time end to end; medians of the parts need not add up to it'

apart(row) = is_known(num('resident_s'))
up(row) = apart(0) ? or_zero(num('upload_s')) : 0
run(row) = or_zero(num('resident_s'))
down(row) = apart(0) ? or_zero(num('download_s')) : 0
# Medians need not add up: a negative rest counts as 0.
rest(row) = apart(0) ? more(0, num('e2e_s') - up(0) - run(0) - down(0)) : 0
whole(row) = apart(0) ? 0 : num('e2e_s')
share(time) = time / num('e2e_s')

longest = 1.0
@each_row (longest = more(longest, share(up(0) + run(0) + down(0) + rest(0))), 0) @done
wide = longest + 0.16
@bars
set xrange [0:wide]
set xtics ('0' 0, '20 %%' 0.2, '40 %%' 0.4, '60 %%' 0.6, '80 %%' 0.8, '100 %%' 1) scale 0.5
set label 1 'end to end' at wide, @over_column

array words[5] = ['upload', 'run', 'download', 'rest: launch, driver', 'overlapped: all in one']
array colours[5] = [sky, red, blue, faint, orange]
load 'scripts/legend.gp'

# A part of a bar, with its time if there is room.
mid(before, time) = share(before + time / 2.0)
inside(time) = share(time) > 0.1 ? duration(time) : ''
part = 'with boxxyerror linecolor rgb'
on_it = 'with labels font small textcolor rgb'

plot data using (0):0:(0):(share(up(0))):($0 - half):($0 + half) @part sky, \
    '' using (0):0:(share(up(0))):(share(up(0) + run(0))):($0 - half):($0 + half) @part red, \
    '' using (0):0:(share(up(0) + run(0))):(share(up(0) + run(0) + down(0))):\
        ($0 - half):($0 + half) @part blue, \
    '' using (0):0:(share(up(0) + run(0) + down(0))):(share(up(0) + run(0) + down(0) + rest(0))):\
        ($0 - half):($0 + half) @part faint, \
    '' using (0):0:(0):(share(whole(0))):($0 - half):($0 + half) @part orange, \
    '' using (mid(0, up(0))):0:(inside(up(0))) @on_it '#000000', \
    '' using (mid(up(0), run(0))):0:(inside(run(0))) @on_it '#000000', \
    '' using (mid(up(0) + run(0), down(0))):0:(inside(down(0))) @on_it '#ffffff', \
    '' using (mid(up(0) + run(0) + down(0), rest(0))):0:(inside(rest(0))) @on_it ink, \
    '' using (0):0:(short(strcol('variant'), 24)) @name_of_row, \
    '' using (wide):0:(duration(num('e2e_s'))) @in_column
unset output
