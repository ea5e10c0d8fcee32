/* What tension row `csf` does in a sub-step: the force of a continuous surface, on the particles of
 * the band.
 *
 * With n the gradient of the filled share (into the liquid) and u = -n/|n| smoothed once over the
 * band, curvature is the divergence of u along the surface, by least squares: with e from a
 * particle to its neighbours in the band and F = |W'|/r,
 *
 *     M = sum V F e e',  B = sum V F (u_j - u_i) e',  kappa = tr(B (M + tr M (u u' + 1e-3))^-1),
 *
 * smoothed by 3 S^2 - 2 S^4, S being the kernel mean over the band, so that long waves are left as
 * they were before any smoothing; without it particles heat. The band lies 0.75 spacings below the
 * surface, so a ball's curvature there is larger than at its surface. Then
 *
 *     a = 2 sigma kappa n / rho0,
 *
 * because the sum of d |n| over the layers of a flat surface is 1/2. Where a wall is near, normals
 * are turned towards the angle that the wall asks for.
 *
 * References: Brackbill, Kothe and Zemach 1992; Morris 2000; Brackbill (wall adhesion) there. */
#include "solvers/sph/tension.h"

#include "base/math.h"
#include "solvers/points/slot.h"

#include <math.h>
#include <string.h>

/* Spacings of the band below the surface. */
#define BAND_DEPTH ((mote_real)0.75)
/* Friction within the band over sqrt(sigma d / rho): with less, its waves grow. */
#define LEAST_FRICTION 0.05

/* Spacings that the kernel of the band reaches at least. */
#define LEAST_REACH 3.0

void tension_open(const SolverSite *site, const mote_SphSolver *own, const SmoothingRow *smoothing,
                  Tension *tension)
{
    const double d = (double)own->spacing, reach = fmax((double)own->support, LEAST_REACH) * d;
    const Smoothing plain = smoothing_make(smoothing, site->dimension, reach);
    tension->kernel = smoothing_calibrated(smoothing, site->dimension, reach, d);
    walls_make_full(&tension->walls, smoothing, site->dimension, d / reach, site->isa);
    walls_scale(&tension->walls, tension->kernel.slope_scale / plain.slope_scale);
}

/* ---- normals ---- */

static void smooth_body(void *context, size_t begin, size_t end, int worker)
{
    const Band *band = context;
    const Neighbours *lists = &band->tension->lists;
    const mote_real middle = band->tension->kernel.middle;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(lists, i);
        const mote_real *weights = band->weights + (size_t)lists->start[i] * 8;
        mote_Vec3 sum = vec3_scale(band_vector(band->u, i), middle);
        for (size_t k = 0; k < lists->count[i]; ++k)
            sum = vec3_madd(sum, weights[k], band_vector(band->u, list[k]));
        band_set(band->next, i, vec3_unit(sum, band_vector(band->u, i)));
    }
}

static void smooth_normals(Band *band, int passes)
{
    for (; passes > 0; --passes) {
        band_for_places(band, smooth_body);
        for (int c = 0; c < 3; ++c) {
            mote_real *old = band->u[c];
            band->u[c] = band->next[c], band->next[c] = old;
        }
    }
}

/* How much a wall has to say of a normal: all in the layer beside it, half a spacing away. */
static mote_real say_of(const Band *band, const WallShare *share)
{
    const WallTable *table = &band->tension->walls.table;
    const mote_real s = share->volume / wall_plane_at(table, table->spacing / 2).volume;
    return s < 1 ? s : 1;
}

/* Turned towards the wall's angle. A surface along the wall ends nowhere. */
static mote_Vec3 wetted(const Band *band, mote_Vec3 u, const WallShare *share)
{
    const Collider *collider = band->step->outer->shop->colliders[share->collider];
    const mote_Vec3 w = vec3_unit(vec3_scale(share->gradient, -1), vec3(0, 0, 0));
    const mote_Vec3 along = vec3_madd(u, -vec3_dot(u, w), w);
    const mote_real length = vec3_length(along);
    if (!(length > 0) || !(vec3_dot(w, w) > 0)) return u;
    double sine, cosine;
    math_sincos((double)collider->def.wetting * (3.141592653589793 / 180), &sine, &cosine);
    const mote_Vec3 wanted =
        vec3_madd(vec3_scale(along, (mote_real)sine / length), (mote_real)cosine, w);
    const mote_real s = say_of(band, share) * (length < (mote_real)0.5 ? 2 * length : 1);
    return vec3_unit(vec3_madd(vec3_scale(u, 1 - s), s, wanted), u);
}

