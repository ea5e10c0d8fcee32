/* The stage. One ray goes through the middle of every pixel; where neighbours see different things,
 * and wherever triangles are, 16 samples share the pixel. Each thing that some of them see is
 * shaded once, at their mean place, and counts by their number. So edges are smooth, and the middle
 * of a surface costs one ray. */
#include "render/stage.h"

#include "render/float3.h"

#include <math.h>
#include <string.h>

#define CREASE 0.96f /* cosine: normals that differ more belong to two faces */
#define SOLID  0x80000000u
enum { THIN = 4 };   /* px: what is thinner may hide between the pixels' middles */
enum { PATCH = 16 }; /* px: side of the squares for which what shades them is found out */

static bool has_depth(const Stage *stage)
{
    return stage->solids->count > 0 || stage->facets->count > 0;
}

bool stage_scratch_take(StageScratch *s, const Stage *stage, int tile, Arena *arena)
{
    const size_t side = (size_t)tile, pixels = side * side;
    const size_t list = (stage->solids->count + 1) * sizeof(size_t);
    *s = (StageScratch){.row = arena_take(arena, side * sizeof *s->row)};
    s->ground.shading = arena_take(arena, list);
    s->surface.shading = arena_take(arena, list);
    if (s->row == NULL || s->ground.shading == NULL || s->surface.shading == NULL) return false;
    if (!has_depth(stage)) return true;
    s->near = arena_take(arena, (stage->solids->count + 1) * sizeof *s->near);
    s->hits = arena_take(arena, (side + 2) * (side + 2) * sizeof *s->hits);
    s->edge = arena_take(arena, pixels);
    s->samples.near = arena_take(arena, pixels * SAMPLES * sizeof(float));
    s->samples.id = arena_take(arena, pixels * SAMPLES * sizeof(uint32_t));
    s->samples.touched = arena_take(arena, pixels);
    return s->near != NULL && s->hits != NULL && s->edge != NULL && s->samples.near != NULL &&
           s->samples.id != NULL && s->samples.touched != NULL;
}

/* ---- shading ---- */

/* Material of a surface. */
typedef struct Finish {
    const float *color;
    float roughness, gloss;
} Finish;

void stage_mirrored(const Stage *stage, const Surfel *s, const float direction[3], float height,
                    float out[3])
{
    const Backdrop *b = stage->backdrop;
    float r[3], ground[3];
    madd3(direction, -2 * dot3(direction, s->normal), s->normal, r);
    backdrop_sky(b, r, height, out);
    float below = clamp01(0.5f - 4 * dot3(r, stage->view->up) / length3(r));
    if (b->plane_count == 0) below = 0;
    read3(b->def->ground.colors[0], ground);
    for (int k = 0; k < 3; ++k) out[k] += below * (ground[k] - out[k]);
}

static void shade(const Stage *stage, Surfel *s, const float direction[3], float y,
                  const Finish *finish, float out[3])
{
    float diffuse[3], highlight[3], sky[3], height = 1 - y / (float)stage->view->height;
    float length = length3(direction);
    for (int k = 0; k < 3; ++k) s->toward_eye[k] = -direction[k] / length;
    light_on(stage->lights, s, finish->roughness, diffuse, highlight);
    stage_mirrored(stage, s, direction, height, sky);
    float f = 1 - clamp01(dot3(s->normal, s->toward_eye)), f2 = f * f;
    float mirror = (0.04f + 0.5f * f2 * f2 * f) * (1 - 0.7f * finish->roughness);
    for (int k = 0; k < 3; ++k)
        out[k] = finish->color[k] * diffuse[k] + finish->gloss * (highlight[k] + mirror * sky[k]);
    float clear = stage->transparent ? 1 : backdrop_clearness(stage->backdrop, s->place);
    if (clear >= 1) return;
    backdrop_sky(stage->backdrop, direction, height, sky);
    for (int k = 0; k < 3; ++k) out[k] = sky[k] + clear * (out[k] - sky[k]);
}

static void shade_solid(const Stage *stage, const SolidHit *hit, float x, float y, float out[3])
{
    const Solid *solid = &stage->solids->items[hit->solid];
    Finish finish = {solid->color, solid->roughness, solid->gloss};
    float origin[3], direction[3];
    Surfel s = {.solid = hit->solid};
    view_ray(stage->view, x, y, origin, direction);
    madd3(origin, hit->depth, direction, s.place);
    memcpy(s.normal, hit->normal, sizeof s.normal);
    shade(stage, &s, direction, y, &finish, out);
}

