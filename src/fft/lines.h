/* Transforms of many lines at a time: what fft.c hands to the kernels of an instruction set. */
#ifndef FFT_LINES_H
#define FFT_LINES_H

#include "base/isa.h"

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
