/* Vorticity and velocity on a mesh: induction by Fourier transforms, differences for the rest. */
#include "solvers/vortex/mesh_flow.h"

#include "solvers/vortex/fourier.h"
#include "solvers/vortex/shed.h"

#include <string.h>

/* Nodes beyond what has to be covered: for M4' and for the way of a sub-step. */
enum { MARGIN = 4 };
/* Explicit Euler of the seven-point Laplacian is stable up to 1/6 in three dimensions, and keeps
 * vorticity's sign up to there. */
#define STABLE_SHARE 0.12 /* of nu dt / h^2, three axes */

/* ---- making one ---- */

static bool take_planes(const MeshFlow *flow, double *planes[3])
{
    return lattice_planes(&flow->lattice, flow->work->arena, planes);
}

static bool shape(MeshFlow *flow, const double low[3], const double high[3])
{
    Lattice *l = &flow->lattice;
    double all = 1;
    for (int c = 0; c < 3; ++c) {
        const double first = __builtin_floor(low[c] / l->side) - MARGIN;
        const double last = __builtin_ceil(high[c] / l->side) + MARGIN;
        const bool thin = l->flat && c == 2;
        if (!(first > -1e9 && last < 1e9)) return false;
        l->low[c] = thin ? 0 : (ptrdiff_t)first;
        l->nodes[c] = thin ? 1 : (size_t)(last - first) + 1;
        all *= (double)l->nodes[c];
    }
    flow->stride[2] = 1, flow->stride[1] = l->nodes[2];
    flow->stride[0] = l->nodes[1] * l->nodes[2];
    return all <= FOURIER_MOST_NODES;
}

/* What rows bring to the nodes. */
static bool take_vorticity(MeshFlow *flow, const VortonRows *rows)
{
    Arena *arena = flow->work->arena;
    double *numbers = arena_take(arena, (rows->count + 1) * DEALT_NUMBERS * sizeof *numbers);
    double *excess = arena_take(arena, (rows->count + 1) * sizeof *excess);
    const mote_real *const x[3] = {rows->x[0], rows->x[1], rows->x[2]};
    const LatticeDeal deal = {x, rows->count, numbers, excess};
    const double volume = lattice_volume(&flow->lattice);
    if (numbers == NULL || excess == NULL) return false;
    memset(numbers, 0, rows->count * DEALT_NUMBERS * sizeof *numbers);
    for (size_t i = 0; i < rows->count; ++i) {
        excess[i] = 0;
        for (int c = 0; c < 3; ++c)
            numbers[i * DEALT_NUMBERS + (size_t)c] = (double)rows->strength[c][i];
    }
    const double *nodes = lattice_deal(&flow->lattice, &deal, arena, flow->work->tasks);
    if (nodes == NULL) return false;
    for (size_t k = 0; k < lattice_count(&flow->lattice); ++k)
        for (int c = 0; c < 3; ++c)
            flow->vorticity[c][k] = nodes[k * DEALT_NUMBERS + (size_t)c] / volume;
    return true;
}

MeshFlow *mesh_flow_make(const VortexWork *work, const VortonRows *rows, double side,
                         const double low[3], const double high[3])
{
    MeshFlow *flow = arena_take(work->arena, sizeof *flow);
    double from[3] = {low[0], low[1], low[2]}, to[3] = {high[0], high[1], high[2]};
    if (flow == NULL) return NULL;
    *flow = (MeshFlow){.work = work, .lattice = {.side = side, .flat = work->flat}};
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < rows->count; ++i) {
            from[c] = (double)rows->x[c][i] < from[c] ? (double)rows->x[c][i] : from[c];
            to[c] = (double)rows->x[c][i] > to[c] ? (double)rows->x[c][i] : to[c];
        }
    if (!shape(flow, from, to) || !take_planes(flow, flow->vorticity) ||
        !take_planes(flow, flow->change) || !take_planes(flow, flow->velocity) ||
        !take_planes(flow, flow->push) || !take_vorticity(flow, rows))
        return NULL;
    return flow;
}

/* ---- induction ---- */

/* Between the nodes and a wave. */
static void copy_in(const MeshFlow *flow, const double *plane, const FourierMesh *mesh, float *wave)
{
    const size_t *n = flow->lattice.nodes;
    const double volume = lattice_volume(&flow->lattice);
    for (size_t i = 0; i < n[0]; ++i)
        for (size_t j = 0; j < n[1]; ++j)
            for (size_t k = 0; k < n[2]; ++k)
                wave[fourier_node(mesh, i, j, k)] = (float)(volume * *plane++);
}

