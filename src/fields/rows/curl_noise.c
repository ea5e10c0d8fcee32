/* Curl noise: u = curl psi of three octave sums psi, with the noises' exact derivatives, so that
 * its divergence is zero at every point. Bridson, Hourihan, Nordenstam, Curl-Noise for Procedural
 * Fluid Flow, 2007.
 *
 * Obstacles fade the whole potential: psi' = a psi with a = prod ramp(phi_i / d), phi_i the signed
 * distance of obstacle i and d the influence. Then u = a curl psi + grad a x psi, which on a
 * surface (a = 0) is along n x psi: nothing flows through. Bridson keeps the part of psi along the
 * normal; that needs second derivatives of the distance, and a single obstacle at a time. Fading
 * all of it needs the normal alone, holds for any number of obstacles at once, and is free of
 * divergence to rounding for every shape.
 *
 * A wind W is the curl of W x r / 2. Around each obstacle of finite size, r is counted from its
 * middle and the potential is faded there on its own: W + sum curl((ramp_i - 1) q_i),
 *     q = (W - U) x r / 2 + r^2 omega / 2,    curl q = W - U - omega x r,
 * so that the flow at a surface that moves with velocity U + omega x r has no other normal part.
 * In a flat flow the potentials have a z component only. */
#include "base/loop.h"
#include "base/row.h"
#include "base/status.h"
#include "fields/octaves.h"

NOISE_NAMES(noises);