static void shade_facet(const Stage *stage, size_t facet, float x, float y, float out[3])
{
    FacetCorner at;
    float origin[3], direction[3];
    Surfel s = {.solid = NO_SOLID};
    facet_at(stage->facets, facet, x, y, &at);
    Finish finish = {at.color, 0.6f, 0.3f};
    view_ray(stage->view, x, y, origin, direction);
    facet_turn(stage->facets, facet, direction, at.normal);
    memcpy(s.place, at.place, sizeof s.place);
    memcpy(s.normal, at.normal, sizeof s.normal);
    shade(stage, &s, direction, y, &finish, out);
}

/* ---- what shades the ground of a tile ---- */

static bool may_shade(const Stage *stage, const Solid *solid, const float middle[3], float radius)
{
    if (solid_contacts(solid, middle, radius)) return true;
    for (size_t i = 0; i < stage->lights->count; ++i) {
        const Light *light = &stage->lights->lights[i];
        if (!light->shadows) continue;
        if (light->point || solid_shades(solid, middle, radius, light->toward, light->size))
            return true;
    }
    return false;
}

/* All lights, and no solids yet. */
static void shade_begin(Shade *shade, const Stage *stage)
{
    shade->lights = *stage->lights;
    shade->solids = *stage->solids;
    shade->lights.solids = &shade->solids;
    shade->solids.shading = shade->shading;
    shade->solids.shading_count = 0;
}

static void shade_add(Shade *shade, size_t solid)
{
    shade->shading[shade->solids.shading_count++] = solid;
}

/* The ground of a patch, without what cannot change a bit of it. */
static void choose_for_ground(const Stage *stage, StageScratch *s, Bounds patch)
{
    shade_begin(&s->ground, stage);
    s->backdrop = *stage->backdrop;
    s->backdrop.lights = &s->ground.lights;
    for (size_t n = 0; n < stage->solids->shading_count; ++n) {
        const size_t i = stage->solids->shading[n];
        bool keep = false;
        for (size_t p = 0; p < stage->backdrop->plane_count && !keep; ++p) {
            float middle[3], radius;
            keep = !backdrop_patch(stage->backdrop, p, patch, middle, &radius) ||
                   may_shade(stage, &stage->solids->items[i], middle, radius);
        }
        if (keep) shade_add(&s->ground, i);
    }
    backdrop_settle(&s->backdrop);
}

static const SolidHit *hit_at(const StageScratch *s, Bounds box, int x, int y)
{
    return &s->hits[(y - box.y0 + 1) * (box.x1 - box.x0 + 2) + x - box.x0 + 1];
}

static void place_of(const Stage *stage, const SolidHit *hit, float x, float y, float place[3])
{
    float origin[3], direction[3];
    view_ray(stage->view, x, y, origin, direction);
    madd3(origin, hit->depth, direction, place);
}

/* A ball around what is hit in the middles of a patch's pixels; false when that is nothing. */
static bool patch_ball(const Stage *stage, const StageScratch *s, Bounds box, Bounds patch,
                       float middle[3], float *radius)
{
    float low[3] = {1e30f, 1e30f, 1e30f}, high[3] = {-1e30f, -1e30f, -1e30f}, half[3], at[3];
    for (int y = patch.y0; y < patch.y1; ++y) {
        for (int x = patch.x0; x < patch.x1; ++x) {
            const SolidHit *hit = hit_at(s, box, x, y);
            if (hit->solid == NO_SOLID) continue;
            place_of(stage, hit, (float)x + 0.5f, (float)y + 0.5f, at);
            for (int k = 0; k < 3; ++k) {
                low[k] = at[k] < low[k] ? at[k] : low[k];
                high[k] = at[k] > high[k] ? at[k] : high[k];
            }
        }
    }
    for (int k = 0; k < 3; ++k) half[k] = 0.5f * (high[k] - low[k]), middle[k] = low[k] + half[k];
    *radius = 1.001f * length3(half);
    return low[0] <= high[0];
}

/* The solids of a patch, likewise. */
static void choose_for_surface(const Stage *stage, StageScratch *s, Bounds box, Bounds patch)
{
    float middle[3], radius;
    shade_begin(&s->surface, stage);
    if (!patch_ball(stage, s, box, patch, middle, &radius)) return;
    for (size_t n = 0; n < stage->solids->shading_count; ++n) {
        const size_t i = stage->solids->shading[n];
        if (may_shade(stage, &stage->solids->items[i], middle, radius)) shade_add(&s->surface, i);
    }
}