static void copy_out(const MeshFlow *flow, const FourierMesh *mesh, const float *wave, double more,
                     double *plane)
{
    const size_t *n = flow->lattice.nodes;
    const double scale = 1 / (double)fourier_size(mesh);
    for (size_t i = 0; i < n[0]; ++i)
        for (size_t j = 0; j < n[1]; ++j)
            for (size_t k = 0; k < n[2]; ++k)
                *plane++ = more + scale * (double)wave[fourier_node(mesh, i, j, k)];
}

/* The core of nodes is `remesh_overlap` sides wide, as that of the vortons which they become. */
bool mesh_flow_induce(MeshFlow *flow)
{
    const VortexWork *work = flow->work;
    const Lattice *l = &flow->lattice;
    const InduceRequest request = {.core = work->core,
                                   .quantity = QUANTITY_VELOCITY,
                                   .tasks = work->tasks,
                                   .arena = work->arena};
    const mote_real core = (mote_real)l->side * work->params->remesh_overlap;
    FourierMesh mesh = {.request = &request, .side = l->side, .core2 = core * core};
    memcpy(mesh.nodes, l->nodes, sizeof mesh.nodes);
    if (!fourier_lengths(&mesh)) return false;
    bool room = fourier_take(&mesh);
    for (int c = 0; c < 3 && room; ++c) copy_in(flow, flow->vorticity[c], &mesh, mesh.wave[c].re);
    room = room && fourier_convolve(&mesh);
    if (room) {
        const mote_Vec3 wind = work->params->wind;
        copy_out(flow, &mesh, mesh.wave[0].re, (double)wind.x, flow->velocity[0]);
        copy_out(flow, &mesh, mesh.wave[0].im, (double)wind.y, flow->velocity[1]);
        if (!l->flat) copy_out(flow, &mesh, mesh.wave[1].re, (double)wind.z, flow->velocity[2]);
    }
    fourier_give_back(&mesh);
    return room;
}

/* ---- differences ---- */

/* Planes of nodes, but for the first and the last. */
typedef struct MeshPass {
    MeshFlow *flow;
    double factor;
    double *made[3];
    void (*node)(const struct MeshPass *pass, size_t at);
} MeshPass;

static void pass_body(void *context, size_t begin, size_t end, int worker)
{
    const MeshPass *p = context;
    const Lattice *l = &p->flow->lattice;
    const size_t low = l->flat ? 0 : 1, high = l->flat ? 1 : l->nodes[2] - 1;
    (void)worker;
    for (size_t i = begin + 1; i < end + 1; ++i)
        for (size_t j = 1; j + 1 < l->nodes[1]; ++j)
            for (size_t k = low; k < high; ++k) p->node(p, (i * l->nodes[1] + j) * l->nodes[2] + k);
}

static void run_pass(const MeshPass *pass)
{
    const MeshFlow *flow = pass->flow;
    mote_parallel_for(flow->work->tasks, flow->lattice.nodes[0] - 2, 4, pass_body,
                      (void *)(uintptr_t)pass);
}

/* Central difference over two cells, not divided; none along z in two dimensions. f' = (f(x + h) -
 * f(x - h)) / (2 h); the divisor is in the pass's factor. */
static double difference(const MeshFlow *flow, const double *plane, size_t at, int axis)
{
    if (flow->lattice.flat && axis == 2) return 0;
    return plane[at + flow->stride[axis]] - plane[at - flow->stride[axis]];
}

/* The curl of what bodies push. shed = curl(chi (U - u)). */
static void push_node(const MeshPass *pass, size_t at)
{
    const MeshFlow *f = pass->flow;
    for (int c = f->lattice.flat ? 2 : 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        f->shed[c][at] =
            pass->factor * (difference(f, f->push[e], at, d) - difference(f, f->push[d], at, e));
    }
}

bool mesh_flow_curl_push(MeshFlow *flow)
{
    if (!take_planes(flow, flow->shed)) return false;
    run_pass(&(MeshPass){.flow = flow, .factor = 0.5 / flow->lattice.side, .node = push_node});
    return true;
}

