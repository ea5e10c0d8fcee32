/* What vortons put on the grid: density, mass shares, velocity. */
#include "base/math.h"
#include "solvers/vortex/bins.h"
#include "solvers/vortex/penalise.h"
#include "solvers/vortex/sheets.h"
#include "solvers/vortex/spins.h"

#include <string.h>

/* Side of fluid of such a volume, as a cube, or a square; 0: a cell is larger. */
static mote_real fluid_side(const VortexGrid *grid, bool flat, mote_real volume)
{
    mote_real least = grid->size[0] < grid->size[1] ? grid->size[0] : grid->size[1];
    if (!flat && grid->size[2] < least) least = grid->size[2];
    if (!(volume > least * least * (flat ? 1 : least))) return 0;
    return real_exp(real_log(volume) / (flat ? 2 : 3));
}

/* Rows that make density deviations, and nodes of a grid that are filled, by pieces. */
typedef struct GridFilling {
    const VortexWork *work;
    const VortonRows *rows;
    VortexGrid *grid;
    DealJob deal;
    FluidWeight weight;
    mote_real *density, *core2; /* of rows */
    mote_real least;            /* m, core radius */
    mote_real *x[3], *u[3];     /* of nodes, in lines */
    mote_Vec3 wind;
    VortexGrid *quiet;
} GridFilling;

/* A row, or a node, takes some nanoseconds in most of these loops: fewer of them are not worth
 * handing out. Nodes at bodies that turn take ten times as long. */
enum { PIECE_ROWS = 1024, PIECE_NODES = 2048, PIECE_STIRRED = 128 };

static void weigh_body(void *context, size_t begin, size_t end, int worker)
{
    const GridFilling *f = context;
    const VortonRows *rows = f->rows;
    const mote_real inverse = 1 / grid_cell_volume(f->grid);
    mote_real before = 0, side = 0; /* most are as large as the one before */
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const mote_real volume = vorton_volume(rows, i);
        f->density[i] = gas_deviation(f->work->params, rows->temperature[i]) * volume * inverse;
        if (volume != before) side = fluid_side(f->grid, rows->flat, volume);
        f->weight.side[i] = side, before = volume;
    }
}

/* Hats that reach over r cells have a variance of r^2 / 6: half of that of both, for dealing out
 * and for reading back, of what vortons reach over in the mean. */
static void find_shares(const GridFilling *f, mote_real share[3])
{
    const size_t count = f->rows->count;
    double sum[3] = {0};
    for (size_t i = 0; i < count; ++i) {
        const mote_real side = f->weight.side[i];
        for (int c = 0; c < 3; ++c) {
            const double reach = side > 0 ? (double)grid_reach(f->grid, c, side) : 1;
            sum[c] += reach * reach;
        }
    }
    for (int c = 0; c < 3; ++c) share[c] = (mote_real)(sum[c] / (6 * (double)count + (count == 0)));
}

/* In the order of the rows, by one worker: beside sums over all vortons at all nodes that is
 * little.
 */
static void deal_out(const GridFilling *f)
{
    const FluidKernels *kernels = fluid_kernels(f->work->isa);
    mote_real share[3];
    kernels->deal(f->grid, &f->deal);
    if (f->weight.density == NULL) return;
    find_shares(f, share);
    kernels->sharpen(f->grid, share, 0, f->grid->cells[2] + 1, f->weight.density);
}

/* Whether density makes vorticity. */
static bool has_weight(const VortexWork *work)
{
    return work->params->buoyancy > 0 && vec3_length(work->gravity) > 0;
}

static bool take_weight(const VortexWork *work, size_t rows, size_t nodes, FluidWeight *weight)
{
    *weight = (FluidWeight){.side = arena_take(work->arena, rows * sizeof *weight->side)};
    if (!has_weight(work)) return weight->side != NULL;
    weight->density = arena_take(work->arena, nodes * sizeof *weight->density);
    return weight->side != NULL && weight->density != NULL;
}

/* Density deviation and mass shares, to be dealt out to the nodes. rho' V over the cell's volume is
 * extensive: nodes times cells sum up to what the vortons have. No node becomes lighter than a
 * twentieth of the surroundings: overlapping hot vortons would add up to less than nothing. */
static bool weigh_rows(GridFilling *f)
{
    const VortonRows *rows = f->rows;
    f->density = arena_take(f->work->arena, rows->count * sizeof *f->density);
    if (f->density == NULL ||
        !take_weight(f->work, rows->count, grid_node_count(f->grid), &f->weight))
        return false;
    f->deal = (DealJob){.x = {rows->x[0], rows->x[1], rows->x[2]},
                        .density = f->density,
                        .side = f->weight.side,
                        .fuel = rows->fuel,
                        .flame = rows->flame,
                        .smoke = rows->smoke,
                        .count = rows->count,
                        .least_density = (mote_real)-0.95 * f->work->params->density};
    mote_parallel_for(f->work->tasks, rows->count, PIECE_ROWS, weigh_body, f);
    return true;
}

