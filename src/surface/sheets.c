/* Filling thin sheets. Where a layer of particles is drawn out, as in the bell of a splash, its
 * field falls below the isovalue, and the mesh has holes where the liquid has none. Between two
 * neighbours of a sheet that are 1.2 to 2 spacings apart, in the plane of both, a particle more is
 * put, if none is in the ball around both (the edges of Gabriel and Sokal 1969: in an even sheet
 * these are the nearest ones along each direction). Each particle has a gain, by which its weight
 * would have to be larger for a mesh of the sheet's volume, and gives it to what is beside it in
 * equal parts: the mesh keeps the volume, and is smooth between particles. */
#include "surface/sheets.h"

#include "base/status.h"
#include "surface/near.h"

#include <string.h>

static const float nearest = 1.2f, farthest = 2; /* spacings */
static const float off_plane = 0.35f;            /* across, over the distance */
static const float least_fill = 0.1f, most_fill = 0.7f, ample = 0.5f; /* the last of boxes */

enum { MOST_AROUND = 96 };

typedef struct SheetSearch {
    const Polygoniser *p;
    SurfaceSheet *sheets; /* of each particle */
    uint8_t *degree,
        *emitted;  /* pairs of each, and of those the ones that it puts particles into */
    size_t *first; /* of each block's particles more */
    SurfaceSheets *out;
    const Cloud *cloud;
} SheetSearch;

/* What is within two spacings of a particle, from there. */
typedef struct SheetAround {
    size_t count;
    float e[MOST_AROUND][3], square[MOST_AROUND];
    uint32_t who[MOST_AROUND];
} SheetAround;

/* ---- which particles ---- */

static void sheets_of_block(const SheetSearch *l, Window *window, const SurfaceBlock *block)
{
    const Polygoniser *p = l->p;
    const ShapesAsked ask = {.blocks = p->blocks,
                             .block = block,
                             .radius = SHAPE_RADIUS * p->spacing,
                             .kernel = p->scale.kernel,
                             .sheets = l->sheets};
    uint32_t which[8];
    size_t count = 0;
    window_look(window, block, true, true);
    for (size_t i = block->first; i < block->first + block->count; ++i) {
        const SurfaceParticle *particle = &p->blocks->particles[i];
        if (window_box_at(window, particle->at) > ample) continue;
        const float fill = polygoniser_round_field(p, block, particle);
        if (fill < least_fill || fill > most_fill) continue;
        l->sheets[i].gain = p->row->sheet(p->params, p->spacing, fill);
        if (!(l->sheets[i].gain > 0)) continue;
        which[count++] = (uint32_t)i;
        if (count == 8) p->kernels->find_shapes(&ask, which, count), count = 0;
    }
    if (count > 0) p->kernels->find_shapes(&ask, which, count);
}

static void find_sheets(void *context, size_t begin, size_t end, int worker)
{
    const SheetSearch *l = context;
    for (size_t n = begin; n < end; ++n)
        if (l->p->blocks->blocks[n].count > 0)
            sheets_of_block(l, &l->p->workers[worker]->window, &l->p->blocks->blocks[n]);
}

static bool in_sheet(const SurfaceSheet *s)
{
    return s->normal[0] != 0 || s->normal[1] != 0 || s->normal[2] != 0;
}

/* ---- which pairs ---- */

/* False where it is crowded: no thin sheet. */
static bool look_around(const SheetSearch *l, const SurfaceBlock *block, size_t i,
                        SheetAround *around)
{
    const Blocks *b = l->p->blocks;
    const float *at = b->particles[i].at, reach = farthest * l->p->spacing;
    NearWalk walk = near_walk(b, block, at, at, reach);
    around->count = 0;
    for (NearRun run; near_next(&walk, &run);)
        for (size_t k = 0; k < run.count; ++k) {
            float e[3], square = 0;
            for (int c = 0; c < 3; ++c) {
                e[c] = run.particles[k].at[c] - (at[c] - run.shift[c]);
                square += e[c] * e[c];
            }
            if (square > reach * reach || &run.particles[k] == &b->particles[i]) continue;
            if (around->count == MOST_AROUND) return false;
            memcpy(around->e[around->count], e, sizeof e);
            around->square[around->count] = square;
            around->who[around->count++] = (uint32_t)(&run.particles[k] - b->particles);
        }
    return true;
}

static bool in_plane(const SurfaceSheet *s, const float e[3], float square)
{
    const float across = s->normal[0] * e[0] + s->normal[1] * e[1] + s->normal[2] * e[2];
    return across * across <= off_plane * off_plane * square;
}

/* A lattice that is not drawn out has its other two corners on the ball of a diagonal. */
static bool is_empty_between(const SheetAround *around, size_t k)
{
    const float slack = 1.04f, most = slack * around->square[k] / 4;
    for (size_t m = 0; m < around->count; ++m) {
        float square = 0;
        for (int c = 0; c < 3; ++c) {
            const float d = around->e[m][c] - around->e[k][c] / 2;
            square += d * d;
        }
        if (m != k && square < most) return false;
    }
    return true;
}

static bool is_pair(const SheetSearch *l, size_t i, const SheetAround *around, size_t k)
{
    const float d = l->p->spacing, square = around->square[k];
    const SurfaceSheet *own = &l->sheets[i], *other = &l->sheets[around->who[k]];
    return square >= nearest * nearest * d * d && in_sheet(other) &&
           in_plane(own, around->e[k], square) && in_plane(other, around->e[k], square) &&
           is_empty_between(around, k);
}

