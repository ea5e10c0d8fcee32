/* The records around the members of an .npz that is being written: local headers, directory, end.
 */
#ifndef IO_NPZ_RECORDS_H
#define IO_NPZ_RECORDS_H

#include "io/npz.h"

/* Where a member lies: local header, .npy header, data. */
typedef struct NpzPlace {
    const NpzItem *item;
    char npy[NPY_HEADER_MOST];
    size_t npy_size, name_size, padding;
    uint64_t header, content, size;
    uint32_t crc;
    bool wide_sizes, wide_offset; /* zip64 */
} NpzPlace;

/* Puts the local header at `offset` and the content on the next multiple of 64 bytes after it;
 * returns where the content ends. Name and size are set before. */
uint64_t npz_place(NpzPlace *member, uint64_t offset, bool force_zip64);

/* The local header with the .npy header that follows it, and the entry in the directory. Each
 * returns the place after what it wrote: at most the name, the .npy header and 256 bytes. */
unsigned char *npz_put_local(unsigned char *at, const NpzPlace *member);
unsigned char *npz_put_central(unsigned char *at, const NpzPlace *member);

/* The records after the directory, which has `size` bytes at `offset`: at most 128 bytes. */
typedef struct NpzEnd {
    uint64_t members, offset, size;
    bool force_zip64;
} NpzEnd;

unsigned char *npz_put_end(unsigned char *at, const NpzEnd *end);

#endif
