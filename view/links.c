/* Lines between particles in a message: links and triangles by rows, and trails. */
#include "view/message.h"

#include "base/sort.h"

#include <math.h>

/* ---- rows by id ---- */

typedef struct RowMap {
    const uint64_t *ids;
    SortItem *items; /* by id; NULL: particle i has id i */
    size_t count;
} RowMap;

static bool map_make(ViewMessage *message, const mote_FrameSystem *system, RowMap *map)
{
    const mote_Column *id = mote_frame_column(system, "id");
    *map = (RowMap){.count = system->count};
    if (id == NULL || id->type != MOTE_COLUMN_U64) return false;
    map->ids = id->data;
    size_t same = 0;
    while (same < map->count && map->ids[same] == same) ++same;
    if (same == map->count) return true;
    map->items = arena_take(&message->scratch, map->count * sizeof *map->items);
    SortItem *spare = arena_take(&message->scratch, map->count * sizeof *spare);
    if (map->items == NULL || spare == NULL) return false;
    for (size_t i = 0; i < map->count; ++i) map->items[i] = (SortItem){map->ids[i], i};
    sort_items(map->items, spare, map->count);
    return true;
}

static size_t map_row(const RowMap *map, uint64_t id)
{
    if (map->items == NULL) return id < map->count ? (size_t)id : SIZE_MAX;
    const size_t at = sort_find(map->items, map->count, id);
    return at < map->count && map->items[at].key == id ? (size_t)map->items[at].value : SIZE_MAX;
}

/* ---- links and triangles ---- */

/* Corners of what is planar in the frame, one thing after another; what has lost one is left out.
 */
static void put_corners(ViewMessage *message, const char *key, const RowMap *map,
                        const uint64_t *ids, size_t count, size_t corners)
{
    uint32_t *rows = arena_take(&message->scratch, (count * corners + 1) * sizeof *rows);
    size_t kept = 0;
    for (size_t i = 0; rows != NULL && i < count; ++i) {
        bool whole = true;
        for (size_t c = 0; c < corners; ++c) {
            const size_t row = map_row(map, ids[c * count + i]);
            whole = whole && row < UINT32_MAX;
            rows[corners * kept + c] = (uint32_t)row;
        }
        kept += whole;
    }
    if (rows == NULL) message->data.failed = true;
    if (rows != NULL) view_put_block(message, key, "u32", rows, corners * kept);
}

void view_put_links(ViewMessage *message, const mote_Frame *frame)
{
    JsonWriter *json = &message->json;
    json_begin(json, "meshes", '[');
    for (size_t i = 0; i < frame->mesh_count; ++i) {
        const mote_FrameMesh *mesh = &frame->meshes[i];
        RowMap map;
        if (!map_make(message, &frame->systems[mesh->system], &map)) continue;
        json_begin(json, NULL, '{');
        json_put_text(json, "name", mesh->name);
        json_put_u64(json, "system", mesh->system);
        put_corners(message, "links", &map, mesh->links, mesh->link_count, 2);
        put_corners(message, "triangles", &map, mesh->triangles, mesh->triangle_count, 3);
        json_finish(json, '}');
    }
    json_finish(json, ']');
}

/* ---- trails ---- */

enum { TRAIL_MOST = 400000 }; /* pieces of a system; the oldest are left out */

/* Pieces that are being put together, one for each step back of each particle. */
typedef struct Trail {
    mote_real (*ends)[6]; /* before, after */
    uint32_t *rows;
    uint8_t *opacity;
    size_t count;
    double wrap[3];        /* m: length of periodic axes; 0: none */
    mote_real (*place)[3]; /* of each row in the frame before */
    bool *lost;            /* nothing more is known of it */
} Trail;

static const mote_real *positions_of(const mote_FrameSystem *system, size_t *stride)
{
    const mote_Column *column = mote_frame_column(system, "position");
    if (column == NULL || column->type != MOTE_COLUMN_REAL || column->components != 3) return NULL;
    *stride = column->stride;
    return column->data;
}

