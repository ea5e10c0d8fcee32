/* Facets: collecting, normals, bins of tiles, and drawing with 16 samples a pixel.
 *
 * A sample is inside a triangle when it is on the inner side of its three edges (J. Pineda, "A
 * parallel algorithm for polygon rasterization", SIGGRAPH 1988). An edge is computed from its two
 * corners in the order of their numbers, so that neighbours agree to the last bit and leave no gap.
 * The samples are Hammersley's: one in each of 16 rows and columns. */
#include "render/facets.h"

#include "frame/mesh_rows.h"
#include "particles/system.h"
#include "render/float3.h"
#include "render/texture.h"

#include <math.h>
#include <string.h>

#define PLACE(i) (((float)(i) + 0.5f) / 16)
const float sample_places[2][SAMPLES] = {
    {PLACE(0), PLACE(1), PLACE(2), PLACE(3), PLACE(4), PLACE(5), PLACE(6), PLACE(7), PLACE(8),
     PLACE(9), PLACE(10), PLACE(11), PLACE(12), PLACE(13), PLACE(14), PLACE(15)},
    {PLACE(0), PLACE(8), PLACE(4), PLACE(12), PLACE(2), PLACE(10), PLACE(6), PLACE(14), PLACE(1),
     PLACE(9), PLACE(5), PLACE(13), PLACE(3), PLACE(11), PLACE(7), PLACE(15)}};

/* ---- collecting ---- */

void facet_corner_project(const View *view, FacetCorner *c)
{
    const float depth = dot3(view->axis[2], c->place);
    const float scale = view->focal / (view->orthographic ? 1 : depth);
    c->x = view->center[0] + dot3(view->axis[0], c->place) * scale;
    c->y = view->center[1] + dot3(view->axis[1], c->place) * scale;
    c->near = view_nearness(view, depth);
    c->seen = depth >= view->near && depth < 1e15f && c->x > -1e6f && c->x < 1e6f && c->y > -1e6f &&
              c->y < 1e6f;
}

static void corner_place(const View *view, mote_Vec3 at, FacetCorner *c)
{
    const mote_Vec3 eye = view->from;
    c->place[0] = (float)(at.x - eye.x);
    c->place[1] = (float)(at.y - eye.y);
    c->place[2] = (float)(at.z - eye.z);
    facet_corner_project(view, c);
}

static float color_limited(float value)
{
    return value > 0 ? value < 1e6f ? value : 1e6f : 0;
}

static void corner_read(const SplatSource *s, const View *view, size_t i, FacetCorner *c)
{
    mote_Vec3 at = {s->position[0][i], s->position[1][i], s->position[2][i]};
    corner_place(view, at, c);
    for (int k = 0; k < 3; ++k) {
        float value = s->color[k] != NULL ? (float)s->color[k][i] : 1;
        c->color[k] = color_limited(value * s->brightness);
        c->normal[k] = 0;
    }
    for (int k = 0; k < 2; ++k) c->uv[k] = s->uv[k] != NULL ? (float)s->uv[k][i] : 0;
}

static void add_normals(Facets *f)
{
    for (size_t i = 0; i < f->count; ++i) {
        FacetCorner *c[3];
        float a[3], b[3], n[3];
        for (int k = 0; k < 3; ++k) c[k] = &f->corners[f->items[i].corners[k]];
        madd3(c[1]->place, -1, c[0]->place, a);
        madd3(c[2]->place, -1, c[0]->place, b);
        cross3(a, b, n);
        if (!(dot3(n, n) < 1e30f)) continue;
        for (int k = 0; k < 3; ++k) madd3(c[k]->normal, 1, n, c[k]->normal);
    }
    for (size_t i = 0; i < f->corner_count; ++i) unit3(f->corners[i].normal);
}

static void find_box(Facets *f)
{
    for (int k = 0; k < 3; ++k) f->low[k] = 1e30f, f->high[k] = -1e30f;
    for (size_t i = 0; i < f->count; ++i) {
        for (int c = 0; c < 3; ++c) {
            const float *p = f->corners[f->items[i].corners[c]].place;
            for (int k = 0; k < 3; ++k) {
                f->low[k] = p[k] < f->low[k] ? p[k] : f->low[k];
                f->high[k] = p[k] > f->high[k] ? p[k] : f->high[k];
            }
        }
    }
}

/* The corners of a system, and its triangles with a place for each. */
static bool add_system(Facets *f, const MeshRows *rows, const SplatSource *s, size_t first)
{
    const uint32_t paint = facets_add_paint(f, s);
    for (size_t i = 0; i < s->count; ++i) corner_read(s, f->view, i, &f->corners[first + i]);
    for (size_t i = 0; i < rows->triangle_count; ++i) {
        Facet facet = {.paint = paint};
        bool finite = true;
        for (size_t k = 0; k < 3; ++k) {
            facet.corners[k] = (uint32_t)(first + rows->triangles[3 * i + k]);
            const float *p = f->corners[facet.corners[k]].place;
            finite = finite && dot3(p, p) < 1e24f;
        }
        if (finite) f->items[f->count++] = facet;
    }
    return true;
}

