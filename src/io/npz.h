/* .npz: a zip archive of .npy arrays, which numpy.load opens; the container of frames and
 * checkpoints.
 *
 * Written without compression, each array's data aligned to 64 bytes inside the file (so a reader
 * may map it), with zip64 records where sizes need them. An array of several components is written
 * as shape (n, components) in Fortran order, which is plane after plane, as it lies in memory.
 * References: PKWARE APPNOTE.TXT 6.3; NumPy Enhancement Proposal 1. */
#ifndef IO_NPZ_H
#define IO_NPZ_H

#include <mote/frame.h>
#include <mote/tasks.h>
#include <stdint.h>

#include "base/memory.h"
#include "io/file.h"

/* The records of a zip archive, as far as we write and read them (APPNOTE.TXT 4.3, 4.5). */

#define ZIP_LOCAL     0x04034b50u
#define ZIP_CENTRAL   0x02014b50u
#define ZIP_END       0x06054b50u
#define ZIP_END64     0x06064b50u
#define ZIP_LOCATOR64 0x07064b50u
#define ZIP_ELSEWHERE 0xffffffffu /* the value is in the zip64 field */

enum {
    ZIP_LOCAL_SIZE = 30,
    ZIP_CENTRAL_SIZE = 46,
    ZIP_END_SIZE = 22,
    ZIP_END64_SIZE = 56,
    ZIP_LOCATOR64_SIZE = 20,
    ZIP_FIELD64 = 0x0001,       /* extra field: 64-bit sizes and offset */
    ZIP_FIELD_PADDING = 0xd935, /* extra field: alignment, then zeros */
    ZIP_FLAG_ENCRYPTED = 1 << 0,
    ZIP_FLAG_SIZES_AFTER = 1 << 3, /* the local header's sizes are zero */
    ZIP_FLAG_UTF8 = 1 << 11,
    ZIP_STORED = 0,
    ZIP_DEFLATED = 8,
    ZIP_MOST_NAME = 0xffff
};

static inline unsigned char *zip_put(unsigned char *at, uint64_t value, int size)
{
    for (int i = 0; i < size; ++i) at[i] = (unsigned char)(value >> (8 * i));
    return at + size;
}

static inline uint64_t zip_get(const unsigned char *at, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; ++i) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

/* The .npy header: what an array inside an .npz is. Format 1.0 is written; 1.0, 2.0 and 3.0 are
 * read. Reference: NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays". */

enum { NPY_MOST_DIMENSIONS = 2, NPY_HEADER_MOST = 192, NPY_PREFIX = 8, NPY_READ_MOST = 4096 };

typedef struct NpyShape {
    mote_ArrayType type;
    bool columns_first;  /* fortran_order: plane after plane */
    size_t rows, planes; /* () is 1 x 1, (n,) is n x 1 */
    bool rows_first;     /* written: row after row instead */
} NpyShape;

/* Writes magic, version, length and dictionary, padded to a multiple of 64 bytes; returns the size.
 * One plane makes a one-dimensional array. */
size_t npy_header(const NpyShape *shape, char header[NPY_HEADER_MOST]);

/* From the first 8 bytes: bytes of the length field that follows (2 or 4), or 0 when this is no
 * .npy of a known version. */
int npy_length_size(const unsigned char prefix[NPY_PREFIX]);

/* Reads the dictionary (`size` characters); NULL, or what is wrong with it. */
const char *npy_parse(const char *text, size_t size, NpyShape *shape);

/* ---- writing ---- */

/* An array, stored as NAME.npy; or, with `text` not NULL, plain text stored as NAME. */
typedef struct NpzItem {
    mote_StateArray array;
    const char *text;
    size_t text_size;
    size_t row; /* > 0: a single plane that holds rows of so many numbers, one after another */
} NpzItem;

/* Where data comes from that is not at hand: a plane of array `item`, valid until the next. */
typedef struct NpzFeed {
    mote_Status (*fetch)(void *context, size_t item, int component, const void **plane,
                         mote_Error *error);
    void *context;
} NpzFeed;

typedef struct NpzOptions {
    Memory *memory;
    mote_Tasks *tasks;   /* may be NULL */
    bool force_zip64;    /* zip64 records even where they are not needed */
    uint32_t *sum;       /* out: CRC-32 of the whole file; may be NULL */
    const NpzFeed *feed; /* asked for every plane with rows, in order; NULL: arrays have them */
} NpzOptions;

mote_Status npz_write(const char *path, const NpzItem *items, size_t count,
                      const NpzOptions *options, mote_Error *error);

/* ---- reading ---- */

typedef struct NpzMember {
    const char *name; /* as in the archive: with .npy */
    uint64_t header;  /* offset of its local header */
    uint64_t stored;  /* bytes in the file */
    uint64_t size;    /* bytes when unpacked */
    uint32_t crc;
    unsigned method, flags;
} NpzMember;

typedef struct Npz {
    Memory *memory;
    Source source;
    NpzMember *members;
    size_t count;
    uint64_t unpacked; /* bytes of all members together */
    char *names;       /* one after another, each ended by a zero */
    size_t names_size;
} Npz;

/* Reads the directory. The source is owned from here on, also on failure. */
mote_Status npz_open(Npz *npz, Source source, Memory *memory, mote_Error *error);
void npz_close(Npz *npz);
/* NULL when there is none. */
const NpzMember *npz_find(const Npz *npz, const char *name);

/* One member, read from its beginning to its end. */
typedef struct NpzStream {
    const Npz *npz;
    const NpzMember *member;
    uint64_t at, stored_left; /* of the bytes in the file */
    uint64_t left;            /* of the unpacked bytes */
    uint32_t crc;
    struct NpzInflate *inflate; /* NULL: stored */
} NpzStream;

mote_Status npz_begin(NpzStream *stream, const Npz *npz, const NpzMember *member,
                      mote_Error *error);
mote_Status npz_read(NpzStream *stream, void *data, size_t size, mote_Error *error);
/* Succeeds when all was read and the check sum is right; to be called in any case. */
mote_Status npz_end(NpzStream *stream, mote_Status status, mote_Error *error);

/* The .npy header of a stream that was just begun; its sizes are those of the data that follows. */
mote_Status npz_read_shape(NpzStream *stream, NpyShape *shape, mote_Error *error);
/* The data, as planes `stride` elements apart, whatever the order in the file is. */
mote_Status npz_read_planes(NpzStream *stream, const NpyShape *shape, void *data, size_t stride,
                            mote_Error *error);

/* All of a text member, with a zero at the end; free with memory_free(*text, *size + 1). */
mote_Status npz_read_text(const Npz *npz, const char *name, char **text, size_t *size,
                          mote_Error *error);

/* The records around the members of an .npz that is being written: local headers, directory, end.
 */

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
