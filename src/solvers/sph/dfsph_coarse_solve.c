/* Conjugate gradients on the nodes of the coarse grid, with Jacobi's preconditioner. Layers of
 * nodes along z gather from the cells below and above in the order of the cells, each by itself:
 * the same for any number of threads. */
#include "solvers/sph/dfsph_coarse.h"

/* The nodes of a layer. */
typedef struct Nodes {
    size_t begin, end;
} Nodes;

static Nodes nodes_of(const Coarse *g, size_t layer)
{
    const size_t each = (size_t)g->law.nodes[0] * g->law.nodes[1];
    return (Nodes){layer * each, (layer + 1) * each};
}

static double for_layers(Coarse *g, mote_TaskBody *body)
{
    double sum = 0;
    mote_parallel_for(g->flow->step->outer->tasks, g->law.nodes[2], 1, body, g);
    for (size_t layer = 0; layer < g->law.nodes[2]; ++layer) sum += g->sums[layer];
    return sum;
}

/* Adds what a layer of cells has for its corners [first, end). */
static void add_cells(const Coarse *g, size_t layer, int first, int end)
{
    for (size_t k = g->layer[layer]; k < g->layer[layer + 1]; ++k) {
        const CoarseCell *cell = &g->used[k];
        double corner[8];
        for (int a = 0; a < 8; ++a) corner[a] = cell->particles * g->way[cell->node[a]];
        for (int a = first; a < end; ++a) {
            double sum = 0;
            for (int b = 0; b < 8; ++b) sum += g->product[a][b] * corner[b];
            g->answer[cell->node[a]] += sum;
        }
    }
}

/* answer = K way, and their product. */
static void multiply_body(void *context, size_t begin, size_t end, int worker)
{
    Coarse *g = context;
    const uint32_t cells = g->law.cells[2];
    (void)worker;
    for (size_t layer = begin; layer < end; ++layer) {
        const Nodes n = nodes_of(g, layer);
        double sum = 0;
        for (size_t i = n.begin; i < n.end; ++i) g->answer[i] = g->held[i] * g->way[i];
        if (layer > 0) add_cells(g, layer - 1, 4, 8);
        if (layer < cells) add_cells(g, layer, 0, 4);
        if (layer == 0 && (g->law.wraps[2] || g->law.flat)) add_cells(g, cells - 1, 4, 8);
        for (size_t i = n.begin; i < n.end; ++i) sum += g->way[i] * g->answer[i];
        g->sums[layer] = sum;
    }
}

/* One step along the way, and the product of what is left with itself. */
static void go_body(void *context, size_t begin, size_t end, int worker)
{
    Coarse *g = context;
    (void)worker;
    for (size_t layer = begin; layer < end; ++layer) {
        const Nodes n = nodes_of(g, layer);
        double sum = 0;
        for (size_t i = n.begin; i < n.end; ++i) {
            g->pressure[i] += g->length * g->way[i];
            g->left[i] -= g->length * g->answer[i];
            sum += g->left[i] * coarse_divided(g->left[i], g->diagonal[i]);
        }
        g->sums[layer] = sum;
    }
}

static void turn_body(void *context, size_t begin, size_t end, int worker)
{
    const Coarse *g = context;
    const Nodes n = {nodes_of(g, begin).begin, nodes_of(g, end - 1).end};
    (void)worker;
    for (size_t i = n.begin; i < n.end; ++i)
        g->way[i] = coarse_divided(g->left[i], g->diagonal[i]) + g->growth * g->way[i];
}

static void set_diagonal(Coarse *g)
{
    for (size_t n = 0; n < g->node_count; ++n) g->diagonal[n] = g->held[n];
    for (size_t k = 0; k < g->cell_count; ++k)
        for (int a = 0; a < 8; ++a)
            g->diagonal[g->used[k].node[a]] += g->used[k].particles * g->product[a][a];
}

static double start(Coarse *g)
{
    double product = 0;
    set_diagonal(g);
    for (size_t i = 0; i < g->node_count; ++i) {
        g->pressure[i] = 0, g->left[i] = g->wanted[i];
        g->way[i] = coarse_divided(g->left[i], g->diagonal[i]);
        product += g->left[i] * g->way[i];
    }
    return product;
}

void coarse_solve(Coarse *g)
{
    const double first = start(g);
    double product = first;
    for (int k = 0; k < COARSE_STEPS && product > COARSE_NEAR * COARSE_NEAR * first; ++k) {
        double curve = for_layers(g, multiply_body);
        if (!(curve > 0)) return;
        g->length = product / curve;
        double next = for_layers(g, go_body);
        g->growth = next / product;
        for_layers(g, turn_body);
        product = next;
    }
}
