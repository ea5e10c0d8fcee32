/* Stretching, tilting and baroclinic generation of vorticity.
 *
 *     D omega / Dt = (omega . grad) u + (1 / rho) grad rho x g
 *
 * Boussinesq with hydrostatic pressure; transposed stretching keeps the sum of strengths
 * (Winckelmans and Leonard, JCP 109, 1993).
 *
 * A vorton has one core for good, so a strength that stretching doubles over and over is no longer
 * a tube: strain makes more strength, more strength makes more strain, and without viscosity
 * nothing ends it. A real tube gets thin and folds instead, and its hairpins cancel as seen from a
 * core's distance, which keeps the energy (Chorin, JCP 91, 1990). So rows know how much of their
 * strength stretching made; it makes no more once a tube is `stretch_limit` times as long as what
 * was put in. Sources (buoyancy, walls, diffusion) are not limited, and tubes still tilt.
 *
 * J is du_k/dx_l, `j[3 k + l]`; classical d alpha / dt = J alpha, transposed J^T alpha, mixed half
 * of each. They differ by (J - J^T) alpha = curl u x alpha, zero where alpha points along the
 * vorticity. Published is half of it. */
#include "base/loop.h"
#include "solvers/vortex/vortons.h"

mote_Vec3 stretch_rate(int scheme, const mote_real j[9], mote_Vec3 a)
{
    mote_Vec3 direct =
        vec3(j[0] * a.x + j[1] * a.y + j[2] * a.z, j[3] * a.x + j[4] * a.y + j[5] * a.z,
             j[6] * a.x + j[7] * a.y + j[8] * a.z);
    mote_Vec3 transposed =
        vec3(j[0] * a.x + j[3] * a.y + j[6] * a.z, j[1] * a.x + j[4] * a.y + j[7] * a.z,
             j[2] * a.x + j[5] * a.y + j[8] * a.z);
    const mote_Vec3 rates[] = {vec3(0, 0, 0), direct, transposed,
                               vec3_scale(vec3_add(direct, transposed), (mote_real)0.5)};
    return rates[scheme];
}

/* Lines of vorticity have no ends, and vortons as a whole do only while each points along the
 * vorticity around it (Pedrizzetti, Fluid Dyn. Res. 10, 1992): they turn there and keep their size.
 * `vorticity` is curl u, from J's antisymmetric part. */
mote_Vec3 strength_rate(const VortexWork *work, const mote_real j[9], mote_Vec3 alpha)
{
    const mote_VortexSolver *p = work->params;
    const mote_Vec3 rate = stretch_rate(p->stretching, j, alpha);
    if (!(p->relaxation > 0)) return rate;
    const mote_Vec3 vorticity = vec3(j[7] - j[5], j[2] - j[6], j[3] - j[1]);
    const mote_real size = vec3_length(vorticity), most = (mote_real)0.3 / work->dt;
    if (!(size > 0)) return rate;
    const mote_Vec3 wanted = vec3_scale(vorticity, vec3_length(alpha) / size);
    return vec3_madd(rate, p->relaxation < most ? p->relaxation : most, vec3_sub(wanted, alpha));
}

static mote_Vec3 strength_of(const VortonRows *rows, size_t i)
{
    return vec3(rows->strength[0][i], rows->strength[1][i], rows->strength[2][i]);
}

static void set_strength(const VortonRows *rows, size_t i, mote_Vec3 a)
{
    rows->strength[0][i] = a.x, rows->strength[1][i] = a.y, rows->strength[2][i] = a.z;
}

/* The size that stretching may bring row i's strength to: a multiple of what it did not make; a
 * little less, so that rounding does not add up over many sub-steps. */
static mote_real most_strength(const VortonRows *rows, size_t i, mote_real size, mote_real limit)
{
    mote_real most = (size - rows->stretched[i]) * limit * (mote_real)(1 - 1e-6);
    return most > size ? most : size;
}

