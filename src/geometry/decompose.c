/* Approximate convex decomposition: the chunk that is most concave is cut in two, until all are
 * convex enough.
 *
 * As in V-HACD and CoACD (Mamou and Ghorbel 2009; Wei et al. 2022) a cut is chosen among planes
 * through inward edges and through the deepest point, here by exact volumes: the one after which
 * hulls waste least. How concave a chunk is, is a bound and no sample: no point of its hull is
 * farther from the mesh. */
#include "geometry/decompose.h"

#include "base/definition.h"
#include "base/status.h"

static mote_DecomposeDef decompose_defaults(void)
{
    return (mote_DecomposeDef){.concavity = 0, .most_parts = 64};
}

DEFINITION_MAKER(mote_DecomposeDef, mote_decompose_def, decompose_defaults)

typedef struct Chunks {
    Decomposer d;
    Chunk *items;
    size_t count, room;
    double sliver; /* m^3: less is no chunk */
} Chunks;

static mote_Status check(const mote_Mesh *mesh, const mote_DecomposeDef *def, mote_Error *error)
{
    const mote_MeshFacts *f = &mesh->facts;
    if (!(def->concavity >= 0 && def->concavity < 1e30))
        return status_fail(error, MOTE_BAD_VALUE, "decompose: concavity %g m is no length",
                           def->concavity);
    if (def->most_parts < 1 || def->most_parts > 4096)
        return status_fail(error, MOTE_BAD_VALUE,
                           "decompose: %zu parts at most, but 1 to 4096 can be asked for",
                           def->most_parts);
    if (f->open_edges > 0)
        return status_fail(error, MOTE_BAD_VALUE,
                           "decompose: the mesh is not closed: it has %zu open edges, the first at "
                           "(%g, %g, %g); only a closed mesh has an inside",
                           f->open_edges, f->open_at[0], f->open_at[1], f->open_at[2]);
    if (!f->closed)
        return status_fail(
            error, MOTE_BAD_VALUE,
            "decompose: the mesh is not a surface around a volume: %zu edges of three "
            "or more triangles, %zu where orientations disagree",
            f->crowded_edges, f->flipped_edges);
    if (f->inverted)
        return status_fail(error, MOTE_BAD_VALUE,
                           "decompose: the mesh is inside out: its triangles go clockwise");
    return MOTE_OK;
}

static mote_Status no_memory(const Chunks *chunks, mote_Error *error)
{
    return status_no_memory(error, "decomposing a mesh",
                            chunks->d.mesh->triangle_count * sizeof(ChunkTriangle));
}

/* Hull and concavity of a chunk that is new. */
static mote_Status finish_chunk(Chunks *chunks, Chunk *chunk, mote_Error *error)
{
    if (!chunk_points(&chunks->d, chunk)) return no_memory(chunks, error);
    return chunk_set_hull(&chunks->d, chunk, error);
}

/* ---- choosing a cut ---- */

/* Volume that the hull of a chunk has in addition; negative: it has none. */
static mote_Status waste_of(Chunks *chunks, const Chunk *chunk, double *waste, mote_Error *error)
{
    double volume;
    *waste = -1;
    if (!(chunk->volume > chunks->sliver)) return MOTE_OK;
    if (!chunk_points(&chunks->d, chunk)) return no_memory(chunks, error);
    mote_Status status = mesh_hull_volume(chunks->d.points, chunks->d.point_count, &volume, error);
    if (volume > 0) *waste = volume > chunk->volume ? volume - chunk->volume : 0;
    return status;
}

static CutPlane turned(const CutPlane *plane)
{
    return (CutPlane){d3_scale(plane->n, -1), -plane->offset};
}

/* What a cut costs: the waste of both sides; a little more when neither is done with, and for
 * slices. Negative: it is none. */
static mote_Status cost_of(Chunks *chunks, const Chunk *chunk, const CutPlane *plane, double *cost,
                           mote_Error *error)
{
    const CutPlane sides[2] = {*plane, turned(plane)};
    double waste[2] = {-1, -1}, volume[2] = {0, 0};
    mote_Status status = MOTE_OK;
    for (int side = 0; side < 2 && status == MOTE_OK; ++side) {
        Chunk part;
        bool room = chunk_cut(&chunks->d, chunk, &sides[side], &part);
        status = room ? waste_of(chunks, &part, &waste[side], error) : no_memory(chunks, error);
        volume[side] = part.volume;
        chunk_free(&chunks->d, &part);
    }
    const double less = waste[0] < waste[1] ? waste[0] : waste[1];
    double slice = volume[0] > volume[1] ? volume[0] - volume[1] : volume[1] - volume[0];
    *cost = less < 0 ? -1 : waste[0] + waste[1] + 1e-3 * less + 1e-4 * slice;
    return status;
}

static mote_Status choose_plane(Chunks *chunks, const Chunk *chunk, CutPlane *best, bool *found,
                                mote_Error *error)
{
    CutPlane candidates[CANDIDATES_MOST];
    size_t count = chunk_candidates(&chunks->d, chunk, candidates);
    double least = 0;
    *found = false;
    for (size_t i = 0; i < count; ++i) {
        double cost;
        mote_Status status = cost_of(chunks, chunk, &candidates[i], &cost, error);
        if (status != MOTE_OK) return status;
        if (cost < 0 || (*found && cost >= least)) continue;
        least = cost, *best = candidates[i], *found = true;
    }
    return MOTE_OK;
}

