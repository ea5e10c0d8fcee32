#!/bin/sh
# Benchmarks: figures as JSON; a peer stands beside them only when it ran in the same run.
. "$(dirname "$0")/check.sh"

expect 0 "" bench noise --only perlin-3d --json
holds stdout '"metric": "samples_per_s"'
! grep -q '"peer"' stdout || fail "a peer that did not run: $(cat stdout)"

# The memory's speed is measured beside them.
expect 0 "" bench points --count 4096 --threads 1 --json
holds stdout '"peer": "update-bandwidth"'

# Every way to ask which particles touch a body finds the same; all are told.
expect 0 "" bench collide --only faces --json
for way in all_planes remembered_plane neighbours eight_stops neighbours_miss; do
    test "$(grep -c "\"$way\"" stdout)" = 3 || fail "$way: $(cat stdout)"
done
expect 2 "--only: benchmark \`points\` has no cases; leave it out" bench points --only lines
expect 1 "benchmark \`splats\` has no case \`lines\`" bench splats --only lines
expect 1 "has no case \`lines\`; it has sample, denoised" bench trace --only lines
expect 1 "benchmark \`collide\` has no case \`edges\`" bench collide --only edges

# All columns of the published table, for each number of threads; hits do not depend on it.
expect 0 "" bench plate --count 12 --threads 1,2 --json
for part in boundary boundary_tracers boundary_vortons update frame render total; do
    test "$(grep -c "\"metric\": \"${part}_ms\"" stdout)" = 2 || fail "$part: $(cat stdout)"
done
awk -F'[:,]' '/"metric": "(tracer_hits|vorton_hits|tracers)"/ { seen[$4] = seen[$4] " " $6 }
    /"metric": "(total|frame|render)_ms"/ { if (!($6 > 0)) bad = 1 }
    END { for (k in seen) { split(seen[k], two, " "); if (two[1] != two[2] || two[1] <= 0) bad = 1 }
        exit bad }' stdout || fail "plate: $(cat stdout)"
expect 2 "--threads: expected whole numbers from 1 to 1024 with commas between, found \`1,x\`" \
    bench plate --threads 1,x
expect 2 "found \`0\`" bench plate --threads 0

# Two ranks have copies of each other's rows, and messages for them; one has neither.
expect 0 "" bench ranks --only wcsph --count 1000 --threads 1,2 --json
grep '"ghosts"' stdout >ghosts
[ "$(sed -n 's/.*"value": \([^,]*\),.*/\1/p' ghosts | head -n 1)" = 0 ] || fail "one rank has ghosts: $(cat ghosts)"
[ "$(sed -n 's/.*"value": \([^,]*\),.*/\1/p' ghosts | tail -n 1)" != 0 ] || fail "two have none: $(cat ghosts)"
grep -q '"efficiency".*"threads": 2' stdout || fail "bench ranks: $(cat stdout)"
# Together they have nothing to be compared with; frames are as many as asked for.
expect 0 "" bench ranks --only wcsph --count 1000 --threads 2 --workers 2 --after 2 --frames 1 --together --json
! grep -q '"efficiency"' stdout || fail "an efficiency of nothing: $(cat stdout)"
grep -q '"calls_trade", "value": [1-9]' stdout || fail "no trades: $(cat stdout)"
expect 0 "" bench ranks --only messages --threads 2 --json
[ "$(grep -c '"unit": "us"' stdout)" = 9 ] || fail "bench ranks --only messages: $(cat stdout)"

expect 1 "benchmark \`noise\` has no case \`perlin-9d\`" bench noise --only perlin-9d
expect 1 "benchmark \`dam125k\` has no case \`water\`" bench dam125k --only water
finish