static void find_pairs(void *context, size_t begin, size_t end, int worker)
{
    const SheetSearch *l = context;
    (void)worker;
    for (size_t n = begin; n < end; ++n) {
        const SurfaceBlock *block = &l->p->blocks->blocks[n];
        l->first[n] = 0;
        for (size_t i = block->first; i < block->first + block->count; ++i) {
            SheetAround around;
            if (!in_sheet(&l->sheets[i]) || !look_around(l, block, i, &around)) continue;
            for (size_t k = 0; k < around.count; ++k) {
                if (!is_pair(l, i, &around, k)) continue;
                ++l->degree[i], l->emitted[i] = (uint8_t)(l->emitted[i] + (around.who[k] > i));
            }
            l->first[n] += l->emitted[i];
        }
    }
}

/* ---- what is put there ---- */

static float part_of_gain(const SheetSearch *l, size_t i)
{
    return l->degree[i] > 0 ? l->sheets[i].gain / (float)l->degree[i] : 0;
}

/* Between particle i of the block and what is at e from it. */
static void put(const SheetSearch *l, const SurfaceBlock *block, size_t i, const float e[3],
                size_t at)
{
    const Blocks *b = l->p->blocks;
    for (int c = 0; c < 3; ++c) {
        const double cells = (double)(block->at[c] * BLOCK_CELLS) + (double)b->particles[i].at[c] +
                             0.5 * (double)e[c];
        l->out->x[c][at] = (mote_real)(cells * b->cell);
    }
}

static void put_between(void *context, size_t begin, size_t end, int worker)
{
    const SheetSearch *l = context;
    const double cube = l->cloud->spacing * l->cloud->spacing * l->cloud->spacing;
    (void)worker;
    for (size_t n = begin; n < end; ++n) {
        const SurfaceBlock *block = &l->p->blocks->blocks[n];
        size_t at = l->cloud->count + l->first[n];
        for (size_t i = block->first; i < block->first + block->count; ++i) {
            SheetAround around;
            if (l->emitted[i] == 0 || !look_around(l, block, i, &around)) continue;
            for (size_t k = 0; k < around.count; ++k) {
                const uint32_t j = around.who[k];
                if (j <= i || !is_pair(l, i, &around, k)) continue;
                put(l, block, i, around.e[k], at);
                l->out->volume[at++] =
                    (mote_real)(cube * (double)(part_of_gain(l, i) + part_of_gain(l, j)));
            }
        }
    }
}

/* ---- all of it ---- */

static bool take_cloud(SheetSearch *l, size_t more)
{
    SurfaceSheets *out = l->out;
    const Cloud *cloud = l->cloud;
    out->room = cloud->count + more;
    out->volume = memory_take(out->memory, out->room * sizeof *out->volume);
    bool room = out->volume != NULL;
    for (int c = 0; c < 3; ++c) {
        out->x[c] = memory_take(out->memory, out->room * sizeof *out->x[c]);
        room = room && out->x[c] != NULL;
        if (room) memcpy(out->x[c], cloud->x[c], cloud->count * sizeof *out->x[c]);
    }
    for (size_t i = 0; room && i < cloud->count; ++i)
        out->volume[i] = (mote_real)cloud_volume(cloud, i);
    out->cloud = *cloud;
    out->cloud.count = out->room;
    out->cloud.radius = NULL, out->cloud.volume = out->volume;
    for (int c = 0; c < 3; ++c) out->cloud.x[c] = out->x[c];
    return room;
}

/* Numbers of blocks into where they begin; their sum. */
static size_t add_up(size_t *first, size_t count)
{
    size_t sum = 0;
    for (size_t n = 0; n < count; ++n) {
        const size_t own = first[n];
        first[n] = sum, sum += own;
    }
    return sum;
}

static mote_Status look(SheetSearch *l, mote_Error *error)
{
    const Polygoniser *p = l->p;
    mote_parallel_for(p->tasks, p->blocks->count, 1, find_sheets, l);
    mote_parallel_for(p->tasks, p->blocks->count, 1, find_pairs, l);
    const size_t more = add_up(l->first, p->blocks->count);
    if (more == 0) return MOTE_OK;
    if (!take_cloud(l, more))
        return status_no_memory(error, "a surface's sheets", more * sizeof(mote_real));
    mote_parallel_for(p->tasks, p->blocks->count, 1, put_between, l);
    return MOTE_OK;
}

mote_Status surface_sheets_find(SurfaceSheets *sheets, const Polygoniser *p, const Cloud *cloud,
                                mote_Error *error)
{
    Memory *memory = p->memory;
    const size_t count = p->blocks->particle_count, blocks = p->blocks->count;
    SheetSearch l = {.p = p, .out = sheets, .cloud = cloud};
    *sheets = (SurfaceSheets){.memory = memory};
    if (!(p->row->sheet(p->params, p->spacing, least_fill) > 0)) return MOTE_OK; /* not wanted */
    l.sheets = memory_zeroed(memory, count * sizeof *l.sheets);
    l.degree = memory_zeroed(memory, count);
    l.emitted = memory_zeroed(memory, count);
    l.first = memory_zeroed(memory, blocks * sizeof *l.first);
    const bool room = l.sheets != NULL && l.degree != NULL && l.emitted != NULL && l.first != NULL;
    mote_Status status =
        room ? look(&l, error)
             : status_no_memory(error, "a surface's sheets", count * sizeof *l.sheets);
    memory_free(memory, l.first, blocks * sizeof *l.first);
    memory_free(memory, l.emitted, count);
    memory_free(memory, l.degree, count);
    memory_free(memory, l.sheets, count * sizeof *l.sheets);
    return status;
}

void surface_sheets_free(SurfaceSheets *sheets)
{
    for (int c = 0; c < 3; ++c)
        memory_free(sheets->memory, sheets->x[c], sheets->room * sizeof *sheets->x[c]);
    memory_free(sheets->memory, sheets->volume, sheets->room * sizeof *sheets->volume);
}
