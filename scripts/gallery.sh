#!/bin/bash
# The pictures of docs/gallery, each one frame of a scene: gallery.sh [SCENE...]
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# scene and frame
while read -r scene frame; do
    [[ $# -eq 0 || " $* " == *" $scene "* ]] || continue
    build/mote run "scenes/$scene.json5" -o "$work/$scene" --frames "$frame" --no-pictures --quiet
    build/mote render "$work/$scene" --frames "$frame" --size 800x450 --quiet --force
    cp "$work/$scene/images/frame_$(printf %06d "$frame").png" "docs/gallery/$scene.png"
    rm -rf "${work:?}/$scene"
    echo "docs/gallery/$scene.png"
done <<END
smoke 160
campfire 90
snow 110
firework 50
pour 110
aquarium 3
eddies 60
galaxy 150
galaxy-collision 138
demo 75
first 75
sparks 100
periodic 110
vortex 150
bounce 175
stairs 150
hail 100
snowfall 200
pegboard 160
incline 60
slope 58
dice 60
drape 70
flag 200
jelly 32
around-sphere 140
noises 150
leaves 120
dust 120
smoke-in-wind 190
dam-break-box 36
splash 36
two-drops 16
plate 280
bonfire 120
candle 110
hot-ball 170
smoke-solids 120
vortex-rings 105
plate-wake 95
plate-spin 90
airfoil 80
spinning-sphere 75
stack 42
dominoes 75
polyhedra 30
stars 120
falling-plate 14
carried 30
floating 120
plunge 22
cells 100
octree 100
waterfall 100
END
