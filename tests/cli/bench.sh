#!/bin/sh
# Benchmarks: figures as JSON; a peer stands beside them only when it ran in the same run.
. "$(dirname "$0")/check.sh"

expect 0 "" bench noise --only perlin-3d --json
holds stdout '"metric": "samples_per_s"'
! grep -q '"peer"' stdout || fail "a peer that did not run: $(cat stdout)"

# The memory's speed is measured beside them.
expect 0 "" bench points --count 4096 --threads 1 --json
holds stdout '"peer": "update-bandwidth"'

expect 1 "benchmark \`noise\` has no case \`perlin-9d\`" bench noise --only perlin-9d
expect 1 "benchmark \`dam125k\` has no case \`water\`" bench dam125k --only water
finish
