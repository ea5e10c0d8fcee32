/* What changes vorticity on a mesh within a sub-step, by differences of nodes. */
#include "solvers/vortex/mesh_flow.h"

#include <string.h>

/* Planes of nodes, but for the first and the last. */
typedef struct MeshPass {
    MeshFlow *flow;
    double factor;
    double *made[3], *of[3];
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
    if (!mesh_flow_take(flow, flow->shed)) return false;
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

/* du / dt = nu lap u. */
static void spread_node(const MeshPass *pass, size_t at)
{
    const MeshFlow *f = pass->flow;
    const int axes = f->lattice.flat ? 2 : 3;
    for (int c = 0; c < axes; ++c) {
        const double *u = pass->of[c];
        double sum = -2 * axes * u[at];
        for (int a = 0; a < axes; ++a) sum += u[at + f->stride[a]] + u[at - f->stride[a]];
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

/* What a pass made is added to planes of nodes. */
static void add_node(const MeshPass *pass, size_t at)
{
    for (int c = 0; c < 3; ++c) pass->of[c][at] += pass->made[c][at];
}

static bool take_room(MeshFlow *flow)
{
    return flow->room[0] != NULL || mesh_flow_take(flow, flow->room);
}

/* A pass that makes what is added to the planes. */
static void change_planes(MeshFlow *flow, double *const planes[3], double factor,
                          void (*node)(const MeshPass *pass, size_t at))
{
    MeshPass pass = {.flow = flow, .factor = factor, .node = node};
    memcpy(pass.made, flow->room, sizeof pass.made);
    memcpy(pass.of, planes, sizeof pass.of);
    run_pass(&pass);
    pass.node = add_node;
    run_pass(&pass);
}

bool mesh_flow_diffuse(MeshFlow *flow)
{
    const double h = flow->lattice.side;
    const double whole = (double)flow->work->params->viscosity * (double)flow->work->dt / (h * h);
    const int steps = (int)(whole / VISCOUS_STEP) + 1;
    if (!(whole > 0)) return true;
    if (!take_room(flow)) return false;
    for (int k = 0; k < steps; ++k) change_planes(flow, flow->change, whole / steps, diffuse_node);
    return true;
}

bool mesh_flow_stretch(MeshFlow *flow)
{
    if (flow->lattice.flat || flow->work->params->stretching == 0) return true;
    if (!take_room(flow)) return false;
    change_planes(flow, flow->change, 0.5 * (double)flow->work->dt / flow->lattice.side,
                  stretch_node);
    return true;
}

/* The flow itself stays what it is for all others. */
static bool part_seen(MeshFlow *flow)
{
    if (flow->seen[0] != flow->velocity[0]) return true;
    if (!mesh_flow_take(flow, flow->seen)) return false;
    for (int c = 0; c < 3; ++c)
        memcpy(flow->seen[c], flow->velocity[c], lattice_count(&flow->lattice) * sizeof(double));
    return true;
}

bool mesh_flow_spread_push(MeshFlow *flow, double share)
{
    if (!take_room(flow) || !part_seen(flow)) return false;
    change_planes(flow, flow->push, share, spread_node);
    change_planes(flow, flow->seen, share, spread_node);
    return true;
}
