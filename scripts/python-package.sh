#!/bin/sh
# Makes the Python package of a build, without the library in it:
# python-package.sh BUILD-FOLDER PYTHON writes BUILD-FOLDER/python/mote.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$1
python=$2
package=$build/python/mote
export PYTHONDONTWRITEBYTECODE=1
rm -rf "$package"
mkdir -p "$package/scenes"
cp "$source"/python/mote/*.py "$source"/python/mote/py.typed "$package"
cp "$source"/scenes/*.json5 "$package/scenes"
"$python" "$source/scripts/python-api.py" "$source/include" "$package/_headers.py"
MOTE_LIBRARY=$build "$python" "$source/scripts/python-rows.py" "$package"
touch "$build/python/made"