bool vortex_deposit(VortexWork *work, const VortonRows *rows, VortexGrid *grid)
{
    GridFilling f = {.work = work, .rows = rows, .grid = grid};
    if (!weigh_rows(&f)) return false;
    deal_out(&f);
    work->weight = f.weight;
    return true;
}

/* ---- nodes as points ---- */

/* Nodes as points go line by line along z. Their order is that of `line` in InduceRequest, not that
 * of the grid's memory, which has x fastest. */
typedef struct NodeLine {
    size_t first, count; /* points */
    size_t at[2];        /* x and y of all */
    mote_real *node;     /* of the first one */
    size_t step;         /* numbers from a node to the next */
} NodeLine;

static NodeLine node_line(const VortexGrid *grid, size_t number)
{
    const size_t row = grid->cells[0] + 1, slab = row * (grid->cells[1] + 1);
    NodeLine line = {.count = grid->cells[2] + 1, .at = {number % row, number / row}};
    line.first = number * line.count;
    line.node = grid->nodes + grid_node(grid, line.at[0], line.at[1], 0) * NODE_SIZE;
    line.step = slab * NODE_SIZE;
    return line;
}

static void over_lines(const GridFilling *f, size_t nodes, mote_TaskBody *body)
{
    const size_t *cells = f->grid->cells, lines = (cells[0] + 1) * (cells[1] + 1);
    mote_parallel_for(f->work->tasks, lines, nodes / (cells[2] + 1) + 1, body, (void *)f);
}

static void place_line(const VortexGrid *grid, const NodeLine *line, mote_real *const x[3])
{
    const mote_real *low = grid->low, *size = grid->size;
    const mote_real here[2] = {low[0] + (mote_real)line->at[0] * size[0],
                               low[1] + (mote_real)line->at[1] * size[1]};
    for (int c = 0; c < 2; ++c)
        for (size_t k = 0; k < line->count; ++k) x[c][line->first + k] = here[c];
    for (size_t k = 0; k < line->count; ++k)
        x[2][line->first + k] = low[2] + (mote_real)k * size[2];
}

static void put_line(const NodeLine *line, mote_real *const u[3], mote_Vec3 wind)
{
    const mote_real *from[3] = {u[0] + line->first, u[1] + line->first, u[2] + line->first};
    mote_real *node = line->node;
    for (size_t k = 0; k < line->count; ++k, node += line->step)
        node[0] = from[0][k] + wind.x, node[1] = from[1][k] + wind.y, node[2] = from[2][k] + wind.z;
}

/* What the nodes have, into points, and whole to other nodes. */
static void take_line(const NodeLine *line, mote_real *const u[3], mote_real *quiet)
{
    const mote_real *node = line->node;
    for (size_t k = 0; k < line->count; ++k, node += line->step, quiet += line->step) {
        for (int c = 0; c < 3; ++c) u[c][line->first + k] = node[c];
        memcpy(quiet, node, NODE_SIZE * sizeof *node);
    }
}

static void place_body(void *context, size_t begin, size_t end, int worker)
{
    const GridFilling *f = context;
    (void)worker;
    for (size_t l = begin; l < end; ++l) {
        const NodeLine line = node_line(f->grid, l);
        place_line(f->grid, &line, f->x);
    }
}

static void put_body(void *context, size_t begin, size_t end, int worker)
{
    const GridFilling *f = context;
    (void)worker;
    for (size_t l = begin; l < end; ++l) {
        const NodeLine line = node_line(f->grid, l);
        put_line(&line, f->u, f->wind);
    }
}

/* Squares of core radii, none smaller than `least`. */
static void core_body(void *context, size_t begin, size_t end, int worker)
{
    const GridFilling *f = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        mote_real radius = f->rows->radius[i] > f->least ? f->rows->radius[i] : f->least;
        f->core2[i] = radius * radius;
    }
}

static bool take_points(GridFilling *f)
{
    const size_t nodes = grid_node_count(f->grid);
    mote_real *planes = arena_take(f->work->arena, 6 * nodes * sizeof *planes);
    for (size_t c = 0; c < 3 && planes != NULL; ++c)
        f->x[c] = planes + c * nodes, f->u[c] = planes + (3 + c) * nodes;
    return planes != NULL;
}

static InduceRequest node_request(const GridFilling *f, SideJob *side)
{
    const VortexWork *work = f->work;
    const mote_VortexSolver *p = work->params;
    InduceRequest r = {.core = work->core,
                       .sources = {.count = f->rows->count},
                       .count = grid_node_count(f->grid),
                       .line = f->grid->cells[2] + 1,
                       .tree = {p->angle, (int)p->order, tree_def().leaf},
                       .tasks = work->tasks,
                       .arena = work->arena,
                       .share = work->share,
                       .device = work->device,
                       .side = side};
    for (int c = 0; c < 3; ++c) {
        r.sources.plane[SOURCE_X + c] = f->rows->x[c];
        r.sources.plane[SOURCE_ALPHA + c] = f->rows->strength[c];
        r.x[c] = f->x[c], r.out[c] = f->u[c];
    }
    r.sources.plane[SOURCE_CORE2] = f->core2;
    return r;
}

