/* Deflate, the fast way, for filtered pictures. */
#ifndef RENDER_DEFLATE_H
#define RENDER_DEFLATE_H

#include <mote/base.h>

/* Bytes of `scratch` and of `out` for deflate_band. */
size_t deflate_scratch(size_t size);
size_t deflate_most(size_t size);

/* Compresses `size` > 0 bytes (at most 2^31) to whole bytes of a raw deflate stream (RFC 1951):
 * bands that are compressed each for itself may follow one another; the last one ends the stream.
 * Looks for bytes that repeat those 1 or `distance` (1 to 8) before, whichever are more. Returns
 * the number of bytes written. */
size_t deflate_band(const uint8_t *bytes, size_t size, size_t distance, bool last, void *scratch,
                    uint8_t *out);

/* Huffman codes of the deflate format. */

enum { HUFFMAN_MOST = 288 }; /* symbols */

typedef struct HuffmanCode {
    uint16_t bits; /* to be written from the lowest bit on */
    uint16_t length;
} HuffmanCode;

/* Codes of bytes, bits and their number apart: two loads are cheaper than taking a word to pieces.
 */
typedef struct ByteCodes {
    uint16_t bits[256];
    uint8_t length[256];
} ByteCodes;

/* Codes of at most `limit` bits for `count` symbols, at least one of which occurs; those that do
 * not get length 0. One symbol alone gets a bit. */
void huffman_make(const uint32_t *frequency, int count, int limit, HuffmanCode *codes);

#endif
