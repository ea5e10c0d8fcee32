/* Boundary row `sampled`: particles on the colliders' surfaces, each with its share of the wall
 * (after Akinci et al. 2012):
 *     V_b = factor / sum_c w_bc,     volume_i = sum_b V_b w_ib,     gradient_i its gradient,
 * with a kernel w of the wall's own (wall_table.h). They lie half a spacing inside the wall; reach
 * and factor are such that a flat wall has the analytic one's volume and slope where the liquid's
 * first layer is. Where they are is drawn at random and thinned to a least distance (Cook 1986), in
 * the collider's own frame, when it is first met. */
#include "solvers/sph/boundary.h"

#include "base/status.h"
#include "collide/wall.h"
#include "geometry/shapes.h"
#include "space/cells.h"

#include <math.h>
#include <string.h>

/* Discs thrown at random with a least distance of half a spacing end up 2.8 to the square of a
 * spacing (they jam at 0.547 of the area), so that 6 is room enough, and 48 draws leave few gaps.
 */
enum {
    DRAWS = 48, /* candidates per square of a spacing */
    KEPT = 6,   /* more are not kept */
    MOST_SAMPLES = 40000000
};

static const double apart = 0.5; /* least distance, spacings: the kernel is short */

/* ---- where they are ---- */

/* What is sampled: the shape, or what it is a hollow of. */
static PosedShape surface_of(const Collider *c, bool *hollow)
{
    PosedShape shape = {c->shape, c->object.params, pose_identity()};
    const mote_Shapes *inside = shape_form(c->shape, c->object.params).hollow;
    *hollow = inside != NULL;
    return *hollow ? inside->parts[0] : shape;
}

static mote_Status check_end(const Collider *c, const PosedShape *shape, mote_Error *error)
{
    Aabb own = shape->row->bounds(shape->params);
    if (shape->row->surface != NULL && shape->row->measure != NULL && aabb_is_finite(&own))
        return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "collider %s: a %s without end cannot be covered with particles; use "
                       "boundary: \"analytic\"",
                       c->object.name, c->shape->head.name);
}

/* The point at this signed distance from the shape that is nearest, nearly. */
static mote_Vec3 moved_to(const PosedShape *shape, mote_Vec3 p, mote_real distance)
{
    for (int i = 0; i < 2; ++i) {
        mote_real at[3] = {p.x, p.y, p.z}, d, n[3];
        mote_real *const x[3] = {&at[0], &at[1], &at[2]}, *const normal[3] = {&n[0], &n[1], &n[2]};
        shape->row->distance(shape->params, 1, x, &d);
        shape->row->normal(shape->params, 1, x, normal);
        p = vec3_madd(p, distance - d, vec3(n[0], n[1], n[2]));
    }
    return p;
}

/* Candidate number i, half a spacing inside the wall, from all its faces; around a hollow they are
 * scattered first, so that they lie behind its edges too. */
static bool draw(const Collider *c, uint64_t i, mote_real depth, mote_Vec3 *point)
{
    bool hollow;
    PosedShape shape = surface_of(c, &hollow);
    ShapeRandom random = {.key = random_key(1, c->object.name), .id = i};
    Random4 u = random_draw(random.key, i, 0, 1000);
    mote_Vec3 far = {random_signed(u.word[0]), random_signed(u.word[1]), random_signed(u.word[2])};
    ShapePoint at;
    if (!shape.row->surface(shape.params, &random, &at)) return false;
    mote_Vec3 p = vec3_madd(at.position, hollow ? depth : -depth, at.normal);
    if (hollow) p = vec3_madd(p, depth, far);
    p = moved_to(&shape, p, hollow ? depth : -depth);
    *point = pose_apply(&shape.pose, p);
    return true;
}

/* ---- looking around ---- */

typedef void Visit(void *context, size_t place, mote_Vec3 away, mote_real r);

/* Calls visit for all particles nearer than the support, in the order of their places. */
static void visit_near(const Cells *cells, mote_Vec3 x, Visit *visit, void *context)
{
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    BallWalk walk = ball_walk(cells, at, (double)cells->reach);
    CellRun run;
    while (ball_next(&walk, &run))
        for (uint32_t p = run.begin; p < run.end; ++p) {
            mote_Vec3 away = vec3_sub(x, vec3(cells->x[0][p], cells->x[1][p], cells->x[2][p]));
            mote_real r = vec3_length(away);
            if (r < cells->reach) visit(context, p, away, r);
        }
}

