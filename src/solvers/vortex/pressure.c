/* Pressure, from the flow that is published. With Bernoulli's B = p / rho + u^2 / 2 the divergence
 * of momentum's equation is
 *
 *     lap B = div(u x omega) + div f / rho
 *
 * f being what bodies push with: sources are where vorticity and bodies are, and nowhere else, so
 * that the sum over nodes, as over charges in free space, needs no nodes beyond. It is made when
 * somebody asks.
 *
 * It is p over the pressure far away. u x omega is the Lamb vector with the other sign. */
#include "base/math.h"
#include "base/status.h"
#include "solvers/vortex/penalise.h"
#include "solvers/vortex/solver.h"

#include <string.h>

/* A sum over the nodes of a grid. */
typedef struct Charges {
    mote_real *x[3], *zero, *charge, *core2; /* Pa m, of each node */
    size_t count;
} Charges;

static bool take_charges(Charges *c, size_t nodes, Arena *arena)
{
    mote_real *planes = arena_take(arena, 6 * nodes * sizeof *planes);
    if (planes == NULL) return false;
    memset(planes, 0, 6 * nodes * sizeof *planes);
    for (size_t k = 0; k < 3; ++k) c->x[k] = planes + k * nodes;
    c->zero = planes + 3 * nodes, c->charge = planes + 4 * nodes, c->core2 = planes + 5 * nodes;
    c->count = nodes;
    return true;
}

/* A grid of u x omega in place of velocity; then its slopes. NULL when out of memory. omega = curl
 * u by the grid's own differences, so that B is that of the velocity which is shown. */
static mote_real *lamb_slopes(const Vortex *vortex, Arena *arena)
{
    const FluidKernels *kernels = fluid_kernels(vortex->isa);
    VortexGrid lamb = vortex->shown;
    const size_t nodes = grid_node_count(&lamb), slabs = lamb.cells[2] + 1;
    mote_real *slopes = arena_take(arena, nodes * SLOPE_SIZE * sizeof *slopes);
    lamb.nodes = arena_take(arena, nodes * NODE_SIZE * sizeof *lamb.nodes);
    if (slopes == NULL || lamb.nodes == NULL) return NULL;
    kernels->slopes(&vortex->shown, NULL, 0, slabs, slopes);
    for (size_t k = 0; k < nodes; ++k) {
        const mote_real *u = vortex->shown.nodes + k * NODE_SIZE, *j = slopes + k * SLOPE_SIZE;
        const mote_Vec3 omega = vec3(j[4 + 2] - j[8 + 1], j[8 + 0] - j[2], j[1] - j[4 + 0]);
        const mote_Vec3 l = vec3_cross(vec3(u[0], u[1], u[2]), omega);
        mote_real *to = lamb.nodes + k * NODE_SIZE;
        memset(to, 0, NODE_SIZE * sizeof *to);
        to[0] = l.x, to[1] = l.y, to[2] = l.z;
    }
    kernels->slopes(&lamb, NULL, 0, slabs, slopes);
    return slopes;
}

/* In two dimensions the grid has the same twice: the first half of it is taken. */
static bool make_charges(const Vortex *vortex, const mote_VortexSolver *p, Charges *c, Arena *arena)
{
    const VortexGrid *g = &vortex->shown;
    const size_t nodes = grid_node_count(g), used = g->flat ? nodes / 2 : nodes;
    const mote_real *slopes = lamb_slopes(vortex, arena);
    const mote_real volume = grid_cell_volume(g);
    const mote_real size = real_exp(real_log(volume) / (g->flat ? 2 : 3));
    if (slopes == NULL || !take_charges(c, used, arena)) return false;
    for (size_t k = 0; k < used; ++k) {
        const mote_real *slope = slopes + k * SLOPE_SIZE;
        const size_t at[3] = {k % (g->cells[0] + 1), k / (g->cells[0] + 1) % (g->cells[1] + 1),
                              k / (g->cells[0] + 1) / (g->cells[1] + 1)};
        for (int a = 0; a < 3; ++a) c->x[a][k] = g->low[a] + (mote_real)at[a] * g->size[a];
        if (g->flat) c->x[2][k] = 0;
        const mote_real pushed =
            boundary_meshes(p->boundary) ? g->nodes[k * NODE_SIZE + NODE_SOURCE] : 0;
        c->charge[k] = volume * (pushed - p->density * (slope[0] + slope[5] + slope[10]));
        c->core2[k] = size * size / 4;
    }
    return true;
}

/* In the plane a charge's potential is - ln(r^2) / (4 pi). core2 keeps a point at a node finite:
 * half a cell is the radius of what a node stands for. */
