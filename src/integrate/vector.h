/* Vectors of three planes over all rows of a system, worked on block by block: what implicit
 * schemes compute with. Sums run in eight lanes per block and are combined in the order of the
 * blocks, so they have the same bits for any number of threads and any instruction set. */
#ifndef INTEGRATE_VECTOR_H
#define INTEGRATE_VECTOR_H

#include <mote/tasks.h>

#include "base/isa.h"
#include "base/loop.h"

/* A symmetric 3 x 3 matrix per row: xx, yy, zz, yz, xz, xy. */
enum { MATRIX_PLANES = 6 };

typedef struct Vector {
    mote_real *plane[3];
} Vector;

typedef struct Matrices {
    mote_real *plane[MATRIX_PLANES];
} Matrices;

/* All at once for the rows [first, first + count). */
typedef struct VectorKernels {
    /* y = x + s y; y += s x */
    void (*scale_add)(size_t first, size_t count, mote_real s, const Vector *x, const Vector *y);
    void (*add)(size_t first, size_t count, mote_real s, const Vector *x, const Vector *y);
    /* z = x + s y */
    void (*combine)(size_t first, size_t count, mote_real s, const Vector *x, const Vector *y,
                    const Vector *z);
    /* y = m (y - x) */
    void (*weigh)(size_t first, size_t count, const mote_real *m, const Vector *x, const Vector *y);
    /* A = m (I + A) */
    void (*weigh_blocks)(size_t first, size_t count, const mote_real *m, const Matrices *a);
    /* z = A r */
    void (*multiply)(size_t first, size_t count, const Matrices *a, const Vector *r,
                     const Vector *z);
    double (*dot)(size_t first, size_t count, const Vector *x, const Vector *y);
    /* The largest |x|^2. */
    double (*largest)(size_t first, size_t count, const Vector *x);
    /* The largest coordinate's size. */
    mote_real (*reach)(size_t first, size_t count, const Vector *x);
    /* Inverts every matrix; one that is not positive definite becomes fallback[row]^-1 I. */
    void (*invert)(size_t first, size_t count, const mote_real *fallback, const Matrices *a);
} VectorKernels;

const VectorKernels *vector_kernels(Isa isa);

/* Runs `body` on all blocks of `rows`; `sums` gets what each returns. */
typedef double VectorBody(void *context, size_t first, size_t count);
typedef struct VectorLoop {
    mote_Tasks *tasks;
    size_t rows;
    double *sums; /* a place for every block */
} VectorLoop;
double vector_sum(const VectorLoop *loop, VectorBody *body, void *context);
double vector_max(const VectorLoop *loop, VectorBody *body, void *context);

/* ---- conjugate gradients ---- */

/* Preconditioned conjugate gradients, matrix-free: A x = b for a symmetric positive definite A that
 * is known by its products alone. Hestenes and Stiefel, J. Res. NBS 49, 1952. */

typedef struct ConjugateGradient {
    const VectorKernels *kernels;
    VectorLoop loop;
    /* q = A p for all rows. */
    void (*times)(void *context, const Vector *p, const Vector *q);
    void *context;
    Matrices inverse; /* the preconditioner: inverses of A's 3 x 3 blocks */
    Vector x;         /* out */
    Vector r;         /* in: b; out: what is left of it */
    Vector z, p, q;   /* scratch */
    double tolerance; /* on sqrt(r . z), as a share of what it is at the start */
    uint64_t most;    /* iterations */
} ConjugateGradient;

typedef struct CgResult {
    uint64_t iterations;
    double residual; /* the share that is left */
    bool converged;  /* false: `most` was reached, or A is not definite along p, and x stands where
                        it was before */
} CgResult;

/* Starts from x = 0. */
CgResult conjugate_gradient(ConjugateGradient *cg);

#endif