/* |d alpha| <= |alpha| / 2: a longer explicit step could turn a strength over. */
void stretch_strength(const mote_VortexSolver *p, const VortonRows *rows, size_t i,
                      mote_Vec3 change)
{
    mote_Vec3 old = strength_of(rows, i);
    mote_real before = vec3_length(old), step = vec3_length(change);
    if (step > before / 2) change = vec3_scale(change, before / 2 / step);
    mote_Vec3 made = vec3_add(old, change);
    mote_real after = vec3_length(made);
    mote_real most = most_strength(rows, i, before, p->stretch_limit);
    if (after > most) made = vec3_scale(made, most / after), after = most;
    mote_real all = rows->stretched[i] + (after - before), share = 1 - 1 / p->stretch_limit;
    rows->stretched[i] = all < share * after ? all : share * after;
    set_strength(rows, i, made);
}

/* ---- on the grid ---- */

/* What goes over slabs of nodes, then over pieces of the rows. */
typedef struct VortonPieces {
    const VortexWork *work;
    const VortonRows *rows;
    const VortexGrid *grid;
    mote_real *nodes, *slopes; /* SLOPE_SIZE for each node, and row */
    bool burns;
} VortonPieces;

/* A node's differences take some nanoseconds: fewer nodes than these are not worth handing out. */
enum { PIECE_NODES = 128 };

static void slab_body(void *context, size_t begin, size_t end, int worker)
{
    const VortonPieces *p = context;
    (void)worker;
    fluid_kernels(p->work->isa)->slopes(p->grid, p->work->weight.density, begin, end, p->nodes);
}

/* d alpha = gain V (grad rho x g) / rho0 dt. A light blob has grad rho outward, and the ring that
 * this makes lifts its middle. */
static void add_buoyancy(const VortonPieces *all, size_t begin, size_t end)
{
    const mote_VortexSolver *p = all->work->params;
    if (all->work->weight.density == NULL) return;
    for (size_t i = begin; i < end; ++i) {
        const mote_real *slope = all->slopes + i * SLOPE_SIZE + NODE_DENSITY;
        mote_Vec3 source = vec3_cross(vec3(slope[0], slope[4], slope[8]), all->work->gravity);
        mote_real scale = p->buoyancy / p->density * vorton_volume(all->rows, i) * all->work->dt;
        set_strength(all->rows, i, vec3_madd(strength_of(all->rows, i), scale, source));
    }
}

static void source_body(void *context, size_t begin, size_t end, int worker)
{
    const VortonPieces *p = context;
    const VortonRows *r = rows_of_grid(p->work, p->rows);
    const FluidWeight *weight = &p->work->weight;
    const SlopeJob job = {.x = {r->x[0] + begin, r->x[1] + begin, r->x[2] + begin},
                          .side = weight->density != NULL ? weight->side + begin : NULL,
                          .slopes = p->nodes,
                          .count = end - begin,
                          .out = p->slopes + begin * SLOPE_SIZE};
    (void)worker;
    fluid_kernels(p->work->isa)->slopes_at(p->grid, &job);
    add_buoyancy(p, begin, end);
    if (p->burns) burn_rows(p->work, p->rows, begin, end);
}

const mote_real *vortex_sources(const VortexWork *work, const VortonRows *rows,
                                const VortexGrid *grid, bool burns)
{
    size_t bytes = SLOPE_SIZE * sizeof(mote_real), nodes = grid_node_count(grid);
    size_t slab = nodes / (grid->cells[2] + 1), slabs = (PIECE_NODES + slab - 1) / slab;
    VortonPieces all = {.work = work,
                        .rows = rows,
                        .grid = grid,
                        .nodes = arena_take(work->arena, nodes * bytes),
                        .slopes = arena_take(work->arena, rows->count * bytes),
                        .burns = burns};
    if (all.nodes == NULL || all.slopes == NULL) return NULL;
    mote_parallel_for(work->tasks, grid->cells[2] + 1, slabs, slab_body, &all);
    mote_parallel_for(work->tasks, rows->count, VORTON_PIECE, source_body, &all);
    return all.slopes;
}

void stretch_rows(const VortexWork *work, const VortonRows *rows, const mote_real *slopes,
                  size_t begin, size_t end)
{
    if (!needs_gradients(work)) return;
    for (size_t i = begin; i < end; ++i) {
        const mote_real *slope = slopes + i * SLOPE_SIZE;
        mote_real j[9];
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l) j[3 * k + l] = slope[4 * l + k];
        mote_Vec3 alpha = strength_of(rows_of_grid(work, rows), i);
        mote_Vec3 rate = strength_rate(work, j, alpha);
        stretch_strength(work->params, rows, i, vec3_scale(rate, work->dt));
    }
}
