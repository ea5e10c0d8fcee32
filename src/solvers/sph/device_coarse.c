/* The coarse grid of incompressible liquids on a device (device/coarse_places.cl,
 * device/coarse_solve.cl): what dfsph_coarse.c does, in the order of its sums. Steps of conjugate
 * gradients are started some at a time; those that come after the last one do nothing. */
#include "solvers/sph/device.h"
#include "solvers/sph/dfsph_coarse.h"

enum {
    FIRST_STEPS = 24, /* that are started before the device is asked how they went */
    MORE_STEPS = 4,
    RUN = 8, /* places that a work-item goes through one after another */
    LARGEST_ITEMS = 256 * COARSE_GROUP
};

#define B(buffer) DEVICE_MEMORY(d->buffers[BUFFER_##buffer])

static void launch(SphDevice *d, SolveKernel kernel, size_t items, const DeviceArgument *arguments)
{
    device_launch(d->device, d->solve.kernels[kernel], items, COARSE_GROUP, arguments);
}

static size_t cells_of(const Coarse *g)
{
    return (size_t)g->law.cells[0] * g->law.cells[1] * g->law.cells[2];
}

static void reserve_grid(SphDevice *d, const Coarse *g)
{
    const size_t n = g->node_count, sums = COARSE_SUMS + 3 * (size_t)g->law.nodes[2];
    device_reserve(d->device, &d->buffers[BUFFER_GRID_CELLS], cells_of(g) * sizeof(int64_t));
    device_reserve(d->device, &d->buffers[BUFFER_GRID_PARTS], 2 * (n + 1) * sizeof(int64_t));
    device_reserve(d->device, &d->buffers[BUFFER_GRID_NODES], COARSE_PLANES * n * sizeof(double));
    device_reserve(d->device, &d->buffers[BUFFER_GRID_STATE], sums * sizeof(double));
}

void sph_count_coarse(SphDevice *d, const Flow *f)
{
    Coarse *g = f->coarse;
    const uint32_t points = (uint32_t)f->step->cells.placed;
    reserve_grid(d, g);
    g->light = (double)points;
    device_clear(d->device, &d->buffers[BUFFER_GRID_CELLS], cells_of(g) * sizeof(int64_t));
    launch(d, KERNEL_CELLS, (points + RUN - 1) / RUN,
           DEVICE_ARGUMENTS(DEVICE_VALUE(g->law), B(FLOW), DEVICE_VALUE(points), B(GRID_CELLS)));
}

void sph_put_coarse(SphDevice *d, const Flow *f)
{
    const Coarse *g = f->coarse;
    reserve_grid(d, g);
    device_put(d->device, &d->buffers[BUFFER_GRID_CELLS], 0, g->count,
               cells_of(g) * sizeof *g->count);
}

/* ---- from particles to nodes ---- */

static void collect(SphDevice *d, const Flow *f)
{
    const Coarse *g = f->coarse;
    const FlowInput *in = &f->in;
    const uint32_t points = (uint32_t)f->step->cells.placed;
    const double particles = (double)f->step->particles;
    device_clear(d->device, &d->buffers[BUFFER_GRID_PARTS],
                 2 * (g->node_count + 1) * sizeof(int64_t));
    launch(d, KERNEL_LARGEST, points < LARGEST_ITEMS ? points : LARGEST_ITEMS,
           DEVICE_ARGUMENTS(DEVICE_VALUE(in->least), DEVICE_VALUE(in->dt2), DEVICE_VALUE(points),
                            B(FLOW), B(CLOSING), B(STIFFNESS), B(GRID_PARTS)));
    launch(d, KERNEL_DEPOSIT, (points + RUN - 1) / RUN,
           DEVICE_ARGUMENTS(DEVICE_VALUE(g->law), DEVICE_VALUE(in->least), DEVICE_VALUE(in->dt2),
                            DEVICE_VALUE(points), DEVICE_VALUE(particles), B(FLOW), B(CLOSING),
                            B(STIFFNESS), B(GRID_PARTS)));
    launch(d, KERNEL_COLLECT, g->node_count,
           DEVICE_ARGUMENTS(DEVICE_VALUE(g->law), DEVICE_VALUE(particles), B(GRID_CELLS),
                            B(GRID_PARTS), B(GRID_NODES), B(GRID_STATE)));
}

/* ---- on nodes ---- */

static void total(SphDevice *d, const Flow *f, uint32_t plane)
{
    const uint32_t nodes = (uint32_t)f->coarse->node_count;
    const double particles = (double)f->step->particles;
    launch(d, KERNEL_TOTAL, COARSE_GROUP,
           DEVICE_ARGUMENTS(DEVICE_VALUE(nodes), DEVICE_VALUE(plane), DEVICE_VALUE(particles),
                            B(GRID_PARTS), B(GRID_NODES), B(GRID_STATE)));
}

static void start(SphDevice *d, const Flow *f)
{
    const Coarse *g = f->coarse;
    const double particles = (double)f->step->particles, light = g->light;
    total(d, f, COARSE_WANTED);
    launch(d, KERNEL_START, g->node_count,
           DEVICE_ARGUMENTS(DEVICE_VALUE(g->law), DEVICE_VALUE(particles), DEVICE_VALUE(light),
                            B(GRID_CELLS), B(GRID_PARTS), B(GRID_NODES), B(GRID_STATE)));
    total(d, f, COARSE_ANSWER);
}

static void go(SphDevice *d, const Coarse *g, uint32_t step)
{
    const size_t layers = (size_t)g->law.nodes[2] * COARSE_GROUP;
    launch(d, KERNEL_MULTIPLY, layers,
           DEVICE_ARGUMENTS(DEVICE_VALUE(g->law), DEVICE_VALUE(step), B(GRID_CELLS), B(GRID_NODES),
                            B(GRID_STATE)));
    launch(
        d, KERNEL_GO, layers,
        DEVICE_ARGUMENTS(DEVICE_VALUE(g->law), DEVICE_VALUE(step), B(GRID_NODES), B(GRID_STATE)));
}

/* How many of so many steps were begun. */
static uint32_t steps_done(SphDevice *d, uint32_t steps)
{
    double left[COARSE_STEPS + 1] = {0};
    uint32_t done = 0;
    device_get(d->device, &d->buffers[BUFFER_GRID_STATE], 0, left, sizeof left);
    while (done < steps && left[done] > COARSE_NEAR * COARSE_NEAR * left[0]) ++done;
    return done;
}

/* As many steps are started as the last time were enough, and some more until one does nothing. */
static void solve(SphDevice *d, const Coarse *g)
{
    const uint32_t usual = d->solve.steps > 0 ? d->solve.steps + 1 : FIRST_STEPS;
    uint32_t step = 0, done = 0;
    for (uint32_t end = usual; done == step && step < COARSE_STEPS; end += MORE_STEPS) {
        while (step < end && step < COARSE_STEPS) go(d, g, step++);
        done = steps_done(d, step);
    }
    d->solve.steps = done;
}

void sph_device_coarse(SphDevice *d, const Flow *f)
{
    const uint32_t points = (uint32_t)f->step->cells.placed;
    collect(d, f);
    start(d, f);
    solve(d, f->coarse);
    launch(d, KERNEL_SPREAD, points,
           DEVICE_ARGUMENTS(DEVICE_VALUE(f->coarse->law), DEVICE_VALUE(f->in.least),
                            DEVICE_VALUE(points), B(CLOSING), B(GRID_NODES), B(FLOW)));
}