void facets_surface_color(const SplatSource *s, float color[3])
{
    for (int k = 0; k < 3; ++k) {
        double sum = 0;
        for (size_t i = 0; s->color[k] != NULL && i < s->count; ++i) sum += (double)s->color[k][i];
        bool known = s->color[k] != NULL && s->count > 0;
        color[k] = color_limited((known ? (float)(sum / (double)s->count) : 1) * s->brightness);
    }
}

/* Vertices and triangles of a surface, with the normals that it has. */
static void add_surface(Facets *f, const mote_FrameSurface *surface, const SplatSource *s)
{
    size_t first = f->corner_count;
    float color[3];
    const mote_Column *own = mote_frame_column(&surface->carried, "color");
    if (own != NULL && own->components != 3) own = NULL;
    facets_surface_color(s, color);
    for (size_t i = 0; i < surface->vertex_count; ++i) {
        FacetCorner *c = &f->corners[first + i];
        const mote_Vec3 n = surface->normals[i];
        corner_place(f->view, surface->vertices[i], c);
        c->normal[0] = (float)n.x, c->normal[1] = (float)n.y, c->normal[2] = (float)n.z;
        memcpy(c->color, color, sizeof color);
        for (int k = 0; own != NULL && k < 3; ++k)
            c->color[k] = color_limited((float)column_value(own, k, i) * s->brightness);
    }
    f->liquids[f->liquid_count++] =
        (FacetLiquid){s->refraction, {s->absorption[0], s->absorption[1], s->absorption[2]}};
    for (size_t i = 0; i < surface->triangle_count; ++i) {
        f->items[f->count + i].liquid = s->opaque ? 0 : (uint32_t)f->liquid_count;
        f->items[f->count + i].paint = 0;
        for (int k = 0; k < 3; ++k)
            f->items[f->count + i].corners[k] =
                (uint32_t)(first + surface->triangles[3 * i + (size_t)k]);
    }
    f->corner_count += surface->vertex_count, f->count += surface->triangle_count;
}

static void add_surfaces(Facets *f, const mote_Frame *frame, const SplatSource *sources)
{
    for (size_t i = 0; i < frame->surface_count; ++i) {
        const mote_FrameSurface *surface = &frame->surfaces[i];
        if (surface->system < frame->system_count && sources[surface->system].around)
            add_surface(f, surface, &sources[surface->system]);
    }
}

bool facets_collect(Facets *f, const mote_Frame *frame, const SplatSource *sources, Arena *arena)
{
    size_t corners = 0, triangles = 0;
    for (size_t s = 0; s < frame->system_count; ++s)
        corners += sources[s].surface ? sources[s].count : 0;
    for (size_t m = 0; m < frame->mesh_count; ++m) triangles += frame->meshes[m].triangle_count;
    for (size_t i = 0; i < frame->surface_count; ++i) {
        corners += frame->surfaces[i].vertex_count;
        triangles += frame->surfaces[i].triangle_count;
    }
    if (corners == 0 || triangles == 0 || corners > UINT32_MAX / 2 || triangles > UINT32_MAX / 2)
        return true;
    f->corners = arena_take(arena, corners * sizeof *f->corners);
    f->items = arena_take(arena, triangles * sizeof *f->items);
    f->liquids = arena_take(arena, (frame->surface_count + 1) * sizeof *f->liquids);
    f->paints = arena_take(arena, (frame->system_count + 1) * sizeof *f->paints);
    if (f->corners == NULL || f->items == NULL || f->liquids == NULL || f->paints == NULL)
        return false;
    for (size_t s = 0; s < frame->system_count; ++s) {
        MeshRows rows;
        if (!sources[s].surface) continue;
        if (!frame_mesh_rows(frame, s, frame->meshes, frame->mesh_count, arena, &rows))
            return false;
        add_system(f, &rows, &sources[s], f->corner_count);
        f->corner_count += sources[s].count;
    }
    add_normals(f);
    add_surfaces(f, frame, sources);
    find_box(f);
    return true;
}

/* ---- bins ---- */