/* d omega / dt = nu lap omega, of what there was and what was changed already. */
static void diffuse_node(const MeshPass *pass, size_t at)
{
    const MeshFlow *f = pass->flow;
    const int axes = f->lattice.flat ? 2 : 3;
    for (int c = f->lattice.flat ? 2 : 0; c < 3; ++c) {
        const double *w = f->vorticity[c], *m = f->change[c];
        double sum = -2 * axes * (w[at] + m[at]);
        for (int a = 0; a < axes; ++a) {
            const size_t up = at + f->stride[a], down = at - f->stride[a];
            sum += w[up] + m[up] + w[down] + m[down];
        }
        pass->made[c][at] = pass->factor * sum;
    }
}

/* d omega_i / dt = d (omega_j u_i) / dx_j, which keeps the sum of vorticity. */
static void stretch_node(const MeshPass *pass, size_t at)
{
    const MeshFlow *f = pass->flow;
    for (int c = 0; c < 3; ++c) {
        double sum = 0;
        for (int a = 0; a < 3; ++a) {
            const size_t up = at + f->stride[a], down = at - f->stride[a];
            sum += f->vorticity[a][up] * f->velocity[c][up] -
                   f->vorticity[a][down] * f->velocity[c][down];
        }
        pass->made[c][at] = pass->factor * sum;
    }
}

static void add_made(MeshFlow *flow, double *const made[3])
{
    for (int c = 0; c < 3; ++c)
        for (size_t k = 0; k < lattice_count(&flow->lattice); ++k) flow->change[c][k] += made[c][k];
}

bool mesh_flow_diffuse(MeshFlow *flow)
{
    const double h = flow->lattice.side;
    const double whole = (double)flow->work->params->viscosity * (double)flow->work->dt / (h * h);
    const int steps = (int)(whole / STABLE_SHARE) + 1;
    MeshPass pass = {.flow = flow, .factor = whole / steps, .node = diffuse_node};
    if (!(whole > 0)) return true;
    if (!take_planes(flow, pass.made)) return false;
    for (int k = 0; k < steps; ++k) {
        run_pass(&pass);
        add_made(flow, pass.made);
    }
    return true;
}

bool mesh_flow_stretch(MeshFlow *flow)
{
    const double factor = 0.5 * (double)flow->work->dt / flow->lattice.side;
    MeshPass pass = {.flow = flow, .factor = factor, .node = stretch_node};
    if (flow->lattice.flat || flow->work->params->stretching == 0) return true;
    if (!take_planes(flow, pass.made)) return false;
    run_pass(&pass);
    add_made(flow, pass.made);
    return true;
}

/* ---- reading ---- */

static double in_sides(const Lattice *l, int axis, double x)
{
    return x / l->side - (double)l->low[axis];
}

bool mesh_flow_covers(const MeshFlow *flow, mote_Vec3 x)
{
    const double place[3] = {(double)x.x, (double)x.y, (double)x.z};
    for (int c = 0; c < (flow->lattice.flat ? 2 : 3); ++c) {
        const double at = in_sides(&flow->lattice, c, place[c]);
        if (!(at >= 1 && at < (double)flow->lattice.nodes[c] - 2)) return false;
    }
    return true;
}

/* Weights of nodes along an axis. Places outside are moved to where all four nodes exist: the flow
 * there is that of the mesh's edge. */
static size_t axis_weights(const Lattice *l, int axis, double x, double w[M4_NODES])
{
    w[0] = 1, w[1] = w[2] = w[3] = 0;
    if (l->flat && axis == 2) return 0;
    const double most = (double)l->nodes[axis] - 2.001;
    double at = in_sides(l, axis, x);
    at = at < 1 ? 1 : at;
    return (size_t)m4_weights(at < most ? at : most, w);
}

mote_Vec3 mesh_flow_at(const MeshFlow *flow, double *const plane[3], mote_Vec3 x)
{
    const Lattice *l = &flow->lattice;
    const double place[3] = {(double)x.x, (double)x.y, (double)x.z};
    double w[3][M4_NODES], u[3] = {0};
    size_t first[3];
    for (int c = 0; c < 3; ++c) first[c] = axis_weights(l, c, place[c], w[c]);
    for (size_t i = 0; i < M4_NODES; ++i)
        for (size_t j = 0; j < M4_NODES; ++j)
            for (size_t k = 0; k < (l->flat ? 1 : M4_NODES); ++k) {
                const size_t at =
                    ((first[0] + i) * l->nodes[1] + first[1] + j) * l->nodes[2] + first[2] + k;
                const double share = w[0][i] * w[1][j] * w[2][k];
                for (int c = 0; c < 3; ++c) u[c] += share * plane[c][at];
            }
    return vec3((mote_real)u[0], (mote_real)u[1], (mote_real)u[2]);
}
