/* Conjugate gradients on the nodes of the coarse grid, in the order of dfsph_coarse_solve.c: layers
 * of nodes along z have a group of work-items each, and sums over their nodes are taken one after
 * another. What the processor adds to nodes cell by cell, nodes gather here from the cells around
 * in the same order. */
enum { CORNER_LOW = 1, CORNER_HIGH = 2 };

/* Cells beside a node along an axis, ascending; of which ends of theirs it is. */
typedef struct AxisCells {
    uint32_t cell[2], ends[2];
    int count;
} AxisCells;

static AxisCells cells_beside(const CoarseLaw *g, int c, uint32_t node, bool merged)
{
    const uint32_t cells = g->cells[c];
    const bool round = g->wraps[c] || (c == 2 && g->flat);
    AxisCells a = {{0, cells - 1}, {CORNER_LOW, CORNER_HIGH}, 1};
    if (node > 0) {
        a.cell[0] = node - 1, a.ends[0] = CORNER_HIGH;
        a.cell[1] = node, a.ends[1] = CORNER_LOW, a.count = node < cells ? 2 : 1;
    } else if (round && cells == 1 && merged) {
        a.ends[0] = CORNER_LOW | CORNER_HIGH;
    } else if (round) {
        a.count = 2;
    }
    return a;
}

typedef struct Around {
    AxisCells axis[3];
    int count;
} Around;

/* Cell by cell; or by layers of cells, where a node may be at both ends of one. */
static Around cells_around(const CoarseLaw *g, uint32_t node, bool by_layers)
{
    const uint32_t at[3] = {node % g->nodes[0], node / g->nodes[0] % g->nodes[1],
                            node / g->nodes[0] / g->nodes[1]};
    Around around;
    for (int c = 0; c < 3; ++c)
        around.axis[c] = cells_beside(g, c, at[c], c < 2 || !by_layers);
    around.count = around.axis[0].count * around.axis[1].count * around.axis[2].count;
    return around;
}

typedef struct CellAt {
    uint32_t at[3], ends[3];
    uint32_t number;
} CellAt;

static CellAt cell_around(const CoarseLaw *g, const Around *around, int n)
{
    CellAt cell;
    for (int c = 0; c < 3; ++c) {
        const AxisCells *axis = &around->axis[c];
        const bool second = n % axis->count > 0; /* registers have no numbers */
        cell.at[c] = second ? axis->cell[1] : axis->cell[0];
        cell.ends[c] = second ? axis->ends[1] : axis->ends[0];
        n /= axis->count;
    }
    cell.number = (cell.at[2] * g->cells[1] + cell.at[1]) * g->cells[0] + cell.at[0];
    return cell;
}

static bool is_corner(const CellAt *cell, int a)
{
    return (cell->ends[0] >> (a & 1) & 1) && (cell->ends[1] >> (a >> 1 & 1) & 1) &&
           (cell->ends[2] >> (a >> 2) & 1);
}

static double particles_in(global const int64_t *counts, const CellAt *cell)
{
    return (double)counts[cell->number] / COARSE_ONE;
}

/* ---- before the first step ---- */

/* Amounts at nodes; the diagonal; and no step has been done. */
kernel void coarse_collect(CoarseLaw g, double particles,
                           global const int64_t *counts, global const int64_t *parts,
                           global double *nodes, global double *state)
{
    const uint32_t n = get_global_id(0), all = g.nodes[0] * g.nodes[1] * g.nodes[2];
    if (n <= COARSE_STEPS) state[n] = 0;
    if (n >= all) return;
    const double scale[2] = {coarse_scale(as_double(parts[0]), particles),
                             coarse_scale(as_double(parts[1]), particles)};
    const double held = scale[0] > 0 ? (double)parts[2 + n] / scale[0] : 0;
    const Around around = cells_around(&g, n, false);
    double diagonal = held;
    for (int i = 0; i < around.count; ++i) {
        const CellAt cell = cell_around(&g, &around, i);
        const double inside = particles_in(counts, &cell);
        for (int a = 0; a < 8 && inside > 0; ++a)
            if (is_corner(&cell, a)) diagonal += inside * coarse_product(&g, a, a);
    }
    nodes[COARSE_HELD * all + n] = held;
    nodes[COARSE_WANTED * all + n] = scale[1] > 0 ? (double)parts[2 + all + n] / scale[1] : 0;
    nodes[COARSE_DIAGONAL * all + n] = diagonal;
}

