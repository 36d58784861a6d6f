# /// script
# [tool.rungs]
# idea = "Perl: unpack, a loop, pack"
# base = "cpu_naive"
# ///
# Idea     Any language takes part that reads a line and writes one: arrays come from a file, the answer goes to one.
# Against  cpu_naive; js_loop, whose engine compiles the loop.
# Expect   About a hundred times slower than C: each number becomes a scalar of the interpreter.
# Try      map in place of the loop.
use strict;
use warnings;
use IO::Handle;
use JSON::PP;

my $case;
open my $in, "<&=:raw", 4 or die "inputs: $!";
open my $out, ">&=:raw", 5 or die "outputs: $!";
STDOUT->autoflush(1);
$out->autoflush(1);

sub bytes_at {
    my ($at, $bytes) = @_;
    sysseek $in, $at, 0;
    my $data = "";
    while (length $data < $bytes) { sysread($in, $data, $bytes - length $data, length $data) or die "inputs: $!" }
    return $data;
}

sub numbers { my $array = shift; return unpack "f*", bytes_at($array->{at}, 4 * $array->{shape}[0]) }

sub run {
    my ($a) = unpack "f", bytes_at($case->{scalars}{a}{at}, 4);
    my @x = numbers($case->{arrays}{x});
    my @y = numbers($case->{arrays}{y});
    $_ = unpack "f", pack "f", $a * $_ for @x;
    my $z = pack "f*", map { $x[$_] + $y[$_] } 0 .. $#x;
    sysseek $out, $case->{arrays}{z}{at}, 0;
    for (my $done = 0; $done < length $z;) { $done += syswrite $out, $z, length($z) - $done, $done }
}

while (my $line = <STDIN>) {
    my ($word, $rest) = $line =~ /^(\w+) ?(.*)/;
    if ($word eq "rungs") { print "rungs 1 Perl $^V\n"; next }
    $case = decode_json($rest) if $word eq "case";
    run() if $word eq "run";
    print "ok\n";
}