static const mote_Param params[] = {
    PARAM_CHOICE(mote_CurlNoiseField, noise, "which noise the potential is made of", noises, 0),
    PARAM_COUNT(mote_CurlNoiseField, octaves, "number of octaves", 3, 1, OCTAVES_MOST),
    PARAM_REAL(mote_CurlNoiseField, scale, "m", "size of a cell of the first octave", 1,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(mote_CurlNoiseField, speed, "m/s", "rms speed of the noise", 1, 0, PARAM_LARGEST),
    PARAM_REAL(mote_CurlNoiseField, ratio, "", "how much finer each octave is", 2, 1, 16),
    PARAM_REAL(mote_CurlNoiseField, exponent, "",
               "an octave's speed is (its size)^exponent; 1/3: Kolmogorov", 1.0 / 3, -8, 8),
    PARAM_BOOL(mote_CurlNoiseField, rotate, "turn and move the octaves against each other", 1),
    PARAM_BOOL(mote_CurlNoiseField, flat, "flow in planes of constant z, for flat worlds", 0),
    PARAM_REAL(mote_CurlNoiseField, resolution, "m",
               "distance of samples: finer octaves fade out; 0: none does", 0, 0, PARAM_LARGEST),
    PARAM_DOUBLE(mote_CurlNoiseField, period, "s",
                 "time in which the first octave changes; 0: steady", 0, 0, PARAM_LARGEST),
    PARAM_VEC3(mote_CurlNoiseField, wind, "m/s", "mean wind, which flows around obstacles too", 0,
               0, 0),
    PARAM_REAL(mote_CurlNoiseField, influence, "m", "how far obstacles are felt", 0.5,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_COUNT(mote_CurlNoiseField, seed, "another one gives another noise", 0, 0, 1e15),
};

/* The first octave's weight, for the rms speed: each component of the curl is the difference of two
 * independent slopes, and octave i has the slope of its weight times its wave number. */
static double first_weight(const mote_CurlNoiseField *p, const TurbulenceDef *def)
{
    double slope = noise_row(def->isa, p->noise)->rms_slope[p->period > 0];
    double fall = math_pow((double)p->ratio, -2 * (double)p->exponent), sum = 0, share = 1;
    for (uint64_t i = 0; i < p->octaves; ++i, share *= fall) sum += share;
    double slopes = p->flat ? 2 : 6;
    return (double)p->speed * (double)p->scale / (slope * __builtin_sqrt(slopes * sum));
}

static void describe(const void *raw, TurbulenceDef *def)
{
    const mote_CurlNoiseField *p = raw;
    def->noise = p->noise;
    def->octaves = p->octaves, def->scale = (double)p->scale;
    def->ratio = (double)p->ratio, def->exponent = 1 + (double)p->exponent;
    def->rotate = p->rotate;
    def->resolution = (double)p->resolution, def->period = p->period;
    def->seed = p->seed;
    def->amplitude = first_weight(p, def);
}

static mote_Status open(const FieldSite *site, Field *field, mote_Error *error)
{
    return octaves_open(site, field, 3, describe, error);
}

/* ---- one block ---- */

typedef struct CurlBlock {
    FieldPoints points;
    mote_real *u[3];                         /* the velocity */
    mote_real curl[3][SCRATCH_STRIDE];       /* of psi */
    mote_real psi[3][SCRATCH_STRIDE];        /* potential */
    mote_real slope[3][3][SCRATCH_STRIDE];   /* slope[i][j]: of psi_i along j */
    mote_real fade[SCRATCH_STRIDE];          /* a */
    mote_real fade_slope[3][SCRATCH_STRIDE]; /* grad a */
    mote_real distance[SCRATCH_STRIDE];      /* of one obstacle */
    mote_real normal[3][SCRATCH_STRIDE];
    mote_real ramp[SCRATCH_STRIDE], ramp_slope[SCRATCH_STRIDE]; /* of its distance */
} CurlBlock;

static void set_plane(size_t count, mote_real value, mote_real *plane)
{
    FOR_ROWS (i, count) plane[i] = value;
}

static void clear_potential(size_t count, mote_real *psi, mote_real *const slope[3])
{
    set_plane(count, 0, psi);
    for (int k = 0; k < 3; ++k) set_plane(count, 0, slope[k]);
}

/* psi and its curl; a flat flow has psi_z alone. */
static void sample_potential(const Field *field, bool flat, CurlBlock *b)
{
    static const int next[3] = {1, 2, 0}, last[3] = {2, 0, 1};
    const FieldOctaves *octaves = field->state;
    size_t count = b->points.count;
    for (int c = 0; c < 3; ++c) {
        mote_real *gradient[3] = {b->slope[c][0], b->slope[c][1], b->slope[c][2]};
        if (!flat || c == 2)
            octaves_sample(&octaves->sum[c], &b->points, b->psi[c], gradient);
        else
            clear_potential(count, b->psi[c], gradient);
    }
    if (flat) set_plane(count, 0, b->slope[2][2]);
    for (int c = 0; c < 3; ++c) {
        const mote_real *up = b->slope[last[c]][next[c]], *down = b->slope[next[c]][last[c]];
        mote_real *curl = b->curl[c];
        FOR_ROWS (i, count) curl[i] = up[i] - down[i];
    }
}

/* ---- obstacles ---- */

/* The ramp of the distance, r (15 - 10 r^2 + 3 r^4) / 8 for |r| <= 1, and its slope. Bridson's
 * ramp: 1 and flat at the influence, odd at the surface, smooth twice. */
static void set_ramp(size_t count, mote_real influence, CurlBlock *b)
{
    const mote_real *distance = b->distance, scale = 1 / influence;
    mote_real *ramp = b->ramp, *slope = b->ramp_slope;
    FOR_ROWS (i, count) {
        mote_real r = distance[i] * scale;
        r = r > 1 ? 1 : r;
        r = r < -1 ? -1 : r;
        mote_real r2 = r * r, rest = 1 - r2;
        ramp[i] = r * ((mote_real)1.875 + r2 * ((mote_real)0.375 * r2 - (mote_real)1.25));
        slope[i] = (mote_real)1.875 * scale * (rest * rest);
    }
}

/* One more factor of a. grad (a ramp) = ramp grad a + a ramp' n, n being the gradient of the
 * distance. */
static void add_fade(size_t count, CurlBlock *b)
{
    const mote_real *ramp = b->ramp, *slope = b->ramp_slope;
    mote_real *fade = b->fade;
    for (int c = 0; c < 3; ++c) {
        const mote_real *n = b->normal[c];
        mote_real *g = b->fade_slope[c];
        FOR_ROWS (i, count) g[i] = g[i] * ramp[i] + fade[i] * slope[i] * n[i];
    }
    FOR_ROWS (i, count) fade[i] *= ramp[i];
}

/* The wind's detour around one obstacle: curl((ramp - 1) q) = (ramp - 1) curl q + grad ramp x q. */
static void add_detour(const mote_CurlNoiseField *p, const PosedShape *shape,
                       const PoseVelocity *velocity, CurlBlock *b)
{
    const mote_Vec3 d = vec3_sub(p->wind, velocity->linear), w = velocity->angular;
    const mote_Vec3 o = shape->pose.position;
    const mote_real *x = b->points.x[0], *y = b->points.x[1], *z = b->points.x[2];
    const mote_real *nx = b->normal[0], *ny = b->normal[1], *nz = b->normal[2];
    const mote_real *ramp = b->ramp, *slope = b->ramp_slope, flat = p->flat ? 0 : 1;
    mote_real *u = b->u[0], *v = b->u[1], *s = b->u[2];
    FOR_ROWS (i, b->points.count) {
        mote_Vec3 r = vec3(x[i] - o.x, y[i] - o.y, flat * (z[i] - o.z));
        mote_real half = (mote_real)0.5, share = flat * half + (1 - flat);
        mote_Vec3 q = vec3_scale(vec3_cross(d, r), share);
        q = vec3_madd(q, half * vec3_dot(r, r), w);
        q.x *= flat, q.y *= flat;
        mote_Vec3 curl = vec3_sub(d, vec3_cross(w, r));
        mote_Vec3 turn = vec3_cross(vec3(nx[i], ny[i], nz[i]), q);
        mote_real rest = ramp[i] - 1, g = slope[i];
        u[i] += rest * curl.x + g * turn.x;
        v[i] += rest * curl.y + g * turn.y;
        s[i] += flat * (rest * curl.z + g * turn.z);
    }
}

/* The shape at the time of the samples. */
static PosedShape shape_at(const FieldObstacle *obstacle, double t)
{
    PosedShape shape = obstacle->shape;
    const PoseVelocity *v = &obstacle->velocity;
    bool moves = vec3_dot(v->linear, v->linear) > 0 || vec3_dot(v->angular, v->angular) > 0;
    if (moves) shape.pose = pose_advance(&shape.pose, v, (mote_real)(t - obstacle->t));
    return shape;
}

static bool meet_obstacle(const Field *field, const FieldObstacle *obstacle, CurlBlock *b)
{
    const mote_CurlNoiseField *p = field->object.params;
    PosedShape shape = shape_at(obstacle, b->points.t);
    size_t count = b->points.count;
    mote_real *x[3], *normal[3] = {b->normal[0], b->normal[1], b->normal[2]};
    for (int c = 0; c < 3; ++c) x[c] = (mote_real *)b->points.x[c];
    if (!posed_near(&shape, count, x, p->influence)) return false;
    posed_surface(&shape, count, x, b->distance, normal);
    Aabb box = shape.row->bounds(shape.params);
    set_ramp(count, p->influence, b);
    add_fade(count, b);
    if (aabb_is_finite(&box)) add_detour(p, &shape, &obstacle->velocity, b);
    return true;
}

/* a curl psi + grad a x psi. */
static void add_faded(size_t count, bool flat, CurlBlock *b)
{
    static const int next[3] = {1, 2, 0}, last[3] = {2, 0, 1};
    const mote_real *fade = b->fade;
    for (int c = 0; c < (flat ? 2 : 3); ++c) {
        const int j = next[c], k = last[c];
        const mote_real *gj = b->fade_slope[j], *gk = b->fade_slope[k];
        const mote_real *pj = b->psi[j], *pk = b->psi[k], *curl = b->curl[c];
        mote_real *u = b->u[c];
        FOR_ROWS (i, count) u[i] += fade[i] * curl[i] + (gj[i] * pk[i] - gk[i] * pj[i]);
    }
}

static void add_curl(size_t count, CurlBlock *b)
{
    for (int c = 0; c < 3; ++c) {
        const mote_real *curl = b->curl[c];
        mote_real *u = b->u[c];
        FOR_ROWS (i, count) u[i] += curl[i];
    }
}

static void sample_block(const Field *field, CurlBlock *b)
{
    const mote_CurlNoiseField *p = field->object.params;
    const mote_real wind[3] = {p->wind.x, p->wind.y, p->flat ? 0 : p->wind.z};
    size_t count = b->points.count;
    bool met = false;
    sample_potential(field, p->flat, b);
    set_plane(count, 1, b->fade);
    for (int c = 0; c < 3; ++c) {
        set_plane(count, wind[c], b->u[c]);
        set_plane(count, 0, b->fade_slope[c]);
    }
    for (size_t i = 0; i < field->obstacle_count; ++i)
        met = meet_obstacle(field, &field->obstacles[i], b) || met;
    if (met)
        add_faded(count, p->flat, b);
    else
        add_curl(count, b);
}

static void sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    CurlBlock block;
    for (size_t first = 0; first < points->count; first += BLOCK_ROWS) {
        size_t left = points->count - first;
        block.points.count = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        block.points.t = points->t;
        for (int c = 0; c < 3; ++c) {
            block.points.x[c] = points->x[c] + first;
            block.u[c] = out[c] + first;
        }
        sample_block(field, &block);
    }
}

const FieldRow ISA(field_curl_noise) = {
    .head =
        ROW_HEAD("curl-noise",
                 "the curl of noise: free of divergence, flows around obstacles (Bridson et al. "
                 "2007)",
                 params, mote_CurlNoiseField),
    .components = 3,
    OCTAVES_CALLBACKS(sample, open),
    .takes_obstacles = true,
};