/* All numbers of a plane in their order, by one group; of COARSE_WANTED none where something is
 * held, because then nobody asks. */
kernel void coarse_total(uint32_t count, uint32_t plane, double particles,
                         global const int64_t *parts, global const double *nodes,
                         global double *state)
{
    local double chunk[COARSE_GROUP];
    const uint32_t own = get_local_id(0);
    const bool held = coarse_scale(as_double(parts[0]), particles) > 0;
    const uint32_t end = held && plane == COARSE_WANTED ? 0 : count;
    nodes += (size_t)plane * count;
    double sum = 0;
    for (uint32_t base = 0; base < end; base += COARSE_GROUP) {
        chunk[own] = base + own < end ? nodes[base + own] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (own == 0) {
            const uint32_t some = min(end - base, (uint32_t)COARSE_GROUP);
            for (uint32_t k = 0; k < some; ++k) sum += chunk[k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (own == 0) state[plane == COARSE_WANTED ? COARSE_STEPS + 1 : 0] = sum;
}

/* Where nothing is held pressures are known but for a constant: what would change it is left out. */
static double levelled(const CoarseLaw *g, global const int64_t *counts, uint32_t n, double all,
                       double particles, double wanted)
{
    const Around around = cells_around(g, n, false);
    for (int i = 0; i < around.count; ++i) {
        const CellAt cell = cell_around(g, &around, i);
        const double inside = particles_in(counts, &cell);
        for (int a = 0; a < 8 && inside > 0; ++a)
            if (is_corner(&cell, a)) wanted -= all * inside / (8 * particles);
    }
    return wanted;
}

/* `light`: particles, each 1/s of one. */
kernel void coarse_start(CoarseLaw g, double particles, double light,
                         global const int64_t *counts, global const int64_t *parts,
                         global double *nodes, global const double *state)
{
    const uint32_t n = get_global_id(0), all = g.nodes[0] * g.nodes[1] * g.nodes[2];
    if (n >= all) return;
    double left = nodes[COARSE_WANTED * all + n];
    if (!(coarse_scale(as_double(parts[0]), particles) > 0))
        left = levelled(&g, counts, n, state[COARSE_STEPS + 1], light, left);
    const double way = coarse_divided(left, nodes[COARSE_DIAGONAL * all + n]);
    nodes[COARSE_PRESSURE * all + n] = 0;
    nodes[COARSE_LEFT * all + n] = left;
    nodes[COARSE_WAY_ODD * all + n] = way;
    nodes[COARSE_ANSWER * all + n] = left * way;
}

/* ---- a step ---- */

static double sum_of_layers(global const double *sums, uint32_t layers)
{
    double sum = 0;
    for (uint32_t layer = 0; layer < layers; ++layer) sum += sums[layer];
    return sum;
}

/* Of products of ways and answers, those of even and of odd steps; of what is left. */
static global double *curves_of(const CoarseLaw *g, global double *state, uint32_t step)
{
    return state + COARSE_SUMS + (step & 1) * g->nodes[2];
}

static global double *rests_of(const CoarseLaw *g, global double *state)
{
    return state + COARSE_SUMS + 2 * g->nodes[2];
}

static bool goes_on(global const double *state, double product)
{
    return product > COARSE_NEAR * COARSE_NEAR * state[0];
}

/* What is left before a step; 0 where the last one was not done. */
static double product_before(const CoarseLaw *g, global double *state, uint32_t step)
{
    const uint32_t layers = g->nodes[2];
    if (step == 0) return state[0];
    const bool done = goes_on(state, state[step - 1]) &&
                      sum_of_layers(curves_of(g, state, step - 1), layers) > 0;
    return done ? sum_of_layers(rests_of(g, state), layers) : 0;
}

/* The way of a step: of the last one, and what is left over the diagonal. */
typedef struct CoarseTurn {
    global const double *last, *rest;
    double growth;
    bool first;
} CoarseTurn;

static double way_at(const CoarseTurn *turn, uint32_t n)
{
    return turn->first ? turn->last[n] : turn->rest[n] + turn->growth * turn->last[n];
}

static double answer_of(const CoarseLaw *g, const local double *products,
                        global const int64_t *counts, const CoarseTurn *turn, uint32_t n,
                        double answer)
{
    const Around around = cells_around(g, n, true);
    for (int i = 0; i < around.count; ++i) {
        const CellAt cell = cell_around(g, &around, i);
        const double inside = particles_in(counts, &cell);
        uint32_t node[8];
        double corner[8];
        if (!(inside > 0)) continue;
        coarse_corners(g, cell.at, node);
        for (int a = 0; a < 8; ++a) corner[a] = inside * way_at(turn, node[a]);
        for (int a = 0; a < 8; ++a) {
            if (!is_corner(&cell, a)) continue;
            double sum = 0;
            for (int b = 0; b < 8; ++b) sum += products[8 * a + b] * corner[b];
            answer += sum;
        }
    }
    return answer;
}

/* The way; answer = K way, and their product by layers. */
kernel void coarse_multiply(CoarseLaw g, uint32_t step, global const int64_t *counts,
                            global double *nodes, global double *state)
{
    local double chunk[COARSE_GROUP], products[64];
    local double before[1];
    const uint32_t own = get_local_id(0), layer = get_group_id(0);
    const uint32_t each = g.nodes[0] * g.nodes[1], all = each * g.nodes[2];
    if (own == 0) before[0] = product_before(&g, state, step);
    if (own < 64) products[own] = coarse_product(&g, (int)(own / 8), (int)(own % 8));
    barrier(CLK_LOCAL_MEM_FENCE);
    const double product = before[0];
    const CoarseTurn turn = {nodes + COARSE_WAY * all + (step & 1 ? 0 : all),
                             nodes + COARSE_REST * all,
                             step > 0 ? product / state[step - 1] : 0, step == 0};
    global double *way = nodes + COARSE_WAY * all + (step & 1 ? all : 0);
    const uint32_t begin = layer * each, end = goes_on(state, product) ? begin + each : begin;
    double sum = 0;
    for (uint32_t base = begin; base < end; base += COARSE_GROUP) {
        const uint32_t n = base + own;
        if (n < end) {
            const double to = way_at(&turn, n);
            const double held = nodes[COARSE_HELD * all + n] * to;
            const double answer = answer_of(&g, products, counts, &turn, n, held);
            way[n] = to;
            nodes[COARSE_ANSWER * all + n] = answer;
            chunk[own] = to * answer;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (own == 0) {
            const uint32_t some = min(end - base, (uint32_t)COARSE_GROUP);
            for (uint32_t i = 0; i < some; ++i) sum += chunk[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (own > 0) return;
    if (layer == 0 && step > 0) state[step] = product;
    if (begin < end) curves_of(&g, state, step)[layer] = sum;
}

/* Along the way, and the product of what is left with itself, by layers. */
kernel void coarse_go(CoarseLaw g, uint32_t step, global double *nodes, global double *state)
{
    local double chunk[COARSE_GROUP];
    local double curve[1];
    const uint32_t own = get_local_id(0), layer = get_group_id(0);
    const uint32_t each = g.nodes[0] * g.nodes[1], all = each * g.nodes[2];
    const bool on = goes_on(state, state[step]);
    global const double *way = nodes + COARSE_WAY * all + (step & 1 ? all : 0);
    if (own == 0) curve[0] = on ? sum_of_layers(curves_of(&g, state, step), g.nodes[2]) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint32_t begin = layer * each, end = curve[0] > 0 ? begin + each : begin;
    const double length = state[step] / curve[0];
    double sum = 0;
    for (uint32_t base = begin; base < end; base += COARSE_GROUP) {
        const uint32_t n = base + own;
        if (n < end) {
            const double left =
                nodes[COARSE_LEFT * all + n] - length * nodes[COARSE_ANSWER * all + n];
            const double rest = coarse_divided(left, nodes[COARSE_DIAGONAL * all + n]);
            nodes[COARSE_PRESSURE * all + n] += length * way[n];
            nodes[COARSE_LEFT * all + n] = left;
            nodes[COARSE_REST * all + n] = rest;
            chunk[own] = left * rest;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (own == 0) {
            const uint32_t some = min(end - base, (uint32_t)COARSE_GROUP);
            for (uint32_t i = 0; i < some; ++i) sum += chunk[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (own == 0 && begin < end) rests_of(&g, state)[layer] = sum;
}
