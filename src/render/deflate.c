/* Deflate (RFC 1951) for pictures whose rows are filtered: what is left is noise, which repeats
 * nowhere, or long runs of one byte. So the only matches are runs, at distance 1, and everything
 * else is Huffman codes made for the band: a few instructions a byte. */
#include "render/deflate.h"

#include "render/huffman.h"

#include <string.h>

enum {
    LITERALS = 286,   /* symbols of bytes, end and lengths */
    END = 256,        /* of a block */
    LONGEST = 258,    /* bytes of a match */
    CODE_LIMIT = 12,  /* bits: four codes fit a word beside seven bits that are left over */
    STORED = 65535,   /* bytes of a stored block */
    HEADER_MOST = 400 /* bytes of a block's codes, and some more */
};

/* Literals, then a run of the last of them (length 0: none). */
typedef struct Piece {
    uint32_t literals, run;
} Piece;

size_t deflate_scratch(size_t size)
{
    return (size / 8 + 2) * sizeof(Piece);
}

size_t deflate_most(size_t size)
{
    return size + 5 * (size / STORED + 2) + HEADER_MOST + 16;
}

/* ---- runs ---- */

static uint64_t load_word(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The end of the run of bytes equal to the one before `at`. */
static size_t run_end(const uint8_t *bytes, size_t at, size_t size)
{
    for (; at + 8 <= size; at += 8) {
        uint64_t differ = load_word(bytes + at) ^ load_word(bytes + at - 1);
        if (differ != 0) return at + (size_t)__builtin_ctzll(differ) / 8;
    }
    while (at < size && bytes[at] == bytes[at - 1]) ++at;
    return at;
}

/* Runs of eight bytes and more. Returns the number of pieces. */
static size_t find_pieces(const uint8_t *bytes, size_t size, Piece *pieces)
{
    size_t count = 0, start = 0, at = 1;
    while (at + 8 <= size) {
        uint64_t differ = load_word(bytes + at) ^ load_word(bytes + at - 1);
        if (differ != 0) {
            at += 8 - (size_t)__builtin_clzll(differ) / 8;
            continue;
        }
        size_t end = run_end(bytes, at + 8, size);
        pieces[count++] = (Piece){(uint32_t)(at - start), (uint32_t)(end - at)};
        start = end;
        at = end + 1;
    }
    pieces[count++] = (Piece){(uint32_t)(size - start), 0};
    return count;
}

/* The first match of a run of `run` > 2 bytes: no rest of one or two bytes is left. */
static uint32_t match_of(uint32_t run)
{
    if (run <= LONGEST) return run;
    return run - LONGEST < 3 ? run - 3 : LONGEST;
}

typedef struct Length {
    uint32_t symbol, extra, bits; /* extra bits, and how many */
} Length;

static Length length_of(uint32_t match)
{
    uint32_t m = match - 3, bits = 0;
    if (match == LONGEST) return (Length){285, 0, 0};
    if (m >= 8) bits = 29 - (uint32_t)__builtin_clz(m); /* two bits below the highest are coded */
    return (Length){257 + 4 * bits + (m >> bits), m & ((1u << bits) - 1), bits};
}

/* ---- frequencies ---- */

static void count_literals(const uint8_t *bytes, size_t size, uint32_t counts[4][256])
{
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        uint64_t word = load_word(bytes + i); /* unrolled: half of the time */
        ++counts[0][word & 255], ++counts[1][word >> 8 & 255];
        ++counts[2][word >> 16 & 255], ++counts[3][word >> 24 & 255];
        ++counts[0][word >> 32 & 255], ++counts[1][word >> 40 & 255];
        ++counts[2][word >> 48 & 255], ++counts[3][word >> 56];
    }
    for (; i < size; ++i) ++counts[0][bytes[i]];
}

static void count_symbols(const uint8_t *bytes, const Piece *pieces, size_t count,
                          uint32_t frequency[LITERALS])
{
    uint32_t counts[4][256]; /* four, so that equal neighbours do not wait for each other */
    memset(counts, 0, sizeof counts);
    memset(frequency, 0, LITERALS * sizeof *frequency);
    for (size_t i = 0; i < count; ++i) {
        count_literals(bytes, pieces[i].literals, counts);
        bytes += pieces[i].literals + pieces[i].run;
        for (uint32_t left = pieces[i].run; left > 0; left -= match_of(left))
            ++frequency[length_of(match_of(left)).symbol];
    }
    for (int b = 0; b < 256; ++b)
        frequency[b] = counts[0][b] + counts[1][b] + counts[2][b] + counts[3][b];
    frequency[END] = 1;
}

/* ---- bits ---- */

typedef struct Bits {
    uint8_t *at;
    uint64_t held;
    uint32_t count;
} Bits;

static inline void bits_add(Bits *b, uint64_t bits, uint32_t count)
{
    b->held |= bits << b->count;
    b->count += count;
}

/* Whole bytes go out; at most seven bits stay. */
static inline void bits_flush(Bits *b)
{
    memcpy(b->at, &b->held, sizeof b->held);
    b->at += b->count / 8;
    b->held >>= b->count & ~7u;
    b->count &= 7;
}

static inline void bits_put(Bits *b, uint64_t bits, uint32_t count)
{
    bits_add(b, bits, count);
    bits_flush(b);
}

/* ---- codes of a block ---- */

/* A symbol of the code of code lengths, with its extra bits (RFC 1951, 3.2.7). */
typedef struct Step {
    uint8_t symbol, extra, bits;
} Step;

