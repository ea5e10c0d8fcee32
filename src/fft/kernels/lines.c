/* The transform of lines that lie side by side, FFT_LANES at a time: Stockham's autosort algorithm
 * with radices 4, 2, 3 and 5, which needs no bit reversal. A pass with radix r takes
 *
 *     y[q + s (r p + j)] = w^(p j) sum over i of x[q + s (p + m i)] exp(-2 pi i j / r)
 *
 * for p < m (left), q < s (done). The lanes are the innermost index, so that every loop runs over
 * s * FFT_LANES contiguous floats. Cochran et al., Proc. IEEE 55, 1967; Van Loan, Computational
 * Frameworks for the Fast Fourier Transform, 1992, section 1.7. */
#include "fft/fft.h"

#include "base/loop.h"

#include <string.h>

typedef struct Complex {
    float re, im;
} Complex;

static inline Complex add(Complex a, Complex b)
{
    return (Complex){a.re + b.re, a.im + b.im};
}

static inline Complex sub(Complex a, Complex b)
{
    return (Complex){a.re - b.re, a.im - b.im};
}

static inline Complex times(Complex a, Complex b)
{
    return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline Complex scaled(float s, Complex a)
{
    return (Complex){s * a.re, s * a.im};
}

/* -i a */
static inline Complex turned(Complex a)
{
    return (Complex){a.im, -a.re};
}

/* Two planes: real parts, imaginary parts. */
typedef struct Planes {
    float *re, *im;
} Planes;

static inline Planes at(Planes planes, size_t offset)
{
    return (Planes){planes.re + offset, planes.im + offset};
}

static inline Complex get(Planes planes, size_t i)
{
    return (Complex){planes.re[i], planes.im[i]};
}

static inline void put(Planes planes, size_t i, Complex value)
{
    planes.re[i] = value.re, planes.im[i] = value.im;
}

/* One p of a pass: where the r inputs and outputs are, with their factors. */
typedef struct Butterfly {
    Planes in[5], out[5];
    Complex w[5]; /* w[0] is 1 and not used */
    size_t count; /* contiguous floats */
} Butterfly;

static void radix2(const Butterfly *b)
{
    const Planes x0 = b->in[0], x1 = b->in[1], y0 = b->out[0], y1 = b->out[1];
    const Complex w1 = b->w[1];
    const size_t count = b->count;
    FOR_ROWS (i, count) {
        Complex a0 = get(x0, i), a1 = get(x1, i);
        put(y0, i, add(a0, a1));
        put(y1, i, times(w1, sub(a0, a1)));
    }
}

static void radix3(const Butterfly *b)
{
    const Planes x0 = b->in[0], x1 = b->in[1], x2 = b->in[2];
    const Planes y0 = b->out[0], y1 = b->out[1], y2 = b->out[2];
    const Complex w1 = b->w[1], w2 = b->w[2];
    const float sine = 0.86602540378443865f; /* of 60 degrees */
    const size_t count = b->count;
    FOR_ROWS (i, count) {
        Complex a0 = get(x0, i), a1 = get(x1, i), a2 = get(x2, i);
        Complex sum = add(a1, a2), middle = sub(a0, scaled(0.5f, sum));
        Complex side = turned(scaled(sine, sub(a1, a2)));
        put(y0, i, add(a0, sum));
        put(y1, i, times(w1, add(middle, side)));
        put(y2, i, times(w2, sub(middle, side)));
    }
}

static void radix4(const Butterfly *b)
{
    const Planes x0 = b->in[0], x1 = b->in[1], x2 = b->in[2], x3 = b->in[3];
    const Planes y0 = b->out[0], y1 = b->out[1], y2 = b->out[2], y3 = b->out[3];
    const Complex w1 = b->w[1], w2 = b->w[2], w3 = b->w[3];
    const size_t count = b->count;
    FOR_ROWS (i, count) {
        Complex a0 = get(x0, i), a1 = get(x1, i), a2 = get(x2, i), a3 = get(x3, i);
        Complex even = add(a0, a2), even_less = sub(a0, a2);
        Complex odd = add(a1, a3), odd_less = turned(sub(a1, a3));
        put(y0, i, add(even, odd));
        put(y1, i, times(w1, add(even_less, odd_less)));
        put(y2, i, times(w2, sub(even, odd)));
        put(y3, i, times(w3, sub(even_less, odd_less)));
    }
}

static void radix5(const Butterfly *b)
{
    const Planes x0 = b->in[0], x1 = b->in[1], x2 = b->in[2], x3 = b->in[3], x4 = b->in[4];
    const Planes y0 = b->out[0], y1 = b->out[1], y2 = b->out[2], y3 = b->out[3], y4 = b->out[4];
    const Complex w1 = b->w[1], w2 = b->w[2], w3 = b->w[3], w4 = b->w[4];
    /* cosines and sines of 72 and 144 degrees */
    const float c1 = 0.30901699437494742f, c2 = -0.80901699437494742f;
    const float s1 = 0.95105651629515357f, s2 = 0.58778525229247313f;
    const size_t count = b->count;
    FOR_ROWS (i, count) {
        Complex a0 = get(x0, i), a1 = get(x1, i), a2 = get(x2, i), a3 = get(x3, i), a4 = get(x4, i);
        Complex p1 = add(a1, a4), p2 = add(a2, a3), d1 = sub(a1, a4), d2 = sub(a2, a3);
        Complex m1 = add(a0, add(scaled(c1, p1), scaled(c2, p2)));
        Complex m2 = add(a0, add(scaled(c2, p1), scaled(c1, p2)));
        Complex t1 = turned(add(scaled(s1, d1), scaled(s2, d2)));
        Complex t2 = turned(sub(scaled(s2, d1), scaled(s1, d2)));
        put(y0, i, add(a0, add(p1, p2)));
        put(y1, i, times(w1, add(m1, t1)));
        put(y2, i, times(w2, add(m2, t2)));
        put(y3, i, times(w3, sub(m2, t2)));
        put(y4, i, times(w4, sub(m1, t1)));
    }
}

static void (*const radices[])(const Butterfly *) = {
    [2] = radix2, [3] = radix3, [4] = radix4, [5] = radix5};

static void pass(const FftStage *stage, Planes from, Planes to)
{
    const size_t r = (size_t)stage->radix, run = stage->done * FFT_LANES;
    Butterfly b = {.count = run};
    for (size_t p = 0; p < stage->left; ++p) {
        const float *w = stage->twiddle + 2 * p * (r - 1);
        for (size_t j = 0; j < r; ++j) {
            b.in[j] = at(from, run * (p + stage->left * j));
            b.out[j] = at(to, run * (r * p + j));
            if (j > 0) b.w[j] = (Complex){w[2 * j - 2], w[2 * j - 1]};
        }
        radices[stage->radix](&b);
    }
}

/* ---- to and from the scratch memory, where element j of lane l is at j * FFT_LANES + l ---- */

/* The lanes lie side by side in the array too. */
static void load_rows(const float *from, const FftBundle *b, size_t length, float *to)
{
    for (size_t j = 0; j < length; ++j)
        memcpy(to + j * FFT_LANES, from + j * b->along, b->count * sizeof *to);
}

static void store_rows(const float *from, const FftBundle *b, size_t length, float *to)
{
    for (size_t j = 0; j < length; ++j)
        memcpy(to + j * b->along, from + j * FFT_LANES, b->count * sizeof *to);
}

/* The lines are contiguous: transposed. */
static void load_lines(const float *from, const FftBundle *b, size_t length, float *to)
{
    for (size_t j = 0; j < length; ++j)
        for (size_t l = 0; l < b->count; ++l)
            to[j * FFT_LANES + l] = from[j * b->along + l * b->across];
}

static void store_lines(const float *from, const FftBundle *b, size_t length, float *to)
{
    for (size_t l = 0; l < b->count; ++l)
        for (size_t j = 0; j < length; ++j)
            to[j * b->along + l * b->across] = from[j * FFT_LANES + l];
}

static void transform(const FftLine *line, const FftBundle *b)
{
    const size_t plane = line->length * FFT_LANES;
    Planes from = {b->scratch, b->scratch + plane};
    Planes to = {b->scratch + 2 * plane, b->scratch + 3 * plane};
    bool rows = b->across == 1;
    if (b->count < FFT_LANES) memset(b->scratch, 0, 2 * plane * sizeof *b->scratch);
    (rows ? load_rows : load_lines)(b->re, b, line->length, from.re);
    (rows ? load_rows : load_lines)(b->im, b, line->length, from.im);
    for (int s = 0; s < line->stage_count; ++s) {
        pass(&line->stages[s], from, to);
        Planes swap = from;
        from = to, to = swap;
    }
    (rows ? store_rows : store_lines)(from.re, b, line->length, b->re);
    (rows ? store_rows : store_lines)(from.im, b, line->length, b->im);
}

extern const FftKernels ISA(fft_lines);

const FftKernels ISA(fft_lines) = {.transform = transform};
