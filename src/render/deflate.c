/* Deflate (RFC 1951) for pictures whose rows are filtered: what is left is noise, which repeats
 * nowhere, or runs of one byte or of one pixel. So the only matches are runs, at one distance, and
 * everything else is Huffman codes made for the band: a few instructions a byte. */
#include "render/deflate.h"

#include "render/splat.h"

#include <string.h>

enum {
    LITERALS = 286,   /* symbols of bytes, end and lengths */
    END = 256,        /* of a block */
    LONGEST = 258,    /* bytes of a match */
    DISTANCES = 6,    /* symbols of distances up to 8 */
    CODE_LIMIT = 12,  /* bits: see put_literals */
    STORED = 65535,   /* bytes of a stored block */
    HEADER_MOST = 400 /* bytes of a block's codes, and some more */
};

/* Literals, then a run that repeats the last ones (length 0: none). */
typedef struct DeflatePiece {
    uint32_t literals, run;
} DeflatePiece;

size_t deflate_scratch(size_t size)
{
    return (size / 8 + 2) * sizeof(DeflatePiece);
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

/* The end of the run of bytes equal to those a distance before. */
static size_t run_end(const uint8_t *bytes, size_t at, size_t size, size_t distance)
{
    for (; at + 8 <= size; at += 8) {
        uint64_t differ = load_word(bytes + at) ^ load_word(bytes + at - distance);
        if (differ != 0) return at + (size_t)__builtin_ctzll(differ) / 8;
    }
    while (at < size && bytes[at] == bytes[at - distance]) ++at;
    return at;
}

/* Runs of eight bytes and more. Returns the number of pieces. */
static size_t find_pieces(const uint8_t *bytes, size_t size, size_t distance, DeflatePiece *pieces)
{
    size_t count = 0, start = 0, at = distance;
    while (at + 8 <= size) {
        uint64_t differ = load_word(bytes + at) ^ load_word(bytes + at - distance);
        if (differ != 0) {
            at += 8 - (size_t)__builtin_clzll(differ) / 8;
            continue;
        }
        size_t end = run_end(bytes, at + 8, size, distance);
        pieces[count++] = (DeflatePiece){(uint32_t)(at - start), (uint32_t)(end - at)};
        start = end;
        at = end + 1;
    }
    pieces[count++] = (DeflatePiece){(uint32_t)(size - start), 0};
    return count;
}

static size_t bytes_of_runs(const DeflatePiece *pieces, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; ++i) sum += pieces[i].run;
    return sum;
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

static void count_literals(const uint8_t *bytes, size_t size, uint32_t counts[8][256])
{
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        uint64_t word = load_word(bytes + i); /* unrolled: half of the time */
        ++counts[0][word & 255], ++counts[1][word >> 8 & 255];
        ++counts[2][word >> 16 & 255], ++counts[3][word >> 24 & 255];
        ++counts[4][word >> 32 & 255], ++counts[5][word >> 40 & 255];
        ++counts[6][word >> 48 & 255], ++counts[7][word >> 56];
    }
    for (; i < size; ++i) ++counts[0][bytes[i]];
}

static void count_symbols(const uint8_t *bytes, const DeflatePiece *pieces, size_t count,
                          uint32_t frequency[LITERALS])
{
    uint32_t counts[8][256]; /* eight, so that equal neighbours do not wait for each other */
    memset(counts, 0, sizeof counts);
    memset(frequency, 0, LITERALS * sizeof *frequency);
    for (size_t i = 0; i < count; ++i) {
        count_literals(bytes, pieces[i].literals, counts);
        bytes += pieces[i].literals + pieces[i].run;
        for (uint32_t left = pieces[i].run; left > 0; left -= match_of(left))
            ++frequency[length_of(match_of(left)).symbol];
    }
    for (int b = 0; b < 256; ++b)
        for (int k = 0; k < 8; ++k) frequency[b] += counts[k][b];
    frequency[END] = 1;
}

/* ---- bits ---- */

static inline void bits_add(BitWriter *b, uint64_t bits, uint32_t count)
{
    b->held |= bits << b->count;
    b->count += count;
}

/* Whole bytes go out; at most seven bits stay. */
static inline void bits_flush(BitWriter *b)
{
    memcpy(b->at, &b->held, sizeof b->held);
    b->at += b->count / 8;
    b->held >>= b->count & ~7u;
    b->count &= 7;
}

static inline void bits_put(BitWriter *b, uint64_t bits, uint32_t count)
{
    bits_add(b, bits, count);
    bits_flush(b);
}

/* ---- codes of a block ---- */

/* A symbol of the code of code lengths, with its extra bits (RFC 1951, 3.2.7). */
typedef struct DeflateStep {
    uint8_t symbol, extra, bits;
} DeflateStep;

