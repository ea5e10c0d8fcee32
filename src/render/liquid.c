/* Screen-space fluid (W. van der Laan, S. Green, M. Sainz, I3D 2009): the depths of all particles
 * as balls, the nearest wins; their chords added up as thickness; then the depths are smoothed by a
 * narrow-range filter (N. Truong, C. Yuksel, "A narrow-range filter for screen-space fluid
 * rendering", PACM CGIT 1, 2018): a separable Gaussian that leaves out what is far before the pixel
 * and takes what is far behind as little behind, so that outlines stay. */
#include "render/liquid.h"

#include "base/math.h"
#include "render/float3.h"

#include <math.h>
#include <string.h>

enum { BAND = 16, PASSES = 2 }; /* px, number */
#define BEFORE 10.0f            /* radii: what is nearer belongs to another surface */
#define BEHIND 1.0f             /* radii: what is farther counts as that far */
#define SWELL  1.4f             /* drawn radius per radius: packed ones leave no hole */
#define WIDTH  3.0f             /* radii of the filter, per radius of a particle */

/* ---- collecting ---- */

static bool is_liquid(const SplatSource *s)
{
    return s->profile != NULL && s->profile->liquid && !s->hidden;
}

static bool drop_read(const View *view, const SplatSource *s, size_t i, Drop *drop)
{
    const mote_Vec3 eye = view->from;
    const float at[3] = {(float)(s->position[0][i] - eye.x), (float)(s->position[1][i] - eye.y),
                         (float)(s->position[2][i] - eye.z)};
    const float own = s->radius != NULL ? (float)s->radius[i] : 0.01f;
    const float depth = dot3(view->axis[2], at), world = SWELL * own * s->size;
    const float scale = view->focal / (view->orthographic ? 1 : depth);
    if (!(depth >= view->near && depth < 1e15f && world > 0 && world * scale < 1e5f)) return false;
    *drop = (Drop){.x = view->center[0] + dot3(view->axis[0], at) * scale,
                   .y = view->center[1] + dot3(view->axis[1], at) * scale,
                   .depth = depth,
                   .radius = world * scale,
                   .world = world};
    /* a particle of radius d/2 stands for d^3 */
    drop->share = 1.9098593f / (SWELL * SWELL * SWELL); /* 8 / (4 pi / 3) */
    for (int k = 0; k < 3; ++k) {
        float color = (s->color[k] != NULL ? (float)s->color[k][i] : 1) * s->brightness;
        color = color > 1e-3f ? color < 1 ? color : 1 : 1e-3f;
        /* exp(-a 2 r) = colour: light that has passed one particle shows the particle's colour. */
        drop->absorb[k] = -math_logf(color) / (2 * own * s->size);
    }
    return drop->x > -1e6f && drop->x < 1e6f && drop->y > -1e6f && drop->y < 1e6f;
}

/* The bands of rows that a drop touches; false when it is beside the picture. */
static bool drop_bands(const View *view, const Drop *d, size_t band[2])
{
    float top = d->y - d->radius, bottom = d->y + d->radius;
    if (!(bottom > 0 && top < (float)view->height && d->x + d->radius > 0 &&
          d->x - d->radius < (float)view->width))
        return false;
    int first = top > 0 ? (int)top : 0;
    int last = bottom < (float)view->height ? (int)bottom : view->height - 1;
    band[0] = (size_t)(first / BAND), band[1] = (size_t)(last / BAND);
    return true;
}

/* Counts into starts, or writes the list. */
static void visit_bands(const Liquid *l, uint32_t *starts, uint32_t *list)
{
    for (size_t i = 0; i < l->count; ++i) {
        size_t band[2];
        if (!drop_bands(l->view, &l->drops[i], band)) continue;
        for (size_t b = band[0]; b <= band[1]; ++b) {
            if (list != NULL) list[starts[b]] = (uint32_t)i;
            ++starts[b];
        }
    }
}

static bool make_bands(Liquid *l, Arena *arena)
{
    l->bands = (size_t)((l->view->height + BAND - 1) / BAND);
    uint32_t *ends = arena_take(arena, (l->bands + 1) * sizeof *ends), sum = 0;
    l->starts = arena_take(arena, (l->bands + 1) * sizeof *l->starts);
    if (ends == NULL || l->starts == NULL) return false;
    memset(ends, 0, (l->bands + 1) * sizeof *ends);
    visit_bands(l, ends, NULL);
    for (size_t b = 0; b <= l->bands; ++b) {
        uint32_t count = b < l->bands ? ends[b] : 0;
        l->starts[b] = ends[b] = sum;
        sum += count;
    }
    l->list = arena_take(arena, ((size_t)sum + 1) * sizeof *l->list);
    if (l->list != NULL) visit_bands(l, ends, l->list);
    return l->list != NULL;
}

