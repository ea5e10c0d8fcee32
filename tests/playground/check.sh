#!/bin/sh
# The playground: check.sh build|bits|module|share|browser BUILD NODE HASHES CLIENTS; exits with 77 where
# what it needs is not there.
set -eu
what=$1 build=$2 node=$3 hashes=$4 clients=$5
here=$(dirname "$0")
if [ "$what" = build ]; then exec "$here/../../scripts/playground.sh" "$build"; fi
if [ ! -f "$build/site/playground.wasm" ]; then
    echo "there is no playground to look at: clang, lld and wasi-libc make one"
    exit 77
fi

# Points, cloth, curl noise, two liquids, fire, wind and bodies: the frames' bits, and the pictures'.
bits() {
    data="$here/../data/golden"
    set -- 8 "$data/springs.json5" "$data/cloth.json5" "$data/curl-noise.json5" "$data/wcsph.json5" \
        "$data/dfsph.json5" "$data/fire.json5" "$data/wind.json5" "$here/../../scenes/dominoes.json5"
    "$hashes" "$@" >"$build/native.txt"
    "$node" "$here/hashes.mjs" "$build/site" "$@" >"$build/wasm.txt"
    diff "$build/native.txt" "$build/wasm.txt"
    test "$(wc -l <"$build/wasm.txt")" = 80
}

case $what in
bits) bits ;;
browser)
    if [ ! -d "$clients/node_modules/playwright-core" ] || ! command -v chromium >/dev/null; then
        echo "chromium or playwright-core is not there: scripts/npm-clients.sh $clients"
        exit 77
    fi
    exec "$node" "$here/browser.mjs" "$build/site" "$clients"
    ;;
*) exec "$node" "$here/$what.mjs" "$build/site" ;;
esac
