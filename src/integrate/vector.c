/* Loops over vectors. */
#include "integrate/vector.h"

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
