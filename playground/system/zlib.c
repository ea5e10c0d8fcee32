/* Check sums of PNG files: CRC-32 (ISO 3309) and the sum of two Adler-32 (RFC 1950). */
#include <zlib.h>

#include <stdint.h>

enum { ADLER = 65521 }; /* the largest prime below 2^16 */

uLong crc32_z(uLong crc, const unsigned char *bytes, size_t size)
{
    static uint32_t table[256];
    for (uint32_t i = 0; table[255] == 0 && i < 256; ++i) {
        uint32_t rest = i;
        for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1 ? 0xedb88320u : 0);
        table[i] = rest;
    }
    uint32_t sum = ~(uint32_t)crc;
    for (size_t i = 0; i < size; ++i) sum = sum >> 8 ^ table[(sum ^ bytes[i]) & 0xff];
    return ~sum;
}

uLong crc32(uLong crc, const unsigned char *bytes, uInt size)
{
    return crc32_z(crc, bytes, size);
}

/* An Adler sum is a = 1 + the sum of all bytes and b = the sum of a after every byte. After the
 * first bytes a was a1, not 1: each of the n second bytes adds a1 - 1 to b. */
uLong adler32_combine(uLong first, uLong second, z_off_t second_size)
{
    const uint64_t a1 = first & 0xffff, b1 = first >> 16 & 0xffff;
    const uint64_t a2 = second & 0xffff, b2 = second >> 16 & 0xffff;
    const uint64_t a = (a1 + a2 + ADLER - 1) % ADLER;
    const uint64_t n = (uint64_t)second_size % ADLER;
    const uint64_t b = (b1 + b2 + n * ((a1 + ADLER - 1) % ADLER)) % ADLER;
    return (uLong)(b << 16 | a);
}

int uncompress(unsigned char *to, uLongf *room, const unsigned char *from, uLong size)
{
    (void)to, (void)room, (void)from, (void)size;
    return Z_DATA_ERROR;
}