/* ---- rays ---- */

/* Solids whose pixels meet the tile and a border of one. */
static size_t find_near(const Stage *stage, Bounds box, StageScratch *s)
{
    size_t count = 0;
    for (size_t i = 0; i < stage->solids->count; ++i) {
        const Solid *solid = &stage->solids->items[i];
        const Bounds b = solid->box;
        if (solid->drawn && b.x0 <= box.x1 && b.x1 >= box.x0 - 1 && b.y0 <= box.y1 &&
            b.y1 >= box.y0 - 1 && b.x0 < b.x1 && b.y0 < b.y1)
            s->near[count++] = i;
    }
    return count;
}

/* The nearest solid that no plane hides. */
static SolidHit cast_at(const Stage *stage, const StageScratch *s, size_t near, float x, float y)
{
    float origin[3], direction[3];
    SolidHit hit = {.solid = NO_SOLID, .depth = (float)INFINITY};
    view_ray(stage->view, x, y, origin, direction);
    for (size_t n = 0; n < near; ++n) {
        const Bounds b = stage->solids->items[s->near[n]].box;
        if (x >= (float)(b.x0 - 1) && x <= (float)(b.x1 + 1) && y >= (float)(b.y0 - 1) &&
            y <= (float)(b.y1 + 1))
            solids_cast(stage->solids, s->near[n], origin, direction, &hit);
    }
    if (hit.solid != NO_SOLID && backdrop_depth(stage->backdrop, origin, direction) < hit.depth &&
        !stage->transparent)
        hit.solid = NO_SOLID;
    return hit;
}

static void cast_middles(const Stage *stage, StageScratch *s, size_t near, Bounds box)
{
    SolidHit *hit = s->hits;
    for (int y = box.y0 - 1; y <= box.y1; ++y)
        for (int x = box.x0 - 1; x <= box.x1; ++x)
            *hit++ = cast_at(stage, s, near, (float)x + 0.5f, (float)y + 0.5f);
}

static bool same_face(const SolidHit *a, const SolidHit *b)
{
    if (a->solid != b->solid) return false;
    return a->solid == NO_SOLID || dot3(a->normal, b->normal) > CREASE;
}

static void find_edges(const Stage *stage, StageScratch *s, size_t near, Bounds box)
{
    const int width = box.x1 - box.x0, stride = width + 2;
    for (int y = 0; y < box.y1 - box.y0; ++y) {
        for (int x = 0; x < width; ++x) {
            const SolidHit *middle = &s->hits[(y + 1) * stride + x + 1];
            bool edge = false;
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i)
                    edge = edge || !same_face(middle, middle + j * stride + i);
            s->edge[y * width + x] = edge;
        }
    }
    for (size_t n = 0; n < near; ++n) {
        Bounds b = stage->solids->items[s->near[n]].box;
        if (b.x1 - b.x0 > THIN + 3 && b.y1 - b.y0 > THIN + 3) continue;
        for (int y = b.y0 > box.y0 ? b.y0 : box.y0; y < b.y1 && y < box.y1; ++y)
            for (int x = b.x0 > box.x0 ? b.x0 : box.x0; x < b.x1 && x < box.x1; ++x)
                s->edge[(y - box.y0) * width + x - box.x0] = true;
    }
}

/* ---- pixels of several things ---- */

/* A thing that some samples of a pixel see. */
typedef struct Part {
    uint32_t id; /* 0: the backdrop; SOLID | number; facet + 1 */
    int count;
    float x, y;   /* sums of the places */
    SolidHit hit; /* of the first sample */
} Part;

typedef struct Parts {
    Part items[SAMPLES];
    int count;
} Parts;

static void parts_add(Parts *parts, uint32_t id, const SolidHit *hit, int sample)
{
    int i = 0;
    for (; i < parts->count; ++i) {
        const Part *p = &parts->items[i];
        if (p->id == id && ((id & SOLID) == 0 || same_face(&p->hit, hit))) break;
    }
    Part *part = &parts->items[i];
    if (i == parts->count) {
        *part = (Part){.id = id, .hit = *hit};
        ++parts->count;
    }
    ++part->count;
    part->x += sample_places[0][sample];
    part->y += sample_places[1][sample];
}