/* Velocity at the nodes, of cores that are no smaller than `mollify` cells: between nodes it is
 * interpolated, and a core that falls between them would be seen or not as it moves. The far field
 * stays, since strengths do; the articles' part 12 has it as auto-mollification. */
static bool fill_velocity(GridFilling *f, SideJob *side)
{
    const VortexWork *work = f->work;
    const mote_VortexSolver *p = work->params;
    f->wind = p->wind, f->least = grid_least_core(f->grid, p);
    f->core2 = arena_take(work->arena, f->rows->count * sizeof *f->core2);
    if (f->core2 == NULL || !take_points(f)) return false;
    const InduceRequest r = node_request(f, side);
    mote_parallel_for(work->tasks, f->rows->count, PIECE_ROWS, core_body, f);
    over_lines(f, PIECE_NODES, place_body);
    const bool room =
        work->mesh != NULL ? mesh_velocity(work, &r) : induce_row(p->induction)->induce(&r);
    if (!room) return false;
    side_job_finish(side);
    over_lines(f, PIECE_NODES, put_body);
    if (work->mesh != NULL) mesh_note_push(work, f->grid);
    if (work->flat) grid_copy_flat(f->grid);
    return true;
}

bool vortex_fill_velocity(const VortexWork *work, const VortonRows *rows, VortexGrid *grid)
{
    return fill_velocity(&(GridFilling){.work = work, .rows = rows, .grid = grid}, NULL);
}

/* What needs no velocity: what is dealt out, and who is near whom. */
typedef struct FillBeside {
    GridFilling filling;
    BinsRequest request;
    PointBins *bins; /* NULL: nobody asks */
} FillBeside;

static void fill_part(void *context, size_t part)
{
    FillBeside *b = context;
    if (part == 0)
        deal_out(&b->filling);
    else
        bins_sort(b->bins, &b->request);
}

static bool take_bins(FillBeside *b)
{
    const VortexWork *work = b->filling.work;
    const VortonRows *rows = b->filling.rows;
    const mote_real *size = b->filling.grid->size;
    if (!(work->params->exchange > 0 || work->params->heat_exchange > 0)) return true;
    b->request = (BinsRequest){.x = {rows->x[0], rows->x[1], rows->x[2]},
                               .count = rows->count,
                               .side = {size[0], size[1], size[2]},
                               .arena = work->arena};
    b->bins = arena_take(work->arena, sizeof *b->bins);
    return b->bins != NULL && bins_room(b->bins, &b->request);
}

bool vortex_fill(VortexWork *work, const VortonRows *rows, VortexGrid *grid)
{
    GridFilling f = {.work = work, .rows = rows, .grid = grid};
    FillBeside beside = {.filling = f};
    if (!weigh_rows(&beside.filling) || !take_bins(&beside)) return false;
    work->weight = beside.filling.weight, work->bins = beside.bins;
    const size_t parts = beside.bins != NULL ? 2 : 1;
    return fill_velocity(&f, &(SideJob){.run = fill_part, .context = &beside, .parts = parts});
}

/* ---- what bodies drag along ---- */

static void stir_body(void *context, size_t begin, size_t end, int worker)
{
    const GridFilling *f = context;
    const size_t line_count = f->grid->cells[2] + 1, first = begin * line_count;
    mote_real *x[3], *u[3];
    (void)worker;
    for (int c = 0; c < 3; ++c) x[c] = f->x[c] + first, u[c] = f->u[c] + first;
    for (size_t l = begin; l < end; ++l) {
        const NodeLine line = node_line(f->grid, l);
        place_line(f->grid, &line, f->x);
        take_line(&line, f->u, f->quiet->nodes + (line.node - f->grid->nodes));
    }
    add_spins(f->work, (const mote_real *const[]){x[0], x[1], x[2]}, (end - begin) * line_count, u);
    if (f->work->sheets == NULL) put_body(context, begin, end, worker);
}

/* Tracers and fields see the air that turning bodies drag along; vortons go by `quiet`, without it
 * (spins.c says why). */
bool vortex_stir(const VortexWork *work, VortexGrid *grid, VortexGrid *quiet)
{
    const size_t nodes = grid_node_count(grid);
    GridFilling f = {.work = work, .grid = grid, .quiet = quiet};
    *quiet = *grid;
    if (work->spins.count == 0 && work->sheets == NULL) return true;
    quiet->nodes = arena_take(work->arena, nodes * NODE_SIZE * sizeof *grid->nodes);
    if (quiet->nodes == NULL || !take_points(&f)) return false;
    over_lines(&f, PIECE_STIRRED, stir_body);
    if (work->sheets == NULL) return true;
    add_sheets(work, (const mote_real *const[]){f.x[0], f.x[1], f.x[2]}, nodes, f.u);
    over_lines(&f, PIECE_NODES, put_body);
    return true;
}
