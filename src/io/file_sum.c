/* Check sums of files: whether what was written is still there. */
#include "io/file.h"

#include <zlib.h>

enum { PIECE = 1 << 16 };

/* Continues the sum up to `end` bytes of the source; false when it cannot be read. */
static bool sum_up_to(const Source *source, uint64_t end, FileSum *sum)
{
    unsigned char piece[PIECE];
    while (sum->bytes < end) {
        const uint64_t left = end - sum->bytes;
        const size_t size = left < PIECE ? (size_t)left : PIECE;
        if (source_read(source, sum->bytes, piece, size, NULL) != MOTE_OK) return false;
        sum->sum = (uint32_t)crc32_z(sum->sum, piece, size);
        sum->bytes += size;
    }
    return true;
}

/* A file that became shorter is summed from its beginning. */
void file_sum(const char *path, FileSum *sum)
{
    Source source;
    if (source_open(&source, path, NULL) != MOTE_OK) {
        *sum = (FileSum){0};
        return;
    }
    if (source.size < sum->bytes) *sum = (FileSum){0};
    sum_up_to(&source, source.size, sum);
    source_close(&source);
}

FileHealth file_health(const char *path, FileSum wanted, bool all)
{
    Source source;
    FileSum have = {0};
    if (source_open(&source, path, NULL) != MOTE_OK) return FILE_MISSING;
    bool good = all ? source.size == wanted.bytes : source.size >= wanted.bytes;
    if (good && wanted.sum != 0)
        good = sum_up_to(&source, wanted.bytes, &have) && have.sum == wanted.sum;
    source_close(&source);
    return good ? FILE_WHOLE : FILE_DAMAGED;
}