/* Gradients point into the wall, too, which is as full as the liquid; forces there go by the
 * normals. */
static void wet_body(void *context, size_t begin, size_t end, int worker)
{
    const Band *band = context;
    const Walls *walls = &band->tension->walls;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const size_t row = band->wall[i];
        mote_Vec3 u = band_vector(band->u, i), n = band_vector(band->n, i);
        const mote_real length = vec3_length(n);
        FOR_WALL_SHARES (s, walls, row) {
            u = wetted(band, u, s);
            const mote_real say = say_of(band, s);
            n = vec3_madd(vec3_scale(n, 1 - say), -say * length, u);
        }
        band_set(band->u, i, u);
        band_set(band->n, i, n);
    }
}

/* ---- curvature ---- */

/* tr(B A^-1), A symmetric: xx, xy, xz, yy, yz, zz. */
static double trace_over(double b[3][3], const double a[6])
{
    const double inverse[6] = {a[3] * a[5] - a[4] * a[4], a[2] * a[4] - a[1] * a[5],
                               a[1] * a[4] - a[2] * a[3], a[0] * a[5] - a[2] * a[2],
                               a[1] * a[2] - a[0] * a[4], a[0] * a[3] - a[1] * a[1]};
    const double whole = a[0] * inverse[0] + a[1] * inverse[1] + a[2] * inverse[2];
    const double sum = b[0][0] * inverse[0] + b[1][1] * inverse[3] + b[2][2] * inverse[5] +
                       (b[0][1] + b[1][0]) * inverse[1] + (b[0][2] + b[2][0]) * inverse[2] +
                       (b[1][2] + b[2][1]) * inverse[4];
    return whole > 0 ? sum / whole : 0;
}

/* The divergence of the normals along the surface, 1/m. */
static double divergence_at(const Band *band, size_t i)
{
    const Neighbours *lists = &band->tension->lists;
    const uint32_t *list = neighbours_of(lists, i);
    const mote_real *slopes = band->slopes + (size_t)lists->start[i] * 8;
    const mote_Vec3 own = band_vector(band->u, i);
    const double u[3] = {(double)own.x, (double)own.y, (double)own.z};
    double m[6] = {0}, b[3][3] = {{0}};
    for (size_t k = 0; k < lists->count[i]; ++k) {
        const mote_Vec3 way = band_way(band, i, list[k]),
                        turn = vec3_sub(band_vector(band->u, list[k]), own);
        const double f = (double)slopes[k], e[3] = {(double)way.x, (double)way.y, (double)way.z};
        const double t[3] = {(double)turn.x, (double)turn.y, (double)turn.z};
        m[0] += f * e[0] * e[0], m[1] += f * e[0] * e[1], m[2] += f * e[0] * e[2];
        m[3] += f * e[1] * e[1], m[4] += f * e[1] * e[2], m[5] += f * e[2] * e[2];
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) b[r][c] += f * t[r] * e[c];
    }
    const double trace = m[0] + m[3] + m[5], least = 1e-3 * trace;
    m[0] += trace * u[0] * u[0] + least, m[1] += trace * u[0] * u[1];
    m[2] += trace * u[0] * u[2], m[3] += trace * u[1] * u[1] + least;
    m[4] += trace * u[1] * u[2], m[5] += trace * u[2] * u[2] + least;
    return trace > 0 ? trace_over(b, m) : 0;
}

static int ways_to_bend(const Band *band)
{
    return band->step->flat ? 1 : 2;
}

/* That of a ball of half a spacing at most; and where there are too few to say. */
static void bend_body(void *context, size_t begin, size_t end, int worker)
{
    const Band *band = context;
    const int ways = ways_to_bend(band);
    const double most = 2 * ways / band->tension->spacing;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const bool few = band->tension->lists.count[i] < 2 * (uint32_t)ways;
        band->bend[i] = (mote_real)(few ? most : fmax(-most, fmin(most, divergence_at(band, i))));
    }
}

/* From one plane to another: band->next[0] to band->next[1]. */
static void mean_body(void *context, size_t begin, size_t end, int worker)
{
    const Band *band = context;
    const Neighbours *lists = &band->tension->lists;
    const mote_real *from = band->next[0], middle = band->tension->kernel.middle;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(lists, i);
        const mote_real *weights = band->weights + (size_t)lists->start[i] * 8;
        mote_real sum = middle * from[i], whole = middle;
        for (size_t k = 0; k < lists->count[i]; ++k)
            sum += weights[k] * from[list[k]], whole += weights[k];
        band->next[1][i] = sum / whole;
    }
}

