/* Vorticity and velocity on a mesh: induction by Fourier transforms, reading by M4'. */
#include "solvers/vortex/mesh_flow.h"

#include "solvers/vortex/fourier.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/solver.h"

#include <string.h>

/* Nodes beyond what has to be covered: for M4' and for the way of a sub-step. */
enum { MARGIN = 4 };

/* A row or a node takes some nanoseconds. */
enum { PIECE = 2048 };

/* ---- making one ---- */

bool mesh_flow_take(const MeshFlow *flow, double *planes[3])
{
    return lattice_planes(&flow->lattice, flow->work->arena, flow->work->tasks, planes);
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

typedef struct MeshTaking {
    MeshFlow *flow;
    const VortonRows *rows;
    double *numbers, *excess; /* of rows */
    const double *nodes;
} MeshTaking;

static void offer_body(void *context, size_t begin, size_t end, int worker)
{
    const MeshTaking *t = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        double *numbers = t->numbers + i * DEALT_NUMBERS;
        t->excess[i] = 0;
        for (size_t k = 0; k < DEALT_NUMBERS; ++k)
            numbers[k] = k < 3 ? (double)t->rows->strength[k][i] : 0;
    }
}

static void take_body(void *context, size_t begin, size_t end, int worker)
{
    const MeshTaking *t = context;
    const double volume = lattice_volume(&t->flow->lattice);
    (void)worker;
    for (size_t k = begin; k < end; ++k)
        for (int c = 0; c < 3; ++c)
            t->flow->vorticity[c][k] = t->nodes[k * DEALT_NUMBERS + (size_t)c] / volume;
}

/* What rows bring to the nodes. */
static bool take_vorticity(MeshFlow *flow, const VortonRows *rows)
{
    Arena *arena = flow->work->arena;
    double *numbers = arena_take(arena, (rows->count + 1) * DEALT_NUMBERS * sizeof *numbers);
    double *excess = arena_take(arena, (rows->count + 1) * sizeof *excess);
    const mote_real *const x[3] = {rows->x[0], rows->x[1], rows->x[2]};
    const LatticeDeal deal = {x, rows->count, numbers, excess};
    mote_Tasks *tasks = flow->work->tasks;
    MeshTaking taking = {flow, rows, numbers, excess, NULL};
    if (numbers == NULL || excess == NULL) return false;
    mote_parallel_for(tasks, rows->count, PIECE, offer_body, &taking);
    taking.nodes = lattice_deal(&flow->lattice, &deal, arena, tasks);
    if (taking.nodes == NULL) return false;
    mote_parallel_for(tasks, lattice_count(&flow->lattice), PIECE, take_body, &taking);
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
    work->vortex->too_wide = !shape(flow, from, to);
    if (work->vortex->too_wide || !mesh_flow_take(flow, flow->vorticity) ||
        !mesh_flow_take(flow, flow->change) || !mesh_flow_take(flow, flow->velocity) ||
        !mesh_flow_take(flow, flow->push) || !take_vorticity(flow, rows))
        return NULL;
    return flow;
}

/* ---- induction ---- */

/* Between the nodes and waves, by planes across the first axis. */
typedef struct WaveCopy {
    MeshFlow *flow;
    const FourierMesh *mesh;
} WaveCopy;

static void copy_in(const WaveCopy *copy, int c, size_t i)
{
    const size_t *n = copy->flow->lattice.nodes;
    const double volume = lattice_volume(&copy->flow->lattice);
    const double *plane = copy->flow->vorticity[c] + i * n[1] * n[2];
    for (size_t j = 0; j < n[1]; ++j)
        for (size_t k = 0; k < n[2]; ++k)
            copy->mesh->wave[c].re[fourier_node(copy->mesh, i, j, k)] = (float)(volume * *plane++);
}

static void copy_out(const WaveCopy *copy, int c, size_t i)
{
    const Wave *waves = copy->mesh->wave;
    const float *wave[3] = {waves[0].re, waves[0].im, waves[1].re};
    const mote_Vec3 w = copy->flow->work->params->wind;
    const double wind[3] = {(double)w.x, (double)w.y, (double)w.z};
    const size_t *n = copy->flow->lattice.nodes;
    const double scale = 1 / (double)fourier_size(copy->mesh);
    double *plane = copy->flow->velocity[c] + i * n[1] * n[2];
    for (size_t j = 0; j < n[1]; ++j)
        for (size_t k = 0; k < n[2]; ++k)
            *plane++ = wind[c] + scale * (double)wave[c][fourier_node(copy->mesh, i, j, k)];
}

static void in_body(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        for (int c = 0; c < 3; ++c) copy_in(context, c, i);
}

static void out_body(void *context, size_t begin, size_t end, int worker)
{
    const WaveCopy *copy = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        for (int c = 0; c < (copy->flow->lattice.flat ? 2 : 3); ++c) copy_out(copy, c, i);
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
    WaveCopy copy = {flow, &mesh};
    const size_t planes = PIECE / (l->nodes[1] * l->nodes[2]) + 1;
    bool room = fourier_take(&mesh);
    if (room) mote_parallel_for(work->tasks, l->nodes[0], planes, in_body, &copy);
    room = room && fourier_convolve(&mesh);
    if (room) mote_parallel_for(work->tasks, l->nodes[0], planes, out_body, &copy);
    memcpy(flow->seen, flow->velocity, sizeof flow->seen);
    fourier_give_back(&mesh);
    return room;
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