/* ---- thinning ---- */

/* A hash of places: those kept so far, by cubes that hold at most a few. */
typedef struct Kept {
    mote_real *x[3];
    size_t count;
    uint32_t *head, *next; /* by hash; by number */
    uint64_t mask;
    double cell;
} Kept;

static uint64_t hash_of(const int64_t k[3])
{
    uint64_t h = (uint64_t)k[0] * 0x9e3779b97f4a7c15u ^ (uint64_t)k[1] * 0xbf58476d1ce4e5b9u ^
                 (uint64_t)k[2] * 0x94d049bb133111ebu;
    return h ^ h >> 29;
}

static bool is_crowded(const Kept *kept, const int64_t at[3], mote_Vec3 p)
{
    for (int i = 0; i < 27; ++i) {
        const int64_t k[3] = {at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1};
        for (uint32_t n = kept->head[hash_of(k) & kept->mask]; n != UINT32_MAX; n = kept->next[n]) {
            mote_Vec3 d = vec3_sub(p, vec3(kept->x[0][n], kept->x[1][n], kept->x[2][n]));
            if ((double)vec3_length(d) < kept->cell) return true;
        }
    }
    return false;
}

static void keep(Kept *kept, mote_Vec3 p)
{
    const int64_t k[3] = {(int64_t)floor((double)p.x / kept->cell),
                          (int64_t)floor((double)p.y / kept->cell),
                          (int64_t)floor((double)p.z / kept->cell)};
    if (is_crowded(kept, k, p)) return;
    uint32_t n = (uint32_t)kept->count++;
    uint64_t slot = hash_of(k) & kept->mask;
    kept->x[0][n] = p.x, kept->x[1][n] = p.y, kept->x[2][n] = p.z;
    kept->next[n] = kept->head[slot], kept->head[slot] = n;
}

static bool make_kept(Kept *kept, Arena *arena, size_t most, double distance)
{
    size_t slots = 64;
    while (slots < 2 * most) slots *= 2;
    *kept = (Kept){.mask = slots - 1, .cell = distance};
    for (int c = 0; c < 3; ++c) kept->x[c] = arena_take(arena, (most + 1) * sizeof(mote_real));
    kept->head = arena_take(arena, slots * sizeof *kept->head);
    kept->next = arena_take(arena, (most + 1) * sizeof *kept->next);
    if (kept->x[0] == NULL || kept->x[1] == NULL || kept->x[2] == NULL || kept->head == NULL ||
        kept->next == NULL)
        return false;
    for (size_t i = 0; i < slots; ++i) kept->head[i] = UINT32_MAX;
    return true;
}

/* ---- their shares ---- */

static double value_at(const SphState *state, double q)
{
    return q < 1 ? state->smoothing->value(q) : 0;
}

typedef struct Sum {
    const SphState *state;
    double reach, value;
} Sum;

static void add_value(void *context, size_t place, mote_Vec3 away, mote_real r)
{
    Sum *sum = context;
    (void)place, (void)away;
    sum->value += value_at(sum->state, (double)r / sum->reach);
}

/* As the analytic wall half a spacing before it: volume and slope; the particles are a spacing
 * away from there. */
typedef struct SampleKernel {
    double reach, factor;
} SampleKernel;

/* Akinci's psi_b = rho0 / sum W_bc counts a particle's share of a thin wall; `factor` makes one
 * layer as full as the whole wall behind it. */
static SampleKernel fit_kernel(const SphState *state, double d, int dimension)
{
    const double support = (double)state->kernel.support;
    const WallPlaneEntry wall = wall_plane_at(&state->walls.table, (mote_real)(d / 2 / support));
    const double wanted = (double)wall.volume / (double)wall.slope * support;
    double low = d,
           high = support; /* cells look no further; 0.9 of it is the most that was found */
    for (int i = 0; i < 40; ++i) {
        double middle = (low + high) / 2;
        WallLayer layer = wall_layer_at(state->smoothing, dimension, d / middle);
        if (layer.value * middle < wanted * layer.fall)
            low = middle;
        else
            high = middle;
    }
    double whole = wall_layer_at(state->smoothing, dimension, 0).value;
    double there = wall_layer_at(state->smoothing, dimension, d / high).value;
    return (SampleKernel){high, (double)wall.volume * whole / there};
}

