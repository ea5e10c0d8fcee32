#!/bin/sh
# The studies print tables and write numbers and plots.
set -eu
mote=$MOTE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$*" >&2
    exit 1
}

"$mote" study | grep -q convergence || fail "the list lacks convergence"
"$mote" study convergence --quick -o out > table
grep -q '^rk4 *4.00 ' table || fail "the table lacks rk4 with four evaluations"
grep -q '^Verlet  *1  3  1  ' table || fail "the textbook's table is missing"
precision=$(ls out | sed -n 's/^integrators-\(.*\)\.csv$/\1/p')
[ -n "$precision" ] || fail "no integrators-*.csv"
rows=$(($(wc -l < "out/integrators-$precision.csv") - 1))
names=$("$mote" list integrators | grep -c '^ *[a-z]' || true)
[ "$rows" -ge 20 ] && [ "$rows" -le "$names" ] || fail "$rows rows, but $names integrators"
[ "$(awk -F, 'NF != 14' "out/integrators-$precision.csv" | wc -l)" = 0 ] || fail "ragged CSV"
# columns 7 and 8: orders on the Kepler orbit
awk -F, '$1 == "rk4" { found = 1; bad = $7 < 3.5 || $7 > 4.6 } END { exit bad || !found }' \
    "out/integrators-$precision.csv" || fail "rk4 has not order 4"
awk -F, '$1 == "verlet-backward" { found = 1; bad = $7 < 1.8 || $7 > 2.2 || $8 < 0.8 || $8 > 1.2 }
    END { exit bad || !found }' "out/integrators-$precision.csv" || fail "verlet-backward: not 2 / 1"
# steps that end with every frame are as many as the frames; dense ones know nothing of them
awk -F, 'NR > 1 { bad = bad || $4 > 150 } $1 == 1000 { found = 1; bad = bad || $2 < 5000 || $5 > 1e-3 }
    END { exit bad || !found }' "out/dense-$precision.csv" || fail "dense output: $(cat table)"
for name in convergence energy; do [ -s "out/$name-$precision.csv" ] || fail "$name is missing"; done
if "$mote" info | grep -qi 'cairo.*yes'; then
    for name in error-over-step work-precision energy; do
        [ -s "out/$name-$precision.png" ] && [ -s "out/$name-$precision.svg" ] || fail "$name: no plot"
    done
fi
# water against a wall: later pressures fall with height, from that of 0.2 to 0.27 m of water at the lowest gauge
"$mote" study wall --quick --case flat-0.02/dfsph -o wall > table 2>&1 || fail "wall: $(cat table)"
awk -F, 'NR == 2 { found = 1; bad = $11 < 1960 || $11 > 2650 || !($11 > $12 && $12 > $13 && $13 > $14 && $4 > $6) }
    END { exit bad || !found }' "wall/wall-$precision.csv" || fail "wall: $(cat table)"
"$mote" study collision -o hits > table
# implicit Euler on a ground of 1e4 N/m: 23.6 mm deep, back to 0.132 m; of 1e6 N/m: it is not thrown
awk -F, '$2 == 10000 && $1 == "penalty" && $3 == "implicit-euler" {
        found = 1; bad = $4 < -0.0239 || $4 > -0.0233 || $5 < 0.130 || $5 > 0.134 }
    $2 == 1e6 && $1 == "penalty" && $3 == "implicit-euler" { bad = bad || $5 > 0.001 }
    $1 == "inverse" && $3 == "implicit-euler" { bad = bad || $4 <= 0 }
    END { exit bad || !found }' "hits/repulsion-$precision.csv" || fail "repulsion: $(cat table)"
# leapfrog is on the parabola: it hits what is in its way; symplectic Euler is h v / 2 below it
awk -F, '$1 == "leapfrog" && ($3 > 0) != ($4 == "miss") { bad = 1 }
    $1 == "symplectic-euler" && $2 == 0.02 && $4 != "hit" { bad = 1 }
    END { exit bad || NR != 33 }' "hits/hit-or-miss-$precision.csv" || fail "hit or miss: $(cat table)"
if command -v python3 > /dev/null; then
# --json: every line of every table is an object, and nothing else is printed
"$mote" study convergence --quick --json > lines
python3 - lines "out/integrators-$precision.csv" << 'END' || fail "--json: $(head -n 3 lines)"
import csv, json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
table = [line for line in lines if line["table"] == "integrators"]
rows = list(csv.DictReader(open(sys.argv[2])))
assert {line["table"] for line in lines} == {"integrators", "convergence", "energy", "dense"}
assert [line["integrator"] for line in table] == [row["integrator"] for row in rows]
for line, row in zip(table, rows):
    value = line["order_position_kepler"]
    assert value is None or value == float(row["order_position_kepler"]), line
assert any(line["stable_to_in_theory"] is None for line in table)  # no limit is no number
END
"$mote" study flows --case momentum/wcsph --quick --json > lines 2> /dev/null
python3 - lines << 'END' || fail "--json: $(cat lines)"
import json, sys
found = [json.loads(line) for line in open(sys.argv[1])]
assert [line["quantity"] for line in found] == ["linear (m/s), of 2 m/s", "angular, of the sum of |x v|"]
assert all(line["off"] <= line["tolerance"] for line in found)
END
# eddies on a mesh of vortons: energy, squared vorticity and what viscosity takes of a spectral method
"$mote" study vortex --case eddies --quick --json > lines 2> /dev/null
python3 - lines << 'END' || fail "eddies: $(cat lines)"
import json, sys
off = [json.loads(line)["off"] for line in open(sys.argv[1])]
assert off[0] == 0 and off[1] < 0.004 and off[2] < 0.025 and off[3] < 0.015, off
END
fi
# every way finds the same neighbours, even and uneven; about 30 each
"$mote" study neighbours --quick -o near > table
grep -q '^All ways found the same neighbours' table || fail "$(cat table)"
awk -F, 'NR > 1 { key = $1 "," $2; sums = $7 "," $8; ++rows; ways[$3] = 1
        if (key in found && found[key] != sums) bad = 1
        found[key] = sums
        if ($7 < 20 * $2 || $7 > 36 * $2) bad = 1 }
    END { for (way in ways) ++count; exit bad || rows != 20 || count != 5 }' \
    "near/neighbours-$precision.csv" || fail "neighbours: $(cat table)"
for text in most=3 lost=3; do
    if "$mote" study neighbours --set $text 2> message; then fail "$text was taken"; fi
    grep -q -- "--set $text: " message || fail "$(cat message)"
done
if "$mote" study hydrostatic --set systems.0.look.color=wrong > /dev/null 2> message; then fail "no color"; fi
grep -q '^--set:1:22: error: ' message && grep -q '^ *^~~~~$' message || fail "$(cat message)"
[ "$(grep -c '^mote: ' message)" = 1 ] || fail "said twice: $(cat message)"
if "$mote" study convergense 2> message; then fail "an unknown study was taken"; fi
grep -q 'did you mean `convergence`' message || fail "$(cat message)"
for words in "convergence --case ring" "hydrostatic --case nothing" "vortex --case ring/nothing"; do
    # shellcheck disable=SC2086 # words are to be split
    if "$mote" study $words > /dev/null 2> message; then fail "$words: was taken"; fi
    grep -q '^mote: --case: ' message || fail "$words: $(cat message)"
done
echo file > taken
if "$mote" study convergence --quick -o taken > /dev/null 2> message; then fail "a file as folder"; fi
grep -q "taken: could not make the folder: Not a directory" message || fail "$(cat message)"
echo "study: tables, numbers and plots"
