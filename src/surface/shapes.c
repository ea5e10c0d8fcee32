/* Shapes of all particles whose kernels are stretched: those of the bulk, whose neighbours lie all
 * around, stay round without a look at them. */
#include "base/status.h"
#include "surface/polygonise.h"

/* A = 1 / R^2 on the diagonal. */
static SurfaceShape round_shape(float kernel)
{
    const float inverse = 1 / (kernel * kernel);
    return (SurfaceShape){{inverse, inverse, inverse, 0, 0, 0}, {kernel, kernel, kernel}};
}

static bool is_deep(const Window *w, const float at[3])
{
    const int bin = w->blocks->bin;
    return w->has_deep &&
           w->deep[bins_at(&w->near, (int)at[0] / bin, (int)at[1] / bin, (int)at[2] / bin)];
}

static void shapes_of_block(const Polygoniser *p, Window *window, const SurfaceBlock *block)
{
    const bool look = window_look(window, block, false, p->whole);
    const ShapesAsked ask = {.blocks = p->blocks,
                             .block = block,
                             .radius = SHAPE_RADIUS * p->spacing,
                             .kernel = p->scale.kernel,
                             .shapes = p->shapes};
    uint32_t which[8];
    size_t count = 0;
    for (size_t i = block->first; i < block->first + block->count; ++i) {
        p->shapes[i] = round_shape(p->scale.kernel);
        if (!look || is_deep(window, p->blocks->particles[i].at)) continue;
        which[count++] = (uint32_t)i;
        if (count == 8) p->kernels->find_shapes(&ask, which, count), count = 0;
    }
    if (count > 0) p->kernels->find_shapes(&ask, which, count);
}

static void find_shapes(void *context, size_t begin, size_t end, int worker)
{
    const Polygoniser *p = context;
    for (size_t n = begin; n < end; ++n)
        if (p->blocks->blocks[n].count > 0)
            shapes_of_block(p, &p->workers[worker]->window, &p->blocks->blocks[n]);
}

mote_Status polygoniser_find_shapes(Polygoniser *p, mote_Error *error)
{
    const size_t bytes = p->blocks->particle_count * sizeof *p->shapes;
    if (!p->row->shaped) return MOTE_OK;
    p->shapes = memory_take(p->memory, bytes);
    if (p->shapes == NULL) return status_no_memory(error, "a surface's kernels", bytes);
    mote_parallel_for(p->tasks, p->blocks->count, 1, find_shapes, p);
    return MOTE_OK;
}
