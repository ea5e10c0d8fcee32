#!/bin/sh
# Formats all C files, or with --check names what is not formatted and fails. The result depends on
# clang-format's version: 14, that of Debian 12, is the one that counts.
set -eu
cd "$(dirname "$0")/.."
tool=$(command -v clang-format-14 || command -v clang-format) ||
    { echo "format.sh: clang-format is missing; 'make deps-test' installs it" >&2; exit 1; }
case "${1-}" in
"") set -- -i ;;
--check) set -- --dry-run -Werror ;;
*) echo "usage: format.sh [--check]" >&2; exit 2 ;;
esac
find bench cli examples include playground plot src study tests view -name '*.[ch]' -print0 | xargs -0 "$tool" "$@"
