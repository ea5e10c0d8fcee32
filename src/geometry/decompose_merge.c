/* Chunks whose common hull is convex enough become one again: cuts go through the whole of a chunk,
 * and so cut more than they must. */
#include "geometry/decompose.h"

#include "base/status.h"

typedef struct Merge {
    Decomposer *d;
    Chunk *items;
    size_t *count, room;
    double *waste; /* of each pair: volume that its common hull would add, over theirs */
} Merge;

static const double never = 1e300;

static double *waste_at(const Merge *m, size_t i, size_t j)
{
    return &m->waste[i < j ? i * m->room + j : j * m->room + i];
}

static bool add_corners(Decomposer *d, const mote_Mesh *hull)
{
    for (size_t i = 0; i < hull->vertex_count; ++i)
        if (!chunk_add_point(d, d3_of(hull->vertices[i]))) return false;
    return true;
}

static bool pair_points(const Merge *m, size_t i, size_t j)
{
    m->d->point_count = 0;
    return add_corners(m->d, m->items[i].hull) && add_corners(m->d, m->items[j].hull);
}

static mote_Status look_at_pair(const Merge *m, size_t i, size_t j, mote_Error *error)
{
    double volume, own = mote_mesh_facts(m->items[i].hull)->volume;
    own += mote_mesh_facts(m->items[j].hull)->volume;
    if (!pair_points(m, i, j)) return status_no_memory(error, "joining parts", 0);
    mote_Status status = mesh_hull_volume(m->d->points, m->d->point_count, &volume, error);
    *waste_at(m, i, j) = volume > 0 ? (volume - own) / own : never;
    return status;
}

static mote_Status look_at_row(const Merge *m, size_t i, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t j = 0; j < *m->count && status == MOTE_OK; ++j)
        if (j != i) status = look_at_pair(m, i, j, error);
    return status;
}

/* The pair that wastes least, of those that waste little and were not tried yet. */
static bool best_pair(const Merge *m, size_t *i, size_t *j)
{
    double least = 0.02;
    bool found = false;
    for (size_t a = 0; a < *m->count; ++a)
        for (size_t b = a + 1; b < *m->count; ++b)
            if (*waste_at(m, a, b) < least)
                least = *waste_at(m, a, b), *i = a, *j = b, found = true;
    return found;
}

static void move_last(const Merge *m, size_t to)
{
    size_t last = --*m->count;
    for (size_t k = 0; k < last && to != last; ++k)
        if (k != to) *waste_at(m, k, to) = *waste_at(m, k, last);
    if (to != last) m->items[to] = m->items[last];
    m->items[last] = (Chunk){.count = 0};
}

static mote_Status try_pair(const Merge *m, size_t i, size_t j, mote_Error *error)
{
    Chunk both = {.count = 0};
    *waste_at(m, i, j) = never;
    if (!pair_points(m, i, j)) return status_no_memory(error, "joining parts", 0);
    mote_Status status = chunk_set_hull(m->d, &both, error);
    if (status == MOTE_BAD_VALUE) return MOTE_OK; /* no clean hull: they stay two */
    if (status != MOTE_OK) return status;
    if (both.concavity > m->d->bound) {
        chunk_free(m->d, &both);
        return MOTE_OK;
    }
    chunk_free(m->d, &m->items[i]);
    chunk_free(m->d, &m->items[j]);
    m->items[i] = both;
    move_last(m, j);
    return look_at_row(m, i, error);
}

mote_Status chunks_merge(Decomposer *d, Chunk *items, size_t *count, mote_Error *error)
{
    Merge m = {d, items, count, *count, NULL};
    const size_t bytes = m.room * m.room * sizeof *m.waste;
    size_t i, j;
    m.waste = memory_take(&d->memory, bytes);
    mote_Status status =
        m.waste == NULL ? status_no_memory(error, "joining parts", bytes) : MOTE_OK;
    for (i = 0; i < *count && status == MOTE_OK; ++i) status = look_at_row(&m, i, error);
    while (status == MOTE_OK && best_pair(&m, &i, &j)) status = try_pair(&m, i, j, error);
    memory_free(&d->memory, m.waste, bytes);
    return status;
}
