#!/bin/sh
# Readers of our files that are not in Debian, from npm, for make test-all: npm-clients.sh FOLDER. Without npm or
# a network the tests that want them are skipped, and counted.
set -eu
wanted="gltf-validator@2.0.0-dev.3.10 three@0.187.0 tinyusdz@0.9.0-rc10 playwright-core@1.65.1"
mkdir -p "$1"
if [ -d "$1/node_modules/tinyusdz" ] && [ -d "$1/node_modules/playwright-core" ]; then exit 0; fi
if ! command -v npm >/dev/null; then
    echo "npm is not there: tests with $wanted will be skipped" >&2
    exit 0
fi
echo "npm gets $wanted"
npm install --silent --no-audit --no-fund --fetch-retries=1 --fetch-timeout=30000 --prefix "$1" $wanted ||
    echo "npm could not get $wanted: tests with them will be skipped" >&2
