/* Huffman codes of limited length. The tree is built by merging two queues (van Leeuwen 1976):
 * symbols sorted by frequency, and inner nodes, which come out sorted by themselves. Codes that are
 * too long are cut, and shorter ones made longer until Kraft's sum is 1 again. */
#include "render/deflate.h"

enum { LENGTHS = 64 };

typedef struct Leaf {
    uint32_t frequency;
    int symbol;
} Leaf;

/* The symbols that occur, by frequency, then by number. Returns how many they are. */
static int sort_leaves(const uint32_t *frequency, int count, Leaf *leaves)
{
    int n = 0;
    for (int symbol = 0; symbol < count; ++symbol) {
        if (frequency[symbol] == 0) continue;
        int k = n++;
        for (; k > 0 && leaves[k - 1].frequency > frequency[symbol]; --k) leaves[k] = leaves[k - 1];
        leaves[k] = (Leaf){frequency[symbol], symbol};
    }
    return n;
}

/* Depths in the tree, of n > 1 leaves: how many there are of each. */
static void count_depths(const Leaf *leaves, int n, int depths[LENGTHS])
{
    uint64_t weight[2 * HUFFMAN_MOST];
    int parent[2 * HUFFMAN_MOST], depth[2 * HUFFMAN_MOST];
    int leaf = 0, inner = n, end = n;
    for (int i = 0; i < n; ++i) weight[i] = leaves[i].frequency;
    for (; end < 2 * n - 1; ++end) {
        weight[end] = 0;
        for (int side = 0; side < 2; ++side) {
            bool take_leaf = leaf < n && (inner == end || weight[leaf] <= weight[inner]);
            int child = take_leaf ? leaf++ : inner++;
            weight[end] += weight[child];
            parent[child] = end;
        }
    }
    depth[2 * n - 2] = 0;
    for (int i = 2 * n - 3; i >= 0; --i) {
        depth[i] = depth[parent[i]] + 1;
        if (i < n) ++depths[depth[i] < LENGTHS ? depth[i] : LENGTHS - 1];
    }
}

static void limit_depths(int depths[LENGTHS], int limit)
{
    uint32_t sum = 0; /* Kraft's, in units of 2^-limit */
    for (int d = limit + 1; d < LENGTHS; ++d) depths[limit] += depths[d], depths[d] = 0;
    for (int d = 1; d <= limit; ++d) sum += (uint32_t)depths[d] << (limit - d);
    for (; sum > 1u << limit; --sum) {
        int d = limit - 1;
        while (depths[d] == 0) --d;
        --depths[limit], --depths[d], depths[d + 1] += 2;
    }
}

static uint16_t reversed(uint32_t bits, int length)
{
    uint32_t out = 0;
    for (int i = 0; i < length; ++i) out |= (bits >> i & 1) << (length - 1 - i);
    return (uint16_t)out;
}

/* Canonical codes, from the lengths (RFC 1951, 3.2.2). */
static void number_codes(const int depths[LENGTHS], int count, int limit, HuffmanCode *codes)
{
    uint32_t next[LENGTHS] = {0}, code = 0;
    for (int d = 1; d <= limit; ++d) next[d] = code = (code + (uint32_t)depths[d - 1]) << 1;
    for (int i = 0; i < count; ++i)
        if (codes[i].length > 0) codes[i].bits = reversed(next[codes[i].length]++, codes[i].length);
}

void huffman_make(const uint32_t *frequency, int count, int limit, HuffmanCode *codes)
{
    Leaf leaves[HUFFMAN_MOST];
    int depths[LENGTHS] = {0}, n = sort_leaves(frequency, count, leaves), i = n;
    for (int k = 0; k < count; ++k) codes[k] = (HuffmanCode){0, 0};
    if (n == 1)
        depths[1] = 1;
    else
        count_depths(leaves, n, depths);
    limit_depths(depths, limit);
    for (int d = 1; d <= limit; ++d) /* the most frequent ones are the shortest */
        for (int k = 0; k < depths[d]; ++k) codes[leaves[--i].symbol].length = (uint16_t)d;
    number_codes(depths, count, limit, codes);
}