bool liquid_make(Liquid *l, const View *view, const SplatSource *sources, size_t count,
                 Arena *arena)
{
    size_t most = 0;
    double sum = 0;
    *l = (Liquid){.view = view};
    for (size_t s = 0; s < count; ++s) most += is_liquid(&sources[s]) ? sources[s].count : 0;
    if (most == 0) return true;
    l->drops = arena_take(arena, most * sizeof *l->drops);
    if (l->drops == NULL) return false;
    for (size_t s = 0; s < count; ++s)
        for (size_t i = 0; is_liquid(&sources[s]) && i < sources[s].count; ++i)
            if (drop_read(view, &sources[s], i, &l->drops[l->count]))
                sum += (double)l->drops[l->count++].world;
    if (l->count == 0) return true;
    l->radius = (float)(sum / (double)l->count);
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    float **planes[] = {&l->depth,       &l->spare,       &l->thickness,
                        &l->absorbed[0], &l->absorbed[1], &l->absorbed[2]};
    for (size_t k = 0; k < sizeof planes / sizeof planes[0]; ++k)
        if ((*planes[k] = arena_take(arena, pixels * sizeof(float))) == NULL) return false;
    return make_bands(l, arena);
}

/* ---- balls ---- */

/* What a worker needs. */
typedef struct LiquidJob {
    Liquid *liquid;
    DepthPlane opaque;
    const float *from;
    float *to;
    int step; /* floats to the next pixel of the filter: 1, or a row */
} LiquidJob;

static void add_row(const Liquid *l, const Drop *d, DepthPlane opaque, int y)
{
    const int width = l->view->width;
    const float dy = (float)y + 0.5f - d->y, inside = d->radius * d->radius - dy * dy;
    if (!(inside > 0)) return;
    const float half = __builtin_sqrtf(inside), left = d->x - half + 0.5f,
                right = d->x + half + 0.5f;
    const int first = left > 0 ? (int)left : 0, last = right < (float)width ? (int)right : width;
    const size_t row = (size_t)y * (size_t)width;
    const float *wall = opaque.z != NULL ? opaque.z + (size_t)y * opaque.stride : NULL;
    for (int x = first; x < last; ++x) {
        const float dx = (float)x + 0.5f - d->x, h2 = inside - dx * dx;
        const float height = __builtin_sqrtf(h2 > 0 ? h2 : 0) / d->radius * d->world;
        const size_t p = row + (size_t)x;
        if (wall != NULL && d->depth > wall[x]) continue;
        l->depth[p] = d->depth - height < l->depth[p] ? d->depth - height : l->depth[p];
        /* The chord of the ball, made thinner by as much as the ball holds more than the particle's
         * cube d^3. */
        const float thick = 2 * height * d->share;
        l->thickness[p] += thick;
        for (int k = 0; k < 3; ++k) l->absorbed[k][p] += thick * d->absorb[k];
    }
}

static void add_drops(void *context, size_t begin, size_t end, int worker)
{
    const LiquidJob *job = context;
    const Liquid *l = job->liquid;
    (void)worker;
    for (size_t b = begin; b < end; ++b) {
        const int top = (int)b * BAND, bottom = top + BAND;
        const int stop = bottom < l->view->height ? bottom : l->view->height;
        for (uint32_t n = l->starts[b]; n < l->starts[b + 1]; ++n) {
            const Drop *d = &l->drops[l->list[n]];
            const float low = d->y - d->radius - 0.5f, high = d->y + d->radius + 0.5f;
            const int first = low > (float)top ? (int)low : top;
            for (int y = first; y < stop && (float)y < high; ++y) add_row(l, d, job->opaque, y);
        }
    }
}

/* ---- smoothing ---- */

/* px that the filter reaches at a depth. */
static int filter_reach(const Liquid *l, float depth)
{
    const View *view = l->view;
    float reach = WIDTH * l->radius * view->focal / (view->orthographic ? 1 : depth) + 0.5f;
    return reach < LIQUID_REACH ? (int)reach : LIQUID_REACH;
}

/* Gaussians of two deviations. */
static void make_weights(Liquid *l)
{
    for (int reach = 0; reach <= LIQUID_REACH; ++reach)
        for (int i = 0; i <= reach; ++i)
            l->weights[reach][i] =
                reach > 0 ? math_expf(-2 * (float)(i * i) / (float)(reach * reach)) : 1;
}

