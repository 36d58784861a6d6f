# rungs plot: bytes that each variant requests of a device's memory, counted in the simulator
# place: 8
# heading: Memory requests, counted
# each: table
# rows: traffic_bytes>0
# all: swept=0
# needs: 1 traffic_bytes
# else: it needs counts of variants in the simulator; run rungs count
#
# A bar for each variant, in the order of the ladder, of sectors that warps load, store and change.
names = rows; bars_only = 1
load 'scripts/style.gp'
note = 'bytes of the sectors of global memory, 32 each, that warps request in one call; a cache may serve them. '.\
    'Counted, not timed'

sector = 32.0
loads(row) = sector * num('load_sectors')
stores(row) = sector * num('store_sectors')
changed = 0
longest = 1.0
@each_row (longest = more(longest, num('traffic_bytes')), \
    changed = more(changed, num('traffic_bytes') - loads(0) - stores(0)), 0) @done
wide = longest * 2.0
raw = longest / 4.0
ten = 10.0 ** floor(log10(raw))
step = ten * (raw > 5.0 * ten ? 10.0 : raw > 2.0 * ten ? 5.0 : raw > ten ? 2.0 : 1.0)
@bars
set xrange [0:wide]
set format x '%.0s %cB'
set xtics 0, step, longest scale 0.5 font small
set arrow 1 from longest, graph 0 to longest, graph 1 nohead linecolor rgb faint

array words[3] = ['loads', 'stores', changed > 0 ? 'atomic operations' : '']
array colours[3] = [sky, blue, orange]
load 'scripts/legend.gp'

place(n) = longest + (wide - longest) * (n + 1.0) / 5.0 - 0.005 * wide
set label 1 'sectors/ld' at place(0), @over_column
set label 2 'sectors/st' at place(1), @over_column
set label 3 'conflicts' at place(2), @over_column
set label 4 'barriers' at place(3), @over_column
set label 6 'occupancy' at place(4), @over_column

ratio(a, b) = b > 0 ? sprintf('%.2f', a / b) : '-'
share(a, b) = b > 0 ? sprintf('%.0f %%', 100.0 * a / b) : '-'
counted(n) = n >= 99999.5 ? gprintf('%.3s%c', n) : sprintf('%.0f', n)

part = 'with boxxyerror linecolor rgb'
plot data using (0):0:(0):(loads(0)):($0 - half):($0 + half) @part sky, \
    '' using (0):0:(loads(0)):(loads(0) + stores(0)):($0 - half):($0 + half) @part blue, \
    '' using (0):0:(loads(0) + stores(0)):(num('traffic_bytes')):($0 - half):($0 + half) @part orange, \
    '' using (0):0:(short(strcol('variant'), 24)) @name_of_row, \
    '' using (place(0)):0:(ratio(num('load_sectors'), num('load_requests'))) @in_column, \
    '' using (place(1)):0:(ratio(num('store_sectors'), num('store_requests'))) @in_column, \
    '' using (place(2)):0:(share(num('shared_conflicts'), num('shared_wavefronts'))) @in_column, \
    '' using (place(3)):0:(counted(num('barriers'))) @in_column, \
    '' using (place(4)):0:(share(num('occupancy_most'), 1.0)) @in_column
unset output
