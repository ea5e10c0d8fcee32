#!/bin/bash
# The pictures of docs/manual/wind.md, from scenes/stripes.json5: wind-pictures.sh
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# name and settings
while read -r name settings; do
    # shellcheck disable=SC2086
    build/mote run scenes/stripes.json5 -o "$work/$name" --frames 75 --no-pictures --quiet $settings
    build/mote render "$work/$name" --frames 75 --quiet --force \
        --set render.width=640 --set render.height=360
    cp "$work/$name/images/frame_000075.png" "docs/manual/wind/$name.png"
    echo "docs/manual/wind/$name.png"
done <<END
kolmogorov --set fields.eddies.spectrum=kolmogorov
von-karman --set fields.eddies.spectrum=von-karman
steep --set slope=-3
flat --set slope=0
END
