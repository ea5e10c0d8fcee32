/* PNG's filters (W3C Portable Network Graphics, 9.2): each byte less a guess from its neighbours.
 * The filter with the least sum of magnitudes is taken. */
#include "render/kernels/kernels.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { SUB = 1, UP = 2, AVERAGE = 3, FILTERS = 4 };

static inline uint8_t mean(uint8_t a, uint8_t b)
{
    return (uint8_t)((a + b) / 2);
}

static inline uint32_t size_of(uint8_t rest)
{
    return rest < 128 ? rest : 256u - rest;
}

static void add_sizes(const uint8_t *row, const uint8_t *left, const uint8_t *above, size_t n,
                      uint64_t sums[FILTERS])
{
    for (size_t i = 0; i < n; ++i) {
        sums[SUB] += size_of((uint8_t)(row[i] - left[i]));
        sums[UP] += size_of((uint8_t)(row[i] - above[i]));
        sums[AVERAGE] += size_of((uint8_t)(row[i] - mean(left[i], above[i])));
    }
}

#if defined(__SSE2__)
/* Sixteen at a time; returns how many bytes are done. The magnitude of a signed byte is the lesser
 * of it and its negative, and _mm_avg_epu8 rounds up where the filter rounds down. */
static size_t add_sizes_by_16(const uint8_t *row, const uint8_t *left, const uint8_t *above,
                              size_t n, uint64_t sums[FILTERS])
{
    const __m128i zero = _mm_setzero_si128(), one = _mm_set1_epi8(1);
    __m128i sum[FILTERS] = {zero, zero, zero, zero};
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(row + i));
        __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(left + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(above + i));
        __m128i odd = _mm_and_si128(_mm_xor_si128(a, b), one);
        const __m128i guess[FILTERS] = {zero, a, b, _mm_sub_epi8(_mm_avg_epu8(a, b), odd)};
        for (int f = SUB; f < FILTERS; ++f) {
            __m128i rest = _mm_sub_epi8(x, guess[f]);
            __m128i size = _mm_min_epu8(rest, _mm_sub_epi8(zero, rest));
            sum[f] = _mm_add_epi64(sum[f], _mm_sad_epu8(size, zero));
        }
    }
    for (int f = SUB; f < FILTERS; ++f) {
        uint64_t halves[2];
        _mm_storeu_si128((__m128i *)(void *)halves, sum[f]);
        sums[f] += halves[0] + halves[1];
    }
    return i;
}
#else
static size_t add_sizes_by_16(const uint8_t *row, const uint8_t *left, const uint8_t *above,
                              size_t n, uint64_t sums[FILTERS])
{
    (void)row, (void)left, (void)above, (void)n, (void)sums;
    return 0;
}
#endif

static int best_filter(const uint8_t *row, const uint8_t *left, const uint8_t *above, size_t n)
{
    uint64_t sums[FILTERS] = {0};
    const size_t done = add_sizes_by_16(row, left, above, n, sums);
    add_sizes(row + done, left + done, above + done, n - done, sums);
    if (sums[SUB] <= sums[UP] && sums[SUB] <= sums[AVERAGE]) return SUB;
    return sums[UP] <= sums[AVERAGE] ? UP : AVERAGE;
}

void ISA(filter_row)(const uint8_t *row, const uint8_t *above, size_t n, size_t step, uint8_t *out)
{
    const uint8_t *left = row - step;
    const int filter = above == NULL ? SUB : best_filter(row, left, above, n);
    uint8_t *rest = out + 1;
    out[0] = (uint8_t)filter;
    if (filter == SUB)
        FOR_ROWS (i, n) rest[i] = (uint8_t)(row[i] - left[i]);
    else if (filter == UP)
        FOR_ROWS (i, n) rest[i] = (uint8_t)(row[i] - above[i]);
    else
        FOR_ROWS (i, n) rest[i] = (uint8_t)(row[i] - mean(left[i], above[i]));
}

/* ---- what deflate does with every byte: its code ---- */

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

/* ---- and the checksum of the stream, Adler-32: a = 1 + sum of bytes, b = sum of all a, modulo
 * 65521 ---- */

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
