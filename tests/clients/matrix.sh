#!/bin/sh
# Every part of a run, with places, velocities and colours, as other programs read it: matrix.sh numpy|paraview|meshlab
# PROGRAM. Status 77 without that client.
set -eu
client=$1
program=$2
here=$(cd "$(dirname "$0")" && pwd)
# needs PROGRAM PACKAGES
needs() {
    command -v "$1" >/dev/null || { echo "skipped: $1 is not there (Debian: $2)"; exit 77; }
}
python=/usr/bin/python3
[ -x "$python" ] || python=python3
case $client in
numpy) "$python" -c 'import numpy' 2>/dev/null || { echo "skipped: no python3 with numpy"; exit 77; } ;;
paraview) needs pvpython "paraview python3-paraview" ;;
meshlab) needs meshlabserver meshlab && needs xvfb-run "xvfb xauth libgl1-mesa-dri" ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" run "$here/all.json5" -o "$work/run" -q --no-pictures
if [ "$client" = paraview ]; then
    for format in vtp obj h5part; do "$program" export "$work/run" --to "$format" -q; done
    pvpython "$here/check_paraview.py" "$work/run"
    exit
fi
if [ "$client" = numpy ]; then
    for format in ply pcache csv npz; do "$program" export "$work/run" --to "$format" -q --frames 6; done
    "$python" "$here/check_numpy.py" "$work/run"
    exit
fi
"$program" export "$work/run" --to ply -q --frames 6
for part in water cloth water_surface crate ground; do
    xvfb-run -a meshlabserver -i "$work/run/export/${part}_000006.ply" -o "$work/$part.ply" -m vc >"$work/log" 2>&1 ||
        { tail -n 5 "$work/log"; exit 1; }
done
"$python" "$here/check_meshlab.py" "$work/run" "$work"
