#!/bin/bash
# Benchmarks in both precisions, for every instruction set that this machine has:
# bench.sh [what [options]], by default "points".
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then set -- points; fi

# A set that the machine lacks is not named by the program when it is asked for.
has() {
    MOTE_ISA=$1 build/mote info 2>/dev/null | grep -qwF -e "$1"
}

for isa in baseline x86-64-v3 x86-64-v4; do
    if ! has "$isa"; then
        echo "==== $isa: not on this machine ===="
        continue
    fi
    for program in mote mote-double; do
        echo "==== $program bench $*, $isa ===="
        MOTE_ISA=$isa "build/$program" bench "$@"
    done
done