/* Pixels that a facet may cover; empty when it is not drawn. */
static SplatBounds facet_box(const Facets *f, size_t i, SplatBounds within)
{
    float low[2] = {1e30f, 1e30f}, high[2] = {-1e30f, -1e30f};
    for (int k = 0; k < 3; ++k) {
        const FacetCorner *c = &f->corners[f->items[i].corners[k]];
        if (!c->seen) return (SplatBounds){0, 0, 0, 0};
        low[0] = c->x < low[0] ? c->x : low[0], high[0] = c->x > high[0] ? c->x : high[0];
        low[1] = c->y < low[1] ? c->y : low[1], high[1] = c->y > high[1] ? c->y : high[1];
    }
    SplatBounds box = within;
    if (low[0] > (float)box.x0) box.x0 = low[0] < (float)box.x1 ? (int)low[0] : box.x1;
    if (low[1] > (float)box.y0) box.y0 = low[1] < (float)box.y1 ? (int)low[1] : box.y1;
    if (high[0] < (float)box.x1 - 1) box.x1 = high[0] >= (float)box.x0 ? (int)high[0] + 1 : box.x0;
    if (high[1] < (float)box.y1 - 1) box.y1 = high[1] >= (float)box.y0 ? (int)high[1] + 1 : box.y0;
    return box;
}

/* Calls for every tile of every facet: with list NULL counts into starts, else writes. */
static void visit_tiles(const Facets *f, uint32_t *starts, uint32_t *list)
{
    const SplatBounds whole = {0, 0, f->view->width, f->view->height};
    for (size_t i = 0; i < f->count; ++i) {
        SplatBounds b = facet_box(f, i, whole);
        if (b.x0 >= b.x1 || b.y0 >= b.y1) continue;
        for (int y = b.y0 / f->tile; y <= (b.y1 - 1) / f->tile; ++y) {
            for (int x = b.x0 / f->tile; x <= (b.x1 - 1) / f->tile; ++x) {
                uint32_t *start = &starts[y * f->columns + x];
                if (list != NULL) list[*start] = (uint32_t)i;
                ++*start;
            }
        }
    }
}

/* Counts, sums, then places (a counting sort): triangles of a tile keep their order. */
static bool make_bins(Facets *f, Arena *arena)
{
    const size_t tiles = (size_t)f->columns * (size_t)f->rows;
    uint32_t *ends = arena_take(arena, (tiles + 1) * sizeof *ends);
    f->starts = arena_take(arena, (tiles + 1) * sizeof *f->starts);
    if (ends == NULL || f->starts == NULL) return false;
    memset(ends, 0, (tiles + 1) * sizeof *ends);
    visit_tiles(f, ends, NULL);
    uint32_t sum = 0;
    for (size_t t = 0; t <= tiles; ++t) {
        uint32_t count = t < tiles ? ends[t] : 0;
        f->starts[t] = ends[t] = sum;
        sum += count;
    }
    f->list = arena_take(arena, ((size_t)sum + 1) * sizeof *f->list);
    if (f->list == NULL) return false;
    visit_tiles(f, ends, f->list);
    return true;
}

bool facets_make(Facets *f, const mote_Frame *frame, const SplatSource *sources, const View *view,
                 int tile, Arena *arena)
{
    *f = (Facets){.view = view, .tile = tile};
    f->columns = (view->width + tile - 1) / tile;
    f->rows = (view->height + tile - 1) / tile;
    if (!facets_collect(f, frame, sources, arena)) return false;
    return f->count == 0 || (facets_cut(f, arena) && make_bins(f, arena));
}

/* ---- drawing ---- */

/* Edge function: positive on the inner side, 0 on the edge. */
typedef struct Edge {
    float x, y, dx, dy; /* from a corner along the edge, in the order of the corners' numbers */
    float side;
} Edge;

static inline float edge_value(const Edge *e, float x, float y)
{
    return e->side * ((x - e->x) * e->dy - (y - e->y) * e->dx);
}

typedef struct Setup {
    Edge edges[3];                /* edge k is opposite corner k */
    float near, slope_x, slope_y; /* nearness at (x, y) of corner 0, and its change */
    float x, y;
    float side; /* 1: its back is seen; -1: its front */
    bool drawn;
} Setup;

static Edge edge_make(const Facet *facet, const FacetCorner *const c[3], int k)
{
    int a = (k + 1) % 3, b = (k + 2) % 3;
    if (facet->corners[a] > facet->corners[b]) {
        int swap = a;
        a = b, b = swap;
    }
    Edge e = {c[a]->x, c[a]->y, c[b]->x - c[a]->x, c[b]->y - c[a]->y, 1};
    return e;
}