/* Lengths as steps: 16 repeats the last one 3 to 6 times, 17 and 18 are runs of zeros. */
static int find_steps(const uint8_t *lengths, int count, DeflateStep *steps)
{
    int n = 0;
    for (int i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && lengths[i + run] == lengths[i];) ++run;
        bool zero = lengths[i] == 0;
        if (!zero) steps[n++] = (DeflateStep){lengths[i], 0, 0};
        for (int left = zero ? run : run - 1, take; left > 0; left -= take) {
            take = left < (zero ? 138 : 6) ? left : (zero ? 138 : 6);
            if (take < 3)
                steps[n++] = (DeflateStep){lengths[i], 0, 0}, take = 1;
            else if (!zero)
                steps[n++] = (DeflateStep){16, (uint8_t)(take - 3), 2};
            else if (take < 11)
                steps[n++] = (DeflateStep){17, (uint8_t)(take - 3), 3};
            else
                steps[n++] = (DeflateStep){18, (uint8_t)(take - 11), 7};
        }
    }
    return n;
}

static void put_steps(BitWriter *b, const DeflateStep *steps, int count)
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

/* Symbols of the distances 1 to 8 (RFC 1951, 3.2.5). From 5 on they have an extra bit. */
static int distance_symbol(size_t distance)
{
    static const uint8_t symbols[9] = {0, 0, 1, 2, 3, 4, 4, 5, 5};
    return symbols[distance];
}

/* Of the distances one alone has a code, of a single bit. */
static void put_header(BitWriter *b, const HuffmanCode codes[LITERALS], size_t distance, bool last)
{
    const int symbol = distance_symbol(distance), count = LITERALS + symbol + 1;
    uint8_t lengths[LITERALS + DISTANCES] = {0};
    DeflateStep steps[LITERALS + DISTANCES];
    for (int i = 0; i < LITERALS; ++i) lengths[i] = (uint8_t)codes[i].length;
    lengths[count - 1] = 1;
    bits_put(b, last ? 1 : 0, 1);
    bits_put(b, 2, 2);
    bits_put(b, LITERALS - 257, 5);
    bits_put(b, (uint64_t)symbol, 5);
    put_steps(b, steps, find_steps(lengths, count, steps));
}

/* ---- contents ---- */

static void put_run(BitWriter *b, const HuffmanCode codes[LITERALS], size_t distance, uint32_t run)
{
    const uint32_t far = distance > 4 ? 1 : 0; /* an extra bit: the larger of two distances is 1 */
    const uint64_t bits = far != 0 && distance % 2 == 0 ? 2 : 0;
    for (uint32_t match; run > 0; run -= match) {
        match = match_of(run);
        const Length length = length_of(match);
        bits_add(b, codes[length.symbol].bits, codes[length.symbol].length);
        bits_add(b, length.extra, length.bits);
        bits_put(b, bits, 1 + far);
    }
}

static uint64_t bits_of(const uint32_t frequency[LITERALS], const HuffmanCode codes[LITERALS],
                        size_t distance)
{
    const uint64_t run = distance > 4 ? 2 : 1; /* bits of its distance */
    uint64_t sum = 8 * HEADER_MOST;
    for (int i = 0; i < LITERALS; ++i) {
        uint64_t extra = i < 265 || i == 285 ? 0 : (uint64_t)(i - 261) / 4;
        sum += frequency[i] * (codes[i].length + extra + (i > END ? run : 0));
    }
    return sum;
}

static void put_stored(BitWriter *b, const uint8_t *bytes, size_t size, bool last)
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

static void put_pieces(BitWriter *b, const HuffmanCode codes[LITERALS], const uint8_t *bytes,
                       const DeflatePiece *pieces, size_t count, size_t distance)
{
    const RenderKernels *kernels = render_kernels();
    ByteCodes literals;
    for (int i = 0; i < 256; ++i)
        literals.bits[i] = codes[i].bits, literals.length[i] = (uint8_t)codes[i].length;
    for (size_t i = 0; i < count; ++i) {
        *b = kernels->put_literals(*b, &literals, bytes, pieces[i].literals);
        put_run(b, codes, distance, pieces[i].run);
        bytes += pieces[i].literals + pieces[i].run;
    }
    bits_put(b, codes[END].bits, codes[END].length);
}

size_t deflate_band(const uint8_t *bytes, size_t size, size_t distance, bool last, void *scratch,
                    uint8_t *out)
{
    DeflatePiece *pieces = scratch;
    uint32_t frequency[LITERALS];
    HuffmanCode codes[LITERALS];
    BitWriter b = {.at = out};
    size_t count = find_pieces(bytes, size, distance, pieces);
    if (distance > 1) {
        const size_t repeated = bytes_of_runs(pieces, count);
        count = find_pieces(bytes, size, 1, pieces);
        if (bytes_of_runs(pieces, count) < repeated)
            count = find_pieces(bytes, size, distance, pieces);
        else
            distance = 1;
    }
    count_symbols(bytes, pieces, count, frequency);
    huffman_make(frequency, LITERALS, CODE_LIMIT, codes);
    /* What does not get shorter is stored: noise has no shorter code. */
    if (bits_of(frequency, codes, distance) / 8 >= size) {
        put_stored(&b, bytes, size, last);
        return (size_t)(b.at - out);
    }
    put_header(&b, codes, distance, last);
    put_pieces(&b, codes, bytes, pieces, count, distance);
    if (last)
        b.count = (b.count + 7) & ~7u, bits_flush(&b);
    else
        put_stored(&b, NULL, 0, false); /* an empty block ends at a byte */
    return (size_t)(b.at - out);
}