/* The integral of w over a plane through its middle, m^2 (2-D: a line, m). */
static double plane_integral(const SphState *state, double reach, int dimension)
{
    double area = dimension == 3 ? reach * reach : reach;
    return area * wall_layer_at(state->smoothing, dimension, 0).value /
           state->smoothing->sigma[dimension];
}

/* ---- making ---- */

/* Candidates all over the surface, of which those are kept that are far enough from all before. */
static mote_Status scatter(const SphStep *step, WallSamples *s, Kept *kept, mote_Error *error)
{
    const double d = (double)step->params->spacing;
    bool hollow;
    PosedShape shape = surface_of(s->collider, &hollow);
    ShapeMeasure measure;
    mote_Status status = check_end(s->collider, &shape, error);
    if (status != MOTE_OK) return status;
    shape.row->measure(shape.params, &measure);
    const double squares = measure.area / (d * d) + 16, draws = squares * (double)DRAWS;
    const double most = squares * (double)KEPT;
    if (!(draws < (double)MOST_SAMPLES))
        return status_fail(error, MOTE_BAD_VALUE, "collider %s needs too many wall particles",
                           s->collider->object.name);
    if (!make_kept(kept, &s->arena, (size_t)most + 64, apart * d))
        return sph_no_memory(step, error);
    for (uint64_t i = 0; i < (uint64_t)draws && kept->count < (size_t)most; ++i) {
        mote_Vec3 p;
        if (!draw(s->collider, i, (mote_real)(d / 2), &p)) continue;
        if (step->flat && REAL_ABS(p.z) > (mote_real)(d / 2)) continue;
        if (step->flat) p.z = 0;
        keep(kept, p);
    }
    return MOTE_OK;
}

static mote_Status sample(const SphStep *step, WallSamples *s, mote_Error *error)
{
    Kept kept = {.count = 0};
    mote_Status status = scatter(step, s, &kept, error);
    if (status != MOTE_OK) return status;
    CellSpace space = {.flat = false};
    const CellPoints points = {.x = {kept.x[0], kept.x[1], kept.x[2]}, .count = kept.count};
    s->count = kept.count;
    s->weight = arena_take(&s->arena, (kept.count + 1) * sizeof *s->weight);
    s->volume = arena_take(&s->arena, (kept.count + 1) * sizeof *s->volume);
    if (s->weight == NULL || s->volume == NULL ||
        !cells_make(&s->cells, &space, step->kernel.support, &points, &s->arena,
                    step->outer->tasks))
        return sph_no_memory(step, error);
    return MOTE_OK;
}

static void set_shares(const SphStep *step, WallSamples *s)
{
    const int dimension = step->flat ? 2 : 3;
    const double d = (double)step->params->spacing;
    const SampleKernel kernel = fit_kernel(step->state, d, dimension);
    const double plane = plane_integral(step->state, kernel.reach, dimension);
    s->reach = (mote_real)kernel.reach;
    s->bounds = aabb_empty();
    for (size_t p = 0; p < s->count; ++p) {
        mote_Vec3 x = vec3(s->cells.x[0][p], s->cells.x[1][p], s->cells.x[2][p]);
        Sum sum = {step->state, kernel.reach, 0};
        visit_near(&s->cells, x, add_value, &sum);
        s->weight[p] = (mote_real)(kernel.factor / sum.value);
        s->volume[p] = (mote_real)(d * plane / sum.value);
        s->bounds = aabb_add_point(&s->bounds, x);
    }
    s->bounds = aabb_grown(&s->bounds, s->cells.reach);
}

static WallSamples *samples_of(const SphState *state, const Collider *c)
{
    for (size_t i = 0; i < state->sample_count; ++i)
        if (state->samples[i].collider == c) return &state->samples[i];
    return NULL;
}

static mote_Status add_samples(const SphStep *step, const Collider *c, mote_Error *error)
{
    SphState *state = step->state;
    Memory *memory = step->outer->memory;
    if (!memory_reserve(memory, (void **)&state->samples, &state->sample_capacity,
                        state->sample_count + 1, sizeof *state->samples))
        return sph_no_memory(step, error);
    WallSamples *s = &state->samples[state->sample_count++];
    *s = (WallSamples){.collider = c, .arena = arena_make(memory)};
    mote_Status status = sample(step, s, error);
    if (status == MOTE_OK) set_shares(step, s);
    return status;
}