static void take_means(Band *band, int passes)
{
    for (; passes > 0; --passes) {
        band_for_places(band, mean_body);
        mote_real *old = band->next[0];
        band->next[0] = band->next[1], band->next[1] = old;
    }
}

/* 3 S^2 - 2 S^4, and from the band to the surface above it. Of a wave a mean leaves the share s,
 * and normals are means of means already: a gradient of sums, smoothed once. In all that is s^4 (3
 * - 2 s^2) = 1 - 3 (1 - s^2)^2 + 2 (1 - s^2)^3, which goes down from 1 to 0 and is flat at both
 * ends: long waves pass to second order, none is made larger, short ones go. */
static void smooth_bends(Band *band)
{
    const mote_real deep = BAND_DEPTH * (mote_real)(band->tension->spacing / ways_to_bend(band));
    memcpy(band->next[0], band->bend, band->count * sizeof *band->bend);
    take_means(band, 2);
    memcpy(band->bend, band->next[0], band->count * sizeof *band->bend);
    take_means(band, 2);
    for (size_t i = 0; i < band->count; ++i) {
        const mote_real bend = 3 * band->bend[i] - 2 * band->next[0][i], above = 1 + deep * bend;
        band->bend[i] = bend / (above > (mote_real)0.5 ? above : (mote_real)0.5);
    }
}

/* ---- forces ---- */

static double friction_wanted(const Band *band)
{
    const Tension *tension = band->tension;
    const double least = LEAST_FRICTION * sqrt(tension->specific * tension->spacing);
    const double own = sph_viscosity(band->step->state);
    return least > own ? least - own : 0;
}

/* What is missing of friction between neighbours in the band, along their line. 2 (D + 2) nu F
 * (v.e) e / e^2, the central form of kernels/forces.c. */
static mote_Vec3 friction_at(const Band *band, size_t i, mote_real nu)
{
    const SphStep *step = band->step;
    const Neighbours *lists = &band->tension->lists;
    const uint32_t *list = neighbours_of(lists, i);
    const mote_real *slopes = band->slopes + (size_t)lists->start[i] * 8;
    const mote_real scale = 2 * (mote_real)(ways_to_bend(band) + 3) * nu;
    const mote_Vec3 v = band_vector(step->v, band->place[i]);
    mote_Vec3 sum = {0, 0, 0};
    for (size_t k = 0; k < lists->count[i]; ++k) {
        const mote_Vec3 e = band_way(band, i, list[k]),
                        parting = vec3_sub(band_vector(step->v, band->place[list[k]]), v);
        const mote_real square = vec3_dot(e, e);
        if (square > 0) sum = vec3_madd(sum, scale * slopes[k] * vec3_dot(parting, e) / square, e);
    }
    return sum;
}

static void rub_body(void *context, size_t begin, size_t end, int worker)
{
    const Band *band = context;
    const SphStep *step = band->step;
    const mote_real nu = (mote_real)friction_wanted(band);
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const size_t at = band->place[i];
        const mote_Vec3 a = vec3_scale(friction_at(band, i, nu), sph_light(step, at));
        step->a[0][at] += a.x, step->a[1][at] += a.y, step->a[2][at] += a.z;
    }
}

static void force_body(void *context, size_t begin, size_t end, int worker)
{
    const Band *band = context;
    const mote_real twice = (mote_real)(2 * band->tension->specific);
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const mote_real light = sph_light(band->step, band->place[i]);
        band_set(band->next, i, vec3_scale(band_vector(band->n, i), twice * light * band->bend[i]));
    }
}

mote_Status tension_pull(SphStep *step, mote_Error *error)
{
    Band band;
    mote_Status status = band_find(&band, step, error);
    if (status != MOTE_OK || band.count == 0) return status;
    step->surfaced = true;
    smooth_normals(&band, 1);
    if (band.tension->walls.rows > 0) band_for_places(&band, wet_body);
    band_for_places(&band, bend_body);
    smooth_bends(&band);
    if (friction_wanted(&band) > 0) band_for_places(&band, rub_body);
    band_for_places(&band, force_body);
    return band_push(&band, band.next, error);
}
