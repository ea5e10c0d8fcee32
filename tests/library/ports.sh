#!/bin/sh
# ports.sh SOURCE CC: what differs between C libraries compiles with both forms. strerror_r is
# GNU's with _GNU_SOURCE, and POSIX's (musl, macOS) without. And who only builds mote is not stopped
# by warnings of a compiler that we do not know.
set -eu
source=$1 cc=$2
for defined in _GNU_SOURCE _POSIX_C_SOURCE=200809L; do
    "$cc" -std=c17 -Wall -Wextra -Wconversion -Werror "-D$defined" -D_XOPEN_SOURCE=700 -I"$source/include" \
        -I"$source/src" -fsyntax-only "$source/src/base/system_posix.c" "$source/src/base/system_bsd.c" "$source/src/io/file.c"
    echo "base/system_posix.c, base/system_bsd.c and io/file.c compile with $defined"
done
# What only some systems have is called in the files of the systems alone: see src/base/system.h.
calls='realpath|fork|lstat|readlink|pread|pwrite|fsync|flock|openat|fstatat|renameat|unlinkat|mkdir|truncate|ftruncate'
calls="$calls|strerror_r|newlocale|uselocale|mmap|madvise|dlopen|dlsym|socketpair|posix_[a-z_]*|aligned_alloc|sysconf|getrlimit"
heads='dlfcn|spawn|termios|poll|netdb|pwd|ftw|glob|sys/(mman|resource|socket|statvfs|wait|file|ioctl|select|utsname)'
if grep -rnE "(^|[^a-zA-Z0-9_>.\"])($calls)\(|#include <($heads)\.h>" "$source/src" --include='*.[ch]' |
    grep -v '/base/system_[a-z]*\.c:' | grep -vE ':[0-9]+: \*|//'; then
    echo "other systems lack this: it belongs behind src/base/system.h"
    exit 1
fi
if ! grep -q 'option(MOTE_WERROR .* OFF)' "$source/CMakeLists.txt"; then
    echo "warnings are errors for everybody"
    exit 1
fi
grep -q 'MOTE_WERROR=ON' "$source/scripts/test.sh"