void sampled_lose(SphState *state, const Collider *collider)
{
    WallSamples *gone = samples_of(state, collider);
    if (gone == NULL) return;
    arena_free(&gone->arena);
    memmove(gone, gone + 1, (size_t)(state->samples + --state->sample_count - gone) * sizeof *gone);
}

void sampled_free(SphState *state, Memory *memory)
{
    for (size_t i = 0; i < state->sample_count; ++i) arena_free(&state->samples[i].arena);
    memory_free(memory, state->samples, state->sample_capacity * sizeof *state->samples);
}

/* ---- what rows feel ---- */

typedef struct SampleFelt {
    const SphState *state;
    const WallSamples *samples;
    mote_real volume, drag;
    mote_Vec3 gradient;
} SampleFelt;

/* W' / r of the liquid's kernel. */
static double slope_at(const SphState *state, double r)
{
    const Smoothing *k = &state->kernel;
    const SmoothingRow *row = smoothing_row(state->smoothing->gradient);
    double q = r * (double)k->inverse;
    return q < 1 ? (double)k->slope_scale * row->slope(q) : 0;
}

static void feel(void *context, size_t place, mote_Vec3 away, mote_real r)
{
    SampleFelt *f = context;
    const WallSamples *s = f->samples;
    const double q = (double)r / (double)s->reach, near = (double)s->reach * (double)s->reach;
    /* no slip: the wall's velocity is the mirrored one */
    f->drag -= 4 * s->volume[place] * (mote_real)slope_at(f->state, (double)r);
    if (!(q < 1)) return;
    mote_real slope = s->weight[place] * (mote_real)(f->state->smoothing->slope(q) / near);
    f->volume += s->weight[place] * (mote_real)value_at(f->state, q);
    f->gradient = vec3_madd(f->gradient, slope, away);
}

static void feel_row(const SphStep *step, const WallSamples *s, mote_Vec3 x, WallBlock *block,
                     size_t i)
{
    const Collider *c = s->collider;
    mote_Vec3 own = pose_invert(&c->pose, x);
    SampleFelt f = {.state = step->state, .samples = s};
    if (aabb_distance2(&s->bounds, own) > 0 || block->counts[i] == WALL_NEAR) return;
    visit_near(&s->cells, own, feel, &f);
    if (!(f.volume > 0)) return;
    mote_Vec3 gradient = pose_rotate(&c->pose, f.gradient);
    if (step->flat) gradient.z = 0;
    mote_Vec3 normal = vec3_unit(vec3_scale(gradient, -1), vec3(0, 1, 0));
    block->shares[i][block->counts[i]++] = (WallShare){.volume = f.volume,
                                                       .gradient = gradient,
                                                       .velocity = wall_velocity(c, 0, x, normal),
                                                       .drag = f.drag,
                                                       .centre = c->pose.position,
                                                       .collider = c->number};
}

static void feel_block(void *context, WallBlock *block)
{
    const SphStep *step = context;
    const Broad *broad = step->outer->walls[0];
    for (size_t k = 0; k < broad->count; ++k) {
        const WallSamples *s = samples_of(step->state, broad->colliders[k]);
        for (size_t i = 0; i < block->count; ++i) {
            size_t row = block->begin + i;
            feel_row(step, s, vec3(step->x[0][row], step->x[1][row], step->x[2][row]), block, i);
        }
    }
}

static mote_Status gather(SphStep *step, mote_Error *error)
{
    const Broad *broad = step->outer->walls[0];
    for (size_t k = 0; k < broad->count; ++k) {
        if (samples_of(step->state, broad->colliders[k]) != NULL) continue;
        mote_Status status = add_samples(step, broad->colliders[k], error);
        if (status != MOTE_OK) return status;
    }
    WallsInput input = {
        .memory = step->outer->memory, .tasks = step->outer->tasks, .rows = step->rows};
    return walls_fill(&step->state->walls, &input, feel_block, step, error);
}

const BoundaryRow boundary_sampled = {
    .head = {.name = "sampled",
             .doc = "particles on the colliders' surfaces, for any shape (Akinci et al. 2012)"},
    .gather = gather,
};
