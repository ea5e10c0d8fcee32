/* The .npy header: what an array inside an .npz is. Format 1.0 is written; 1.0, 2.0 and 3.0 are
 * read. Reference: NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays". */
#ifndef IO_NPY_H
#define IO_NPY_H

#include <mote/frame.h>

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

#endif