static mote_real flat_sum(const Charges *c, const mote_real *const x[3], size_t i)
{
    double sum = 0;
    for (size_t k = 0; k < c->count; ++k) {
        if (!(c->charge[k] != 0)) continue;
        const double dx = (double)(x[0][i] - c->x[0][k]), dy = (double)(x[1][i] - c->x[1][k]);
        sum -= (double)c->charge[k] * math_log(dx * dx + dy * dy + (double)c->core2[k]);
    }
    return (mote_real)(sum / (4 * 3.14159265358979324));
}

static bool sum_charges(const Vortex *vortex, const Charges *c, const mote_FieldPoints *points,
                        mote_real *out, Arena *arena)
{
    mote_real *rest = arena_take(arena, 2 * points->count * sizeof *rest);
    InduceRequest r = {.core = core_row(vortex->isa, 0),
                       .quantity = QUANTITY_POTENTIAL,
                       .sources = {.count = c->count},
                       .count = points->count,
                       .out = {out, rest, rest + points->count},
                       .tree = tree_def(),
                       .arena = arena};
    if (rest == NULL) return false;
    for (int a = 0; a < 3; ++a) {
        r.x[a] = points->x[a], r.sources.plane[SOURCE_X + a] = c->x[a];
        r.sources.plane[SOURCE_ALPHA + a] = a == 0 ? c->charge : c->zero;
    }
    r.sources.plane[SOURCE_CORE2] = c->core2;
    return induce_auto.induce(&r);
}

/* p = rho (B - (u^2 - W^2) / 2), W being the wind. */
static void take_speed(const Vortex *vortex, const mote_VortexSolver *p,
                       const mote_FieldPoints *points, mote_real *out, mote_real *u)
{
    const size_t n = points->count;
    mote_real *planes[NODE_SIZE] = {u, u + n, u + 2 * n};
    vortex->kernels->gather(&vortex->shown, points->x, n, planes);
    for (size_t i = 0; i < n; ++i) {
        const mote_Vec3 v = vec3(u[i], u[n + i], u[2 * n + i]);
        out[i] -= p->density / 2 * (vec3_dot(v, v) - vec3_dot(p->wind, p->wind));
    }
}

/* Without memory there is no pressure. */
void sample_pressure(const Solver *solver, const mote_FieldPoints *points, mote_real *const out[3])
{
    const Vortex *vortex = solver->state;
    Memory memory = memory_make(mote_default_allocator());
    Arena arena = arena_make(&memory);
    Charges c;
    mote_real *u = arena_take(&arena, (3 * points->count + 1) * sizeof *u);
    for (size_t i = 0; i < points->count; ++i) out[0][i] = 0;
    if (points->count > 0 && u != NULL && vortex->shown.cells[0] > 0 &&
        make_charges(vortex, solver->object.params, &c, &arena)) {
        if (!vortex->shown.flat) sum_charges(vortex, &c, points, out[0], &arena);
        for (size_t i = 0; i < points->count && vortex->shown.flat; ++i)
            out[0][i] = flat_sum(&c, points->x, i);
        take_speed(vortex, solver->object.params, points, out[0], u);
    }
    arena_free(&arena);
}

/* ---- what bodies push with ---- */

/* - div f of the mesh, dealt out to the grid. */
void mesh_note_push(const VortexWork *work, VortexGrid *grid)
{
    const MeshFlow *f = work->mesh;
    const Lattice *l = &f->lattice;
    const double h = l->side, density = (double)work->params->density;
    const double share =
        -density / (double)work->dt * lattice_volume(l) / (2 * h) / (double)grid_cell_volume(grid);
    const size_t deep = l->flat ? 0 : 1, end = l->flat ? 1 : l->nodes[2] - 1;
    for (size_t k = 0; k < grid_node_count(grid); ++k) grid->nodes[k * NODE_SIZE + NODE_SOURCE] = 0;
    for (size_t i = 1; i + 1 < l->nodes[0]; ++i)
        for (size_t j = 1; j + 1 < l->nodes[1]; ++j)
            for (size_t k = deep; k < end; ++k) {
                const size_t at = (i * l->nodes[1] + j) * l->nodes[2] + k;
                double sum = 0;
                for (int a = 0; a < (l->flat ? 2 : 3); ++a)
                    sum += f->push[a][at + f->stride[a]] - f->push[a][at - f->stride[a]];
                if (!(sum != 0)) continue;
                const mote_real x[3] = {(mote_real)lattice_place(l, 0, i),
                                        (mote_real)lattice_place(l, 1, j),
                                        (mote_real)lattice_place(l, 2, k)};
                const GridPlace place = grid_place(grid, x);
                for (int corner = 0; corner < (l->flat ? 4 : 8); ++corner)
                    grid->nodes[grid_corner(grid, &place, corner) * NODE_SIZE + NODE_SOURCE] +=
                        grid_weight(&place, corner) * (mote_real)(share * sum);
            }
}