/* More than half of the box in one frame: the particle has left it and come in again. */
static bool has_wrapped(const Trail *trail, const mote_real *piece)
{
    for (int k = 0; k < 3; ++k)
        if (trail->wrap[k] > 0 && fabs((double)(piece[k] - piece[3 + k])) > trail->wrap[k] / 2)
            return true;
    return false;
}

static void step_back(Trail *trail, const mote_FrameSystem *now, const mote_FrameSystem *then,
                      const RowMap *map, uint8_t opacity)
{
    size_t stride = 0;
    const mote_real *x = positions_of(then, &stride);
    const uint64_t *ids = mote_frame_column(now, "id")->data;
    for (size_t i = 0; i < now->count; ++i) {
        const size_t row = trail->lost[i] || x == NULL ? SIZE_MAX : map_row(map, ids[i]);
        mote_real *piece = trail->ends[trail->count];
        trail->lost[i] = row == SIZE_MAX;
        if (trail->lost[i]) continue;
        for (size_t k = 0; k < 3; ++k) {
            piece[k] = x[k * stride + row], piece[3 + k] = trail->place[i][k];
            trail->place[i][k] = piece[k];
        }
        if (has_wrapped(trail, piece)) continue;
        trail->rows[trail->count] = (uint32_t)i;
        trail->opacity[trail->count++] = opacity;
    }
}

static bool trail_begin(Trail *trail, ViewMessage *message, const mote_FrameSystem *system,
                        size_t steps)
{
    Arena *arena = &message->scratch;
    const size_t count = system->count, most = count * steps + 1;
    size_t stride = 0;
    const mote_real *x = positions_of(system, &stride);
    const mote_Column *id = mote_frame_column(system, "id");
    if (x == NULL || id == NULL || id->type != MOTE_COLUMN_U64) return false;
    trail->ends = arena_take(arena, most * sizeof *trail->ends);
    trail->rows = arena_take(arena, most * sizeof *trail->rows);
    trail->opacity = arena_take(arena, most);
    trail->place = arena_take(arena, (count + 1) * sizeof *trail->place);
    trail->lost = arena_take(arena, (count + 1) * sizeof *trail->lost);
    if (trail->ends == NULL || trail->rows == NULL || trail->opacity == NULL ||
        trail->place == NULL || trail->lost == NULL) {
        message->data.failed = true;
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < 3; ++k) trail->place[i][k] = x[k * stride + i];
        trail->lost[i] = false;
    }
    return true;
}

void view_put_trail(ViewMessage *message, const ViewFrame *input, size_t number,
                    const mote_Look *look)
{
    const mote_FrameSystem *system = &input->frame->systems[number];
    const mote_RenderDef *def = input->def;
    const size_t most = TRAIL_MOST / system->count;
    size_t steps = look->trail < def->history_count ? (size_t)look->trail : def->history_count;
    Trail trail = {.wrap = {(double)def->wrap.x, (double)def->wrap.y, (double)def->wrap.z}};
    steps = steps < most ? steps : most;
    if (steps == 0 || !trail_begin(&trail, message, system, steps)) return;
    for (size_t k = 0; k < steps; ++k) {
        const mote_FrameSystem *then = mote_frame_system(def->history[k], system->name);
        const double age = ((double)k + 0.5) / (double)look->trail;
        RowMap map;
        if (then == NULL || !map_make(message, then, &map)) break;
        step_back(&trail, system, then, &map,
                  (uint8_t)(255 * (1 + age * ((double)look->faint - 1)) + 0.5));
    }
    const mote_real *ends = trail.ends[0];
    json_begin(&message->json, "trail", '{');
    view_put_points(message, "ends",
                    &(ViewPoints){.planes = {ends, ends + 1, ends + 2},
                                  .count = 2 * trail.count,
                                  .stride = 3,
                                  .planar = false});
    view_put_block(message, "rows", "u32", trail.rows, trail.count);
    view_put_block(message, "opacity", "u8", trail.opacity, trail.count);
    json_finish(&message->json, '}');
}
