#!/bin/sh
# Volumes as others read them: volumes.sh vtk|vdb PROGRAM. Status 77 without that client.
set -eu
client=$1
program=$2
here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3
[ -x "$python" ] || python=python3
"$python" -c 'import numpy' 2>/dev/null || { echo "skipped: no python3 with numpy"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" run "$here/volumes.json5" -o "$work/run" -q --no-pictures
case $client in vtk) format=vti ;; *) format=vdb ;; esac
"$program" export "$work/run" --to "$format" --frames 6 --cell 0.05 -o "$work/files" -q
# ParaView's Python has VTK, and Debian's package of VTK cannot stand beside it.
if [ "$client" = vtk ] && ! "$python" -c 'import vtkmodules' 2>/dev/null && command -v pvpython >/dev/null; then
    python=pvpython
fi
"$python" "$here/check_volumes.py" "$client" "$work/run" "$work/files"
