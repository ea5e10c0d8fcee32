/* Preconditioned conjugate gradients, matrix-free: A x = b for a symmetric positive definite A that
 * is known by its products alone. Hestenes and Stiefel, J. Res. NBS 49, 1952. */
#ifndef INTEGRATE_CONJUGATE_GRADIENT_H
#define INTEGRATE_CONJUGATE_GRADIENT_H

#include "integrate/vector.h"

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
