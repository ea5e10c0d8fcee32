/* What deflate does with every byte: its code, and the checksum of the stream. */
#include "render/kernels/kernels.h"

#include <string.h>

/* ---- codes ---- */

static inline void add(BitWriter *to, const ByteCodes *codes, uint8_t byte)
{
    to->held |= (uint64_t)codes->bits[byte] << to->count;
    to->count += codes->length[byte];
}

/* Whole bytes go out; at most seven bits stay. */
static inline void flush(BitWriter *to)
{
    memcpy(to->at, &to->held, sizeof to->held);
    to->at += to->count / 8;
    to->held >>= to->count & ~7u;
    to->count &= 7;
}

/* Codes have at most 14 bits, so four of them fit beside seven that are left over. */
BitWriter ISA(put_literals)(BitWriter to, const ByteCodes *codes, const uint8_t *bytes, size_t size)
{
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        for (size_t k = 0; k < 4; ++k) add(&to, codes, bytes[i + k]);
        flush(&to);
    }
    for (; i < size; ++i) add(&to, codes, bytes[i]), flush(&to);
    return to;
}

/* ---- Adler-32: a = 1 + sum of bytes, b = sum of all a, modulo 65521 ---- */

enum { PIECE = 2048, PRIME = 65521 }; /* 255 (1 + 2 + ... + PIECE) < 2^32 */

uint32_t ISA(adler)(const uint8_t *bytes, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t done = 0; done < size; done += PIECE) {
        const uint8_t *piece = bytes + done;
        const uint32_t n = size - done < PIECE ? (uint32_t)(size - done) : PIECE;
        uint32_t sum = 0, weighted = 0;
        for (uint32_t i = 0; i < n; ++i) sum += piece[i], weighted += (n - i) * piece[i];
        b = (b + n * a + weighted % PRIME) % PRIME;
        a = (a + sum) % PRIME;
    }
    return b << 16 | a;
}