/* The tangent plane of a hit at another place of the screen. */
static SolidHit slide(const Stage *stage, const SolidHit *middle, float x, float y, float sx,
                      float sy)
{
    float origin[3], direction[3], place[3], at[3], way[3];
    SolidHit hit = *middle;
    view_ray(stage->view, x, y, origin, direction);
    madd3(origin, middle->depth, direction, place);
    view_ray(stage->view, sx, sy, at, way);
    float toward = dot3(middle->normal, way), from[3];
    madd3(place, -1, at, from);
    if (toward < -1e-6f) hit.depth = dot3(middle->normal, from) / toward;
    return hit;
}

/* Everything in a pixel. */
static void find_parts(const Stage *stage, const StageScratch *s, size_t near, int x, int y,
                       size_t pixel, const SolidHit *middle, Parts *parts)
{
    const View *view = stage->view;
    const bool touched = s->samples.touched[pixel] != 0;
    parts->count = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        float sx = (float)x + sample_places[0][i], sy = (float)y + sample_places[1][i];
        SolidHit hit = *middle;
        if (s->edge[pixel])
            hit = cast_at(stage, s, near, sx, sy);
        else if (hit.solid != NO_SOLID)
            hit = slide(stage, middle, (float)x + 0.5f, (float)y + 0.5f, sx, sy);
        uint32_t id = hit.solid != NO_SOLID ? SOLID | (uint32_t)hit.solid : 0;
        float nearest = id != 0 ? view_nearness(view, hit.depth) : (float)-INFINITY;
        uint32_t facet = touched ? s->samples.id[pixel * SAMPLES + (size_t)i] : 0;
        if (facet != 0 && s->samples.near[pixel * SAMPLES + (size_t)i] > nearest) {
            float origin[3], direction[3];
            nearest = s->samples.near[pixel * SAMPLES + (size_t)i];
            view_ray(view, sx, sy, origin, direction);
            float ground = stage->transparent ? (float)INFINITY
                                              : backdrop_depth(stage->backdrop, origin, direction);
            hit.depth = view_depth_of(view, nearest);
            id = hit.depth <= ground ? facet : 0;
        }
        parts_add(parts, id, &hit, i);
    }
}

static void shade_part(const Stage *stage, const StageScratch *s, size_t near, const Part *part,
                       const float at[2], float out[3])
{
    float x = at[0] + part->x / (float)part->count, y = at[1] + part->y / (float)part->count;
    if ((part->id & SOLID) == 0) {
        shade_facet(stage, part->id - 1, x, y, out);
        return;
    }
    SolidHit hit = cast_at(stage, s, near, x, y);
    if (!same_face(&hit, &part->hit)) hit = part->hit;
    shade_solid(stage, &hit, x, y, out);
}

/* Writes a pixel of several things; the backdrop's colour is in out. Returns its depth. */
static float mix_parts(const Stage *stage, const StageScratch *s, size_t near, const Parts *parts,
                       const float at[2], float out[4])
{
    float sum[4] = {0, 0, 0, 0}, depth = (float)INFINITY;
    int most = SAMPLES / 2 - 1;
    for (int i = 0; i < parts->count; ++i) {
        const Part *part = &parts->items[i];
        float weight = (float)part->count / SAMPLES, color[4] = {0, 0, 0, 1};
        if (part->id == 0)
            memcpy(color, out, sizeof color);
        else
            shade_part(stage, s, near, part, at, color);
        for (int k = 0; k < 4; ++k) sum[k] += weight * color[k];
        if (part->id == 0 || part->count <= most) continue;
        most = part->count;
        depth = part->hit.depth;
    }
    memcpy(out, sum, sizeof sum);
    return depth;
}

/* ---- tiles ---- */

/* A tile, and the part of it that is being drawn. */
typedef struct Patch {
    Bounds box, patch;
    size_t near;     /* solids that may be seen */
    float (*out)[4]; /* of the box */
} Patch;

/* Pixels of a row that show some of the backdrop. */
static void backdrop_runs(const Stage *stage, StageScratch *s, const Patch *p, int y, bool all)
{
    const int width = p->box.x1 - p->box.x0;
    const int first = (y - p->box.y0) * width - p->box.x0; /* of pixel 0 */
    for (int x = p->patch.x0; x < p->patch.x1;) {
        int end = x;
        for (; end < p->patch.x1; ++end)
            if (!all && !s->edge[first + end] && hit_at(s, p->box, end, y)->solid != NO_SOLID)
                break;
        if (end > x) backdrop_row(&s->backdrop, x, y, end - x, s->row);
        for (int i = x; i < end; ++i) {
            memcpy(p->out[first + i], s->row[i - x], sizeof s->row[0]);
            p->out[first + i][3] = stage->transparent ? 0 : 1;
        }
        x = end > x ? end : x + 1;
    }
}

