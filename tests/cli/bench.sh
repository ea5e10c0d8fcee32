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
expect 1 "benchmark \`collide\` has no case \`edges\`" bench collide --only edges

expect 1 "benchmark \`noise\` has no case \`perlin-9d\`" bench noise --only perlin-9d
expect 1 "benchmark \`dam125k\` has no case \`water\`" bench dam125k --only water
finish
