/* The discrete Fourier transform of arrays with one to four axes, in float.
 *
 * Complex numbers are planar: an array of real parts and one of imaginary parts, the last axis
 * contiguous. Lengths are products of 2, 3 and 5. The same bits come for any number of threads and
 * any instruction set, because every line goes through the same operations, with factors from
 * base/math.h. */
#ifndef FFT_FFT_H
#define FFT_FFT_H

#include <mote/tasks.h>

#include "base/isa.h"
#include "base/memory.h"

enum { FFT_MOST_AXES = 4 };

typedef struct FftShape {
    int axes;
    size_t length[FFT_MOST_AXES]; /* the slowest axis first */
    unsigned along;               /* bit per axis that is transformed; 0: all */
} FftShape;

typedef struct Fft Fft;

/* Whether n is 2^a 3^b 5^c; and the least such number that is not below n. */
bool fft_length_allowed(size_t n);
size_t fft_length_above(size_t n);

/* `tasks` may be NULL; it and `memory` must live as long as the transform. */
mote_Status fft_open(const FftShape *shape, Memory *memory, mote_Tasks *tasks, Isa isa, Fft **fft,
                     mote_Error *error);
void fft_close(Fft *fft); /* NULL is allowed */

/* In place, not normalised: X[k] = sum over j of x[j] exp(-2 pi i j k / n), along every axis. */
void fft_forward(Fft *fft, float *re, float *im);

/* The same with exp(+2 pi i j k / n): swapping real and imaginary parts turns one into the other.
 */
static inline void fft_backward(Fft *fft, float *re, float *im)
{
    fft_forward(fft, im, re);
}

/* Transforms of many lines at a time: what fft.c hands to the kernels of an instruction set. */

/* Lines that go through the butterflies side by side; a multiple of every vector's width. */
enum { FFT_LANES = 16, FFT_MOST_STAGES = 24 };

/* One pass of Stockham's transform: n = radix * left of the lines remaining, `done` so far. */
typedef struct FftStage {
    int radix;
    size_t left, done;
    const float *twiddle; /* left * (radix - 1) pairs (re, im): w^(p j), w = exp(-2 pi i / n) */
} FftStage;

/* The transform of one length. */
typedef struct FftLine {
    size_t length;
    int stage_count;
    FftStage stages[FFT_MOST_STAGES];
    float *twiddles;
    size_t twiddle_count; /* floats */
} FftLine;

/* `count` <= FFT_LANES lines inside an array. */
typedef struct FftBundle {
    float *re, *im; /* of the first element of the first line */
    size_t along;   /* from one element of a line to the next */
    size_t across;  /* from one line to the next */
    size_t count;
    float *scratch; /* 4 * length * FFT_LANES */
} FftBundle;

typedef struct FftKernels {
    void (*transform)(const FftLine *line, const FftBundle *bundle);
} FftKernels;

const FftKernels *fft_kernels(Isa isa);

#endif