static void draw_row(const Stage *stage, StageScratch *s, const Patch *p, int y)
{
    const int width = p->box.x1 - p->box.x0;
    float *depth = stage->depth + (size_t)y * stage->stride;
    Stage local = *stage; /* with fewer shades, for the middles of surfaces */
    local.lights = &s->surface.lights;
    backdrop_runs(stage, s, p, y, false);
    for (int x = p->patch.x0; x < p->patch.x1; ++x) {
        size_t pixel = (size_t)((y - p->box.y0) * width + x - p->box.x0);
        const SolidHit *hit = hit_at(s, p->box, x, y);
        const float at[2] = {(float)x, (float)y};
        depth[x] = (float)INFINITY;
        if (s->edge[pixel] || s->samples.touched[pixel]) {
            Parts parts;
            find_parts(stage, s, p->near, x, y, pixel, hit, &parts);
            depth[x] = mix_parts(stage, s, p->near, &parts, at, p->out[pixel]);
        } else if (hit->solid != NO_SOLID) {
            shade_solid(&local, hit, at[0] + 0.5f, at[1] + 0.5f, p->out[pixel]);
            p->out[pixel][3] = 1;
            depth[x] = hit->depth;
        }
    }
}

static void draw_patch(const Stage *stage, StageScratch *s, const Patch *p, bool backdrop_alone)
{
    choose_for_ground(stage, s, p->patch);
    if (!backdrop_alone) choose_for_surface(stage, s, p->box, p->patch);
    for (int y = p->patch.y0; y < p->patch.y1; ++y) {
        if (backdrop_alone)
            backdrop_runs(stage, s, p, y, true);
        else
            draw_row(stage, s, p, y);
    }
}

static void draw_patches(const Stage *stage, StageScratch *s, Patch p, bool backdrop_alone)
{
    const int side = has_depth(stage) ? PATCH : 1 << 20; /* nothing shades: one is enough */
    for (int y = p.box.y0; y < p.box.y1; y += side) {
        for (int x = p.box.x0; x < p.box.x1; x += side) {
            p.patch = (Bounds){x, y, x + side < p.box.x1 ? x + side : p.box.x1,
                               y + side < p.box.y1 ? y + side : p.box.y1};
            draw_patch(stage, s, &p, backdrop_alone);
        }
    }
}

static void clear_samples(const Stage *stage, size_t tile, Bounds box, SampleTile *samples)
{
    const size_t pixels = (size_t)(box.x1 - box.x0) * (size_t)(box.y1 - box.y0);
    samples->box = box;
    memset(samples->touched, 0, pixels);
    if (stage->facets->count == 0 || stage->facets->starts[tile] == stage->facets->starts[tile + 1])
        return;
    memset(samples->id, 0, pixels * SAMPLES * sizeof *samples->id);
    for (size_t i = 0; i < pixels * SAMPLES; ++i) samples->near[i] = (float)-INFINITY;
    facets_draw(stage->facets, tile, samples);
}

static void clear_depth(const Stage *stage, Bounds box)
{
    for (int y = box.y0; stage->depth != NULL && y < box.y1; ++y)
        for (int x = box.x0; x < box.x1; ++x)
            stage->depth[(size_t)y * stage->stride + (size_t)x] = (float)INFINITY;
}

void stage_tile(const Stage *stage, size_t tile, Bounds box, StageScratch *s, float (*out)[4])
{
    Patch whole = {.box = box, .out = out};
    whole.near = stage->solids->count > 0 ? find_near(stage, box, s) : 0;
    bool facets =
        stage->facets->count > 0 && stage->facets->starts[tile] < stage->facets->starts[tile + 1];
    bool backdrop_alone = whole.near == 0 && !facets;
    if (backdrop_alone) {
        clear_depth(stage, box);
    } else {
        cast_middles(stage, s, whole.near, box);
        find_edges(stage, s, whole.near, box);
        clear_samples(stage, tile, box, &s->samples);
    }
    draw_patches(stage, s, whole, backdrop_alone);
}
