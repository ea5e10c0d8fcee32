#!/bin/sh
# Writes the header that renames every exported function for the double library:
# double-names.sh include/mote/*.h > double_names.h
set -eu
echo "/* Generated from the public headers: the names of libmote-double. */"
echo "#ifndef MOTE_DOUBLE_NAMES_H"
echo "#define MOTE_DOUBLE_NAMES_H"
# An exported declaration starts with MOTE_API; the function is the first mote_word before a "(".
cat "$@" | tr '\n' ' ' | grep -o 'MOTE_API[^;{]*' | grep -v '^MOTE_API *__attribute__' |
    grep -o 'mote_[a-z0-9_]* *(' | tr -d ' (' | sort -u |
    while read -r name; do echo "#define $name moted_${name#mote_}"; done
echo "#endif"
