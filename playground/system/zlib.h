/* Of zlib what pictures need: check sums. A page reads no files, so nothing is unpacked. */
#ifndef PLAYGROUND_ZLIB_H
#define PLAYGROUND_ZLIB_H

#include <stddef.h>

typedef unsigned int uInt;
typedef unsigned long uLong;
typedef unsigned long uLongf;
typedef long z_off_t;

enum { Z_OK = 0, Z_DATA_ERROR = -3 };

uLong crc32(uLong crc, const unsigned char *bytes, uInt size);
uLong crc32_z(uLong crc, const unsigned char *bytes, size_t size);
int uncompress(unsigned char *to, uLongf *room, const unsigned char *from, uLong size); /* never */
uLong adler32_combine(uLong first, uLong second, z_off_t second_size);

#endif
