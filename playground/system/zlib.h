/* Of zlib what pictures need: check sums. A page reads no files, so nothing is unpacked. */
#ifndef PLAYGROUND_ZLIB_H
#define PLAYGROUND_ZLIB_H

#include <stddef.h>

typedef unsigned int uInt;
typedef unsigned long uLong;
typedef long z_off_t;

uLong crc32(uLong crc, const unsigned char *bytes, uInt size);
uLong crc32_z(uLong crc, const unsigned char *bytes, size_t size);
uLong adler32_combine(uLong first, uLong second, z_off_t second_size);

#endif