/* Lengths as steps: 16 repeats the last one 3 to 6 times, 17 and 18 are runs of zeros. */
static int find_steps(const uint8_t *lengths, int count, Step *steps)
{
    int n = 0;
    for (int i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && lengths[i + run] == lengths[i];) ++run;
        bool zero = lengths[i] == 0;
        if (!zero) steps[n++] = (Step){lengths[i], 0, 0};
        for (int left = zero ? run : run - 1, take; left > 0; left -= take) {
            take = left < (zero ? 138 : 6) ? left : (zero ? 138 : 6);
            if (take < 3)
                steps[n++] = (Step){lengths[i], 0, 0}, take = 1;
            else if (!zero)
                steps[n++] = (Step){16, (uint8_t)(take - 3), 2};
            else if (take < 11)
                steps[n++] = (Step){17, (uint8_t)(take - 3), 3};
            else
                steps[n++] = (Step){18, (uint8_t)(take - 11), 7};
        }
    }
    return n;
}

static void put_steps(Bits *b, const Step *steps, int count)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint32_t frequency[19] = {0};
    HuffmanCode codes[19];
    int last = 18;
    for (int i = 0; i < count; ++i) ++frequency[steps[i].symbol];
    huffman_make(frequency, 19, 7, codes);
    while (last > 3 && codes[order[last]].length == 0) --last;
    bits_put(b, (uint64_t)(last - 3), 4);
    for (int i = 0; i <= last; ++i) bits_put(b, codes[order[i]].length, 3);
    for (int i = 0; i < count; ++i) {
        bits_add(b, codes[steps[i].symbol].bits, codes[steps[i].symbol].length);
        bits_put(b, steps[i].extra, steps[i].bits);
    }
}

/* One code of distances: a single bit for distance 1. */
static void put_header(Bits *b, const HuffmanCode codes[LITERALS], bool last)
{
    uint8_t lengths[LITERALS + 1];
    Step steps[LITERALS + 1];
    for (int i = 0; i < LITERALS; ++i) lengths[i] = (uint8_t)codes[i].length;
    lengths[LITERALS] = 1;
    bits_put(b, last ? 1 : 0, 1);
    bits_put(b, 2, 2);
    bits_put(b, LITERALS - 257, 5);
    bits_put(b, 0, 5);
    put_steps(b, steps, find_steps(lengths, LITERALS + 1, steps));
}

/* ---- contents ---- */

static inline void bits_literal(Bits *b, const HuffmanCode codes[LITERALS], uint8_t byte)
{
    uint32_t code;
    memcpy(&code, &codes[byte], sizeof code); /* one load for both halves */
    bits_add(b, code & 0xffff, code >> 16);
}

static void put_literals(Bits *bits, const HuffmanCode codes[LITERALS], const uint8_t *bytes,
                         size_t size)
{
    Bits b = *bits; /* in registers */
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        bits_literal(&b, codes, bytes[i]);
        bits_literal(&b, codes, bytes[i + 1]);
        bits_literal(&b, codes, bytes[i + 2]);
        bits_literal(&b, codes, bytes[i + 3]);
        bits_flush(&b);
    }
    for (; i < size; ++i) bits_put(&b, codes[bytes[i]].bits, codes[bytes[i]].length);
    *bits = b;
}

static void put_run(Bits *b, const HuffmanCode codes[LITERALS], uint32_t run)
{
    for (uint32_t match; run > 0; run -= match) {
        match = match_of(run);
        const Length length = length_of(match);
        bits_add(b, codes[length.symbol].bits, codes[length.symbol].length);
        bits_add(b, length.extra, length.bits);
        bits_put(b, 0, 1); /* distance 1 */
    }
}

static uint64_t bits_of(const uint32_t frequency[LITERALS], const HuffmanCode codes[LITERALS])
{
    uint64_t sum = 8 * HEADER_MOST;
    for (int i = 0; i < LITERALS; ++i) {
        uint64_t extra = i < 265 || i == 285 ? 0 : (uint64_t)(i - 261) / 4;
        sum += frequency[i] * (codes[i].length + extra + (i > END));
    }
    return sum;
}

static void put_stored(Bits *b, const uint8_t *bytes, size_t size, bool last)
{
    do {
        size_t n = size < STORED ? size : STORED;
        bits_put(b, last && n == size ? 1 : 0, 3);
        b->count = (b->count + 7) & ~7u; /* to the next byte */
        bits_flush(b);
        bits_put(b, n | (n ^ STORED) << 16, 32);
        if (n == 0) return; /* there may be no bytes to point at */
        memcpy(b->at, bytes, n);
        b->at += n, bytes += n, size -= n;
    } while (size > 0);
}

static void put_pieces(Bits *b, const HuffmanCode codes[LITERALS], const uint8_t *bytes,
                       const Piece *pieces, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        put_literals(b, codes, bytes, pieces[i].literals);
        put_run(b, codes, pieces[i].run);
        bytes += pieces[i].literals + pieces[i].run;
    }
    bits_put(b, codes[END].bits, codes[END].length);
}

size_t deflate_band(const uint8_t *bytes, size_t size, bool last, void *scratch, uint8_t *out)
{
    Piece *pieces = scratch;
    uint32_t frequency[LITERALS];
    HuffmanCode codes[LITERALS];
    Bits b = {.at = out};
    const size_t count = find_pieces(bytes, size, pieces);
    count_symbols(bytes, pieces, count, frequency);
    huffman_make(frequency, LITERALS, CODE_LIMIT, codes);
    if (bits_of(frequency, codes) / 8 >= size) {
        put_stored(&b, bytes, size, last);
        return (size_t)(b.at - out);
    }
    put_header(&b, codes, last);
    put_pieces(&b, codes, bytes, pieces, count);
    if (last)
        b.count = (b.count + 7) & ~7u, bits_flush(&b);
    else
        put_stored(&b, NULL, 0, false); /* an empty block ends at a byte */
    return (size_t)(b.at - out);
}
