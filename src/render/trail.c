/* Trails and links: lines between particles, and between a particle's places in earlier frames. */
#include "frame/mesh_rows.h"
#include "render/float3.h"
#include "render/line.h"

#include <stdlib.h>
#include <string.h>

static void place_of(const View *view, mote_real *const x[3], size_t i, float out[3])
{
    const mote_Vec3 eye = view->from;
    out[0] = (float)(x[0][i] - eye.x);
    out[1] = (float)(x[1][i] - eye.y);
    out[2] = (float)(x[2][i] - eye.z);
}

static bool positions_of(const mote_FrameSystem *system, mote_real *x[3], const uint64_t **id)
{
    const mote_Column *p = mote_frame_column(system, "position");
    const mote_Column *ids = mote_frame_column(system, "id");
    if (p == NULL || p->type != MOTE_COLUMN_REAL || p->components != 3 || ids == NULL ||
        ids->type != MOTE_COLUMN_U64 || p->data == NULL)
        return false;
    for (size_t k = 0; k < 3; ++k) x[k] = (mote_real *)p->data + k * p->stride;
    *id = ids->data;
    return true;
}

static void color_of(const SplatSource *s, size_t i, float out[3])
{
    for (int k = 0; k < 3; ++k) {
        float value = (s->color[k] != NULL ? (float)s->color[k][i] : 1) * s->brightness;
        out[k] = value > 0 ? value < 1e8f ? value : 1e8f : 0;
    }
}

static float width_of(const mote_Look *look, const SplatSource *s, size_t i)
{
    if (look->line > 0) return (float)look->line;
    return 2 * (s->radius != NULL ? (float)s->radius[i] : 0.01f) * s->size;
}

/* ---- rows by id ---- */

typedef struct IdRow {
    uint64_t id;
    size_t row;
} IdRow;

static int by_id(const void *a, const void *b)
{
    const IdRow *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id ? 1 : 0;
}

static IdRow *sort_ids(Arena *arena, const uint64_t *id, size_t count)
{
    IdRow *rows = arena_take(arena, (count + 1) * sizeof *rows);
    bool sorted = true;
    for (size_t i = 0; rows != NULL && i < count; ++i) {
        rows[i] = (IdRow){id[i], i};
        sorted = sorted && (i == 0 || id[i - 1] < id[i]);
    }
    if (rows != NULL && !sorted) qsort(rows, count, sizeof *rows, by_id);
    return rows;
}

/* ---- trails ---- */

/* One system, one step back in time. */
typedef struct TrailStep {
    const View *view;
    const mote_Look *look;
    const SplatSource *source;
    float wrap[3];     /* m: length of periodic axes, 0: none */
    float (*place)[3]; /* where each row was in the frame before; last: nothing more is known */
    uint8_t *alive;
    float opacity; /* of this piece */
} TrailStep;

/* More than half of the box in one frame: the particle has left it and come in again. */
static bool has_wrapped(const TrailStep *t, size_t row, const float before[3])
{
    for (int k = 0; k < 3; ++k) {
        float way = before[k] - t->place[row][k];
        if (t->wrap[k] > 0 && 4 * way * way > t->wrap[k] * t->wrap[k]) return true;
    }
    return false;
}

static void add_piece(Lines *lines, TrailStep *t, size_t row, const float before[3])
{
    const SplatSource *s = t->source;
    Line line = {.width = width_of(t->look, s, row)};
    float opacity = s->opacity != NULL ? (float)s->opacity[row] : 1;
    memcpy(line.ends[0], before, sizeof line.ends[0]);
    memcpy(line.ends[1], t->place[row], sizeof line.ends[1]);
    line.alpha = (opacity < 1 ? opacity : 1) * t->opacity;
    color_of(s, row, line.color);
    if (!has_wrapped(t, row, before)) lines_add(lines, &line);
    memcpy(t->place[row], before, sizeof t->place[row]);
}

/* Joins the rows of now with those of an earlier frame, both by id. */
static bool step_back(Lines *lines, TrailStep *t, const IdRow *now, const mote_FrameSystem *then)
{
    mote_real *x[3];
    const uint64_t *id;
    size_t k = 0, count = t->source->count;
    if (!positions_of(then, x, &id)) return true;
    IdRow *old = sort_ids(lines->arena, id, then->count);
    if (old == NULL) return false;
    for (size_t i = 0; i < count; ++i) {
        while (k < then->count && old[k].id < now[i].id) ++k;
        bool found = k < then->count && old[k].id == now[i].id;
        size_t row = now[i].row;
        if (found && t->alive[row]) {
            float before[3];
            place_of(t->view, x, old[k].row, before);
            add_piece(lines, t, row, before);
        }
        t->alive[row] = t->alive[row] && found;
    }
    return true;
}

void trails_add(Lines *lines, const mote_RenderDef *def, const mote_Look *look, const View *view,
                const mote_FrameSystem *system, const SplatSource *source)
{
    mote_real *x[3];
    const uint64_t *id;
    if (!positions_of(system, x, &id)) return;
    size_t count = system->count, steps = (size_t)look->trail;
    if (steps > def->history_count) steps = def->history_count;
    TrailStep t = {.view = view, .look = look, .source = source};
    read3(def->wrap, t.wrap);
    IdRow *now = sort_ids(lines->arena, id, count);
    t.place = arena_take(lines->arena, (count + 1) * sizeof *t.place);
    t.alive = arena_take(lines->arena, count + 1);
    lines->failed = lines->failed || now == NULL || t.place == NULL || t.alive == NULL;
    if (lines->failed) return;
    memset(t.alive, 1, count);
    for (size_t i = 0; i < count; ++i) place_of(view, x, i, t.place[i]);
    for (size_t k = 0; k < steps && !lines->failed; ++k) {
        const mote_FrameSystem *then = mote_frame_system(def->history[k], system->name);
        float age = ((float)k + 0.5f) / (float)look->trail;
        t.opacity = 1 + age * ((float)look->faint - 1);
        if (then == NULL) break;
        if (!step_back(lines, &t, now, then)) lines->failed = true;
    }
}

/* ---- links ---- */

void links_add(Lines *lines, const mote_Frame *frame, size_t system, const mote_Look *look,
               const View *view, const SplatSource *source)
{
    MeshRows rows;
    if (!frame_mesh_rows(frame, system, frame->meshes, frame->mesh_count, lines->arena, &rows)) {
        lines->failed = true;
        return;
    }
    mote_real *x[3];
    const uint64_t *id;
    if (!positions_of(&frame->systems[system], x, &id)) return;
    for (size_t i = 0; i < rows.link_count; ++i) {
        const size_t *link = &rows.links[2 * i];
        float opacity = source->opacity != NULL ? (float)source->opacity[link[0]] : 1;
        Line line = {.alpha = opacity < 1 ? opacity : 1};
        line.width = look->line > 0 ? (float)look->line : 0.5f * width_of(look, source, link[0]);
        for (int e = 0; e < 2; ++e) place_of(view, x, link[e], line.ends[e]);
        color_of(source, link[0], line.color);
        lines_add(lines, &line);
    }
}