/* One pixel: `at` of a line of `count` values that are `step` apart. */
static float smooth_at(const Liquid *l, const float *line, int at, int count, size_t step)
{
    const float middle = line[(size_t)at * step];
    const int reach = filter_reach(l, middle);
    float sum = 0, weight = 0;
    for (int i = -reach; i <= reach; ++i) {
        if (at + i < 0 || at + i >= count) continue;
        float z = line[(size_t)(at + i) * step];
        if (z < middle - BEFORE * l->radius) continue;
        z = z < middle + BEHIND * l->radius ? z : middle + BEHIND * l->radius;
        const float w = l->weights[reach][i < 0 ? -i : i];
        sum += w * z, weight += w;
    }
    return sum / weight;
}

static void smooth_rows(void *context, size_t begin, size_t end, int worker)
{
    const LiquidJob *job = context;
    const Liquid *l = job->liquid;
    const int width = l->view->width, height = l->view->height;
    (void)worker;
    for (size_t y = begin; y < end; ++y) {
        for (size_t x = 0; x < (size_t)width; ++x) {
            const size_t p = y * (size_t)width + x;
            if (!(job->from[p] < 1e30f))
                job->to[p] = job->from[p];
            else if (job->step == 1)
                job->to[p] = smooth_at(l, job->from + y * (size_t)width, (int)x, width, 1);
            else
                job->to[p] = smooth_at(l, job->from + x, (int)y, height, (size_t)width);
        }
    }
}

/* The mean of a plane around a pixel, over the liquid alone. */
static float mean_at(const Liquid *l, const float *depth, const float *line, int at, int count,
                     size_t step)
{
    const int reach = filter_reach(l, depth[(size_t)at * step]);
    float sum = 0, weight = 0;
    for (int i = -reach; i <= reach; ++i) {
        if (at + i < 0 || at + i >= count || !(depth[(size_t)(at + i) * step] < 1e30f)) continue;
        const float w = l->weights[reach][i < 0 ? -i : i];
        sum += w * line[(size_t)(at + i) * step], weight += w;
    }
    return sum / weight;
}

static void mean_rows(void *context, size_t begin, size_t end, int worker)
{
    const LiquidJob *job = context;
    const Liquid *l = job->liquid;
    const size_t width = (size_t)l->view->width;
    (void)worker;
    for (size_t y = begin; y < end; ++y) {
        for (size_t x = 0; x < width; ++x) {
            const size_t p = y * width + x, start = job->step == 1 ? y * width : x;
            const int at = job->step == 1 ? (int)x : (int)y;
            const int count = job->step == 1 ? l->view->width : l->view->height;
            job->to[p] = 0;
            if (l->depth[p] < 1e30f)
                job->to[p] =
                    mean_at(l, l->depth + start, job->from + start, at, count, (size_t)job->step);
        }
    }
}

/* Balls leave a pattern in the thickness, too. */
static void smooth_thickness(Liquid *l, mote_Tasks *tasks)
{
    float **planes[4] = {&l->thickness, &l->absorbed[0], &l->absorbed[1], &l->absorbed[2]};
    for (int k = 0; k < 8; ++k) {
        LiquidJob job = {.liquid = l, .from = *planes[k / 2], .to = l->spare};
        job.step = k % 2 == 0 ? 1 : l->view->width;
        mote_parallel_for(tasks, (size_t)l->view->height, 8, mean_rows, &job);
        l->spare = *planes[k / 2];
        *planes[k / 2] = job.to;
    }
}

void liquid_surface(Liquid *l, DepthPlane opaque, mote_Tasks *tasks)
{
    const size_t pixels = (size_t)l->view->width * (size_t)l->view->height;
    LiquidJob job = {.liquid = l, .opaque = opaque};
    make_weights(l);
    for (size_t p = 0; p < pixels; ++p) {
        l->depth[p] = (float)INFINITY;
        l->thickness[p] = l->absorbed[0][p] = l->absorbed[1][p] = l->absorbed[2][p] = 0;
    }
    mote_parallel_for(tasks, l->bands, 1, add_drops, &job);
    smooth_thickness(l, tasks);
    for (int k = 0; k < 2 * PASSES; ++k) {
        job.from = l->depth, job.to = l->spare;
        job.step = k % 2 == 0 ? 1 : l->view->width;
        mote_parallel_for(tasks, (size_t)l->view->height, 8, smooth_rows, &job);
        l->spare = l->depth;
        l->depth = job.to;
    }
}
