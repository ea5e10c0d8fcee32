/* Loops over vectors, and conjugate gradients. */
#include "integrate/vector.h"

#include <math.h>
#include <string.h>

ISA_KERNELS(vector_kernels, VectorKernels, vector_table)

enum { BLOCKS_PER_TASK = 16 };

typedef struct VectorRun {
    const VectorLoop *loop;
    VectorBody *body;
    void *context;
} VectorRun;

static void run_body(void *context, size_t begin, size_t end, int worker)
{
    const VectorRun *run = context;
    (void)worker;
    for (size_t block = begin; block < end; ++block) {
        size_t first = block * BLOCK_ROWS, left = run->loop->rows - first;
        run->loop->sums[block] =
            run->body(run->context, first, left < BLOCK_ROWS ? left : BLOCK_ROWS);
    }
}

static size_t run_blocks(const VectorLoop *loop, VectorBody *body, void *context)
{
    VectorRun run = {loop, body, context};
    size_t blocks = (loop->rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    mote_parallel_for(loop->tasks, blocks, BLOCKS_PER_TASK, run_body, &run);
    return blocks;
}

double vector_sum(const VectorLoop *loop, VectorBody *body, void *context)
{
    size_t blocks = run_blocks(loop, body, context);
    double sum = 0;
    for (size_t block = 0; block < blocks; ++block) sum += loop->sums[block];
    return sum;
}

/* NaN is larger than everything. */
double vector_max(const VectorLoop *loop, VectorBody *body, void *context)
{
    size_t blocks = run_blocks(loop, body, context);
    double most = 0;
    for (size_t block = 0; block < blocks; ++block)
        if (!(loop->sums[block] <= most)) most = loop->sums[block];
    return most;
}

/* ---- conjugate gradients: three passes over the rows an iteration ---- */

typedef struct GradientPass {
    const ConjugateGradient *cg;
    mote_real alpha, beta;
} GradientPass;

/* x = 0, p = z = inverse r; r . z */
static double open_body(void *context, size_t first, size_t count)
{
    const ConjugateGradient *cg = ((const GradientPass *)context)->cg;
    cg->kernels->multiply(first, count, &cg->inverse, &cg->r, &cg->z);
    for (int c = 0; c < 3; ++c) {
        memset(cg->x.plane[c] + first, 0, count * sizeof(mote_real));
        memcpy(cg->p.plane[c] + first, cg->z.plane[c] + first, count * sizeof(mote_real));
    }
    return cg->kernels->dot(first, count, &cg->r, &cg->z);
}

static double curvature_body(void *context, size_t first, size_t count)
{
    const ConjugateGradient *cg = ((const GradientPass *)context)->cg;
    return cg->kernels->dot(first, count, &cg->p, &cg->q);
}

/* x += alpha p, r -= alpha q, z = inverse r; r . z */
static double advance_body(void *context, size_t first, size_t count)
{
    const GradientPass *pass = context;
    const ConjugateGradient *cg = pass->cg;
    cg->kernels->add(first, count, pass->alpha, &cg->p, &cg->x);
    cg->kernels->add(first, count, -pass->alpha, &cg->q, &cg->r);
    cg->kernels->multiply(first, count, &cg->inverse, &cg->r, &cg->z);
    return cg->kernels->dot(first, count, &cg->r, &cg->z);
}

static double turn_body(void *context, size_t first, size_t count)
{
    const GradientPass *pass = context;
    pass->cg->kernels->scale_add(first, count, pass->beta, &pass->cg->z, &pass->cg->p);
    return 0;
}

/* Along a direction without positive curvature, the first is taken as it is: downhill still.
 * Springs' part of A is definite (links/kernels/links.c), that of other forces need not be. */
static void take_first(const ConjugateGradient *cg)
{
    for (int c = 0; c < 3; ++c)
        memcpy(cg->x.plane[c], cg->p.plane[c], cg->loop.rows * sizeof(mote_real));
}

CgResult conjugate_gradient(ConjugateGradient *cg)
{
    GradientPass pass = {.cg = cg};
    CgResult result = {.converged = true};
    double rz = vector_sum(&cg->loop, open_body, &pass), start = rz;
    double goal = cg->tolerance * cg->tolerance * start;
    if (!(rz > 0)) return result;
    while (rz > goal && result.iterations < cg->most) {
        cg->times(cg->context, &cg->p, &cg->q);
        double curvature = vector_sum(&cg->loop, curvature_body, &pass);
        if (!(curvature > 0)) {
            if (result.iterations == 0) take_first(cg);
            break;
        }
        pass.alpha = (mote_real)(rz / curvature);
        double before = rz;
        rz = vector_sum(&cg->loop, advance_body, &pass);
        pass.beta = (mote_real)(rz / before);
        ++result.iterations;
        if (rz > goal) vector_sum(&cg->loop, turn_body, &pass);
    }
    result.converged = rz <= goal;
    result.residual = sqrt(rz / start);
    return result;
}