/* 1 / z (`near`) is linear on the screen where z is not, so it is interpolated by its slopes. */
static Setup setup_make(const Facets *f, size_t i)
{
    const Facet *facet = &f->items[i];
    const FacetCorner *c[3];
    Setup s = {.drawn = false};
    for (int k = 0; k < 3; ++k) c[k] = &f->corners[facet->corners[k]];
    float ax = c[1]->x - c[0]->x, ay = c[1]->y - c[0]->y, bx = c[2]->x - c[0]->x,
          by = c[2]->y - c[0]->y, area = ax * by - ay * bx;
    if (!(area * area > 1e-12f)) return s;
    for (int k = 0; k < 3; ++k) {
        s.edges[k] = edge_make(facet, c, k);
        if (edge_value(&s.edges[k], c[k]->x, c[k]->y) < 0) s.edges[k].side = -1;
    }
    float an = c[1]->near - c[0]->near, bn = c[2]->near - c[0]->near;
    s.slope_x = (an * by - bn * ay) / area, s.slope_y = (bn * ax - an * bx) / area;
    s.x = c[0]->x, s.y = c[0]->y, s.near = c[0]->near;
    s.side = area > 0 ? 1 : -1;
    s.drawn = true;
    return s;
}

/* True when some sample of the pixel was written. */
static bool draw_pixel(const Setup *s, int px, int py, uint32_t id, float *near, uint32_t *ids)
{
    int written = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        float x = (float)px + sample_places[0][i], y = (float)py + sample_places[1][i];
        float n = s->near + (x - s->x) * s->slope_x + (y - s->y) * s->slope_y;
        /* no branches, so that the loop is one of vectors */
        int a = edge_value(&s->edges[0], x, y) >= 0, b = edge_value(&s->edges[1], x, y) >= 0;
        int c = edge_value(&s->edges[2], x, y) >= 0, nearer = n > near[i];
        int inside = a & b & c & nearer;
        near[i] = inside ? n : near[i];
        ids[i] = inside ? id : ids[i];
        written |= inside;
    }
    return written != 0;
}

/* Where the view leaves the liquid it is farther on than where it has come in. */
static float liquid_before(const View *view, const Setup *s, int px, int py)
{
    const float x = (float)px + 0.5f, y = (float)py + 0.5f;
    for (int k = 0; k < 3; ++k) {
        const float value = edge_value(&s->edges[k], x, y);
        if (value < 0 || (value == 0 && s->edges[k].side < 0)) return 0; /* an edge counts once */
    }
    return s->side *
           view_depth_of(view, s->near + (x - s->x) * s->slope_x + (y - s->y) * s->slope_y);
}

void facets_draw(const Facets *f, size_t tile, SampleTile *t)
{
    const int width = t->box.x1 - t->box.x0;
    for (uint32_t n = f->starts[tile]; n < f->starts[tile + 1]; ++n) {
        size_t i = f->list[n];
        Setup s = setup_make(f, i);
        if (!s.drawn) continue;
        SplatBounds b = facet_box(f, i, t->box);
        for (int y = b.y0; y < b.y1; ++y) {
            for (int x = b.x0; x < b.x1; ++x) {
                size_t p = (size_t)(y - t->box.y0) * (size_t)width + (size_t)(x - t->box.x0);
                if (draw_pixel(&s, x, y, (uint32_t)i + 1, t->near + p * SAMPLES,
                               t->id + p * SAMPLES))
                    t->touched[p] = 1;
                if (f->items[i].liquid != 0) t->thick[p] += liquid_before(f->view, &s, x, y);
            }
        }
    }
}

/* Correct for perspective: shares of the corners on the screen, each times its 1 / z, over their
 * sum. */
void facet_at(const Facets *f, size_t i, float x, float y, FacetCorner *out)
{
    Setup s = setup_make(f, i);
    float parts[3], sum = 0;
    *out = (FacetCorner){.x = x, .y = y};
    for (int k = 0; k < 3; ++k) {
        const FacetCorner *c = &f->corners[f->items[i].corners[k]];
        const Edge *e = &s.edges[k];
        float whole = edge_value(e, c->x, c->y), part = clamp01(edge_value(e, x, y) / whole);
        parts[k] = part * (f->view->orthographic ? 1 : c->near);
        sum += parts[k];
    }
    for (int k = 0; k < 3; ++k) {
        const FacetCorner *c = &f->corners[f->items[i].corners[k]];
        float part = sum > 0 ? parts[k] / sum : 1 / 3.0f;
        madd3(out->place, part, c->place, out->place);
        madd3(out->normal, part, c->normal, out->normal);
        madd3(out->color, part, c->color, out->color);
        for (int n = 0; n < 2; ++n) out->uv[n] += part * c->uv[n];
    }
    unit3(out->normal);
}

void facet_turn(const Facets *f, size_t i, const float direction[3], float normal[3])
{
    const Facet *facet = &f->items[i];
    const float *p = f->corners[facet->corners[0]].place;
    float a[3], b[3], own[3];
    madd3(f->corners[facet->corners[1]].place, -1, p, a);
    madd3(f->corners[facet->corners[2]].place, -1, p, b);
    cross3(a, b, own);
    if ((dot3(own, direction) > 0) != (dot3(own, normal) < 0))
        for (int k = 0; k < 3; ++k) normal[k] = -normal[k];
}
