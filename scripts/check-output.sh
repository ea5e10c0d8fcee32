#!/bin/sh
# Runs a program, which must succeed and print exactly one line that matches an extended regular
# expression: check-output.sh REGEX PROGRAM [ARGUMENT ...]
set -eu
regex=$1
shift
output=$("$@")
printf '%s\n' "$output"
[ "$(printf '%s\n' "$output" | wc -l)" -eq 1 ] && printf '%s\n' "$output" | grep -Eqx -e "$regex" ||
    { echo "check-output.sh: expected one line like: $regex" >&2; exit 1; }
