/* The records of a zip archive, as far as we write and read them (APPNOTE.TXT 4.3, 4.5). */
#ifndef IO_ZIP_H
#define IO_ZIP_H

#include <stdint.h>

#define ZIP_LOCAL     0x04034b50u
#define ZIP_CENTRAL   0x02014b50u
#define ZIP_END       0x06054b50u
#define ZIP_END64     0x06064b50u
#define ZIP_LOCATOR64 0x07064b50u
#define ZIP_ELSEWHERE 0xffffffffu /* the value is in the zip64 field */

enum {
    ZIP_LOCAL_SIZE = 30,
    ZIP_CENTRAL_SIZE = 46,
    ZIP_END_SIZE = 22,
    ZIP_END64_SIZE = 56,
    ZIP_LOCATOR64_SIZE = 20,
    ZIP_FIELD64 = 0x0001,       /* extra field: 64-bit sizes and offset */
    ZIP_FIELD_PADDING = 0xd935, /* extra field: alignment, then zeros */
    ZIP_FLAG_ENCRYPTED = 1 << 0,
    ZIP_FLAG_SIZES_AFTER = 1 << 3, /* the local header's sizes are zero */
    ZIP_FLAG_UTF8 = 1 << 11,
    ZIP_STORED = 0,
    ZIP_DEFLATED = 8,
    ZIP_MOST_NAME = 0xffff
};

static inline unsigned char *zip_put(unsigned char *at, uint64_t value, int size)
{
    for (int i = 0; i < size; ++i) at[i] = (unsigned char)(value >> (8 * i));
    return at + size;
}

static inline uint64_t zip_get(const unsigned char *at, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; ++i) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

#endif
