/* Huffman codes of the deflate format. */
#ifndef RENDER_HUFFMAN_H
#define RENDER_HUFFMAN_H

#include <mote/base.h>

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