/* ---- cutting ---- */

static mote_Status cut_in_two(Chunks *chunks, size_t i, const CutPlane *plane, mote_Error *error)
{
    const CutPlane other = turned(plane);
    Chunk parts[2] = {{.count = 0}, {.count = 0}}, old = chunks->items[i];
    mote_Status status = MOTE_OK;
    if (!chunk_cut(&chunks->d, &old, plane, &parts[0]) ||
        !chunk_cut(&chunks->d, &old, &other, &parts[1]))
        status = no_memory(chunks, error);
    for (int side = 0; side < 2 && status == MOTE_OK; ++side)
        status = finish_chunk(chunks, &parts[side], error);
    chunk_free(&chunks->d, &chunks->items[i]);
    chunks->items[i] = parts[0];
    chunks->items[chunks->count++] = parts[1];
    return status;
}

/* The most concave chunk that can be cut; count when there is none. */
static size_t worst_chunk(const Chunks *chunks)
{
    size_t worst = chunks->count;
    for (size_t i = 0; i < chunks->count; ++i) {
        const Chunk *chunk = &chunks->items[i];
        if (chunk->concavity <= chunks->d.bound || chunk->plane_count == CHUNK_PLANES) continue;
        if (worst == chunks->count || chunk->concavity > chunks->items[worst].concavity) worst = i;
    }
    return worst;
}

static mote_Status cut_all(Chunks *chunks, mote_Error *error)
{
    bool found = true;
    while (found && chunks->count < chunks->room) {
        size_t worst = worst_chunk(chunks);
        CutPlane plane;
        if (worst == chunks->count) break;
        mote_Status status = choose_plane(chunks, &chunks->items[worst], &plane, &found, error);
        if (status == MOTE_OK && found) status = cut_in_two(chunks, worst, &plane, error);
        if (status != MOTE_OK) return status;
    }
    return MOTE_OK;
}

/* ---- all of it ---- */

static mote_Status begin(Chunks *chunks, const mote_Mesh *mesh, const mote_DecomposeDef *def,
                         mote_Error *error)
{
    Decomposer *d = &chunks->d;
    D3 low = d3_of(mesh->tree.bounds.low), high = d3_of(mesh->tree.bounds.high);
    *chunks = (Chunks){.d = {.memory = memory_make(mesh->memory.allocator), .mesh = mesh},
                       .room = def->most_parts};
    d->middle = d3_scale(d3_add(low, high), 0.5);
    d->size = d3_length(d3_sub(high, low));
    d->close = 1e-6 * d->size;
    d->bound = def->concavity > 0 ? def->concavity : d->size / 50;
    if (d->bound < 1e-3 * d->size)
        return status_fail(error, MOTE_BAD_VALUE,
                           "decompose: a concavity of %g m is less than a thousandth of the mesh, "
                           "which is %g m large",
                           d->bound, d->size);
    chunks->items = memory_zeroed(&d->memory, chunks->room * sizeof *chunks->items);
    if (chunks->items == NULL || !chunk_whole(d, &chunks->items[0]))
        return no_memory(chunks, error);
    chunks->count = 1;
    chunks->sliver = 1e-6 * chunks->items[0].volume;
    return finish_chunk(chunks, &chunks->items[0], error);
}

static void give(Chunks *chunks, mote_Mesh **parts, mote_DecomposeFacts *facts)
{
    *facts = (mote_DecomposeFacts){.parts = chunks->count,
                                   .bound = chunks->d.bound,
                                   .mesh_volume = chunks->d.mesh->facts.volume};
    for (size_t i = 0; i < chunks->count; ++i) {
        Chunk *chunk = &chunks->items[i];
        if (chunk->concavity > facts->concavity) facts->concavity = chunk->concavity;
        facts->volume += mote_mesh_facts(chunk->hull)->volume;
        parts[i] = chunk->hull, chunk->hull = NULL;
    }
    facts->reached = facts->concavity <= facts->bound;
}

static void end(Chunks *chunks)
{
    Decomposer *d = &chunks->d;
    for (size_t i = 0; i < chunks->room && chunks->items != NULL; ++i)
        chunk_free(d, &chunks->items[i]);
    memory_free(&d->memory, chunks->items, chunks->room * sizeof *chunks->items);
    memory_free(&d->memory, d->points, d->point_capacity * sizeof *d->points);
}

mote_Status mote_mesh_decompose(const mote_Mesh *mesh, const mote_DecomposeDef *given,
                                mote_Mesh **parts, mote_DecomposeFacts *facts, mote_Error *error)
{
    DEFINITION_TAKE(mote_DecomposeDef, mote_decompose_def);
    Chunks chunks = {.count = 0};
    mote_Status status = check(mesh, def, error);
    if (status != MOTE_OK) return status;
    status = begin(&chunks, mesh, def, error);
    if (status == MOTE_OK) status = cut_all(&chunks, error);
    if (status == MOTE_OK) status = chunks_merge(&chunks.d, chunks.items, &chunks.count, error);
    if (status == MOTE_OK) give(&chunks, parts, facts);
    end(&chunks);
    return status;
}
