/* What a body weighs, and what a fluid carries of it.
 *
 * Mass properties from a shape's measure. The inertia tensor is brought to its principal axes by
 * cyclic Jacobi rotations (Golub and Van Loan, 8.5): exact for tensors that are diagonal already,
 * and the axes stay those of the shape then. */
#include "bodies/body.h"

#include "base/status.h"
#include "fields/field.h"

enum { SWEEPS = 16 };

/* Rotation in the plane (p, q) that clears tensor[p][q]: tangent, cosine, sine. tan of the angle is
 * the smaller root of t^2 + 2 theta t - 1 = 0, so that the rotation is the smaller one. */
static void clear_element(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0) return;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double size = __builtin_fabs(theta) + __builtin_sqrt(theta * theta + 1);
    double t = (theta < 0 ? -1 : 1) / size, c = 1 / __builtin_sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; ++k) {
        double left = a[k][p], right = a[k][q];
        a[k][p] = c * left - s * right, a[k][q] = s * left + c * right;
    }
    for (int k = 0; k < 3; ++k) {
        double left = a[p][k], right = a[q][k];
        a[p][k] = c * left - s * right, a[q][k] = s * left + c * right;
        left = v[k][p], right = v[k][q];
        v[k][p] = c * left - s * right, v[k][q] = s * left + c * right;
    }
}

/* The quaternion of a rotation matrix whose columns are the axes (Shepperd 1978). */
static DQuat quat_of_columns(const double m[3][3])
{
    double t = m[0][0] + m[1][1] + m[2][2];
    int k = 0;
    if (t > 0)
        return dquat_unit((DQuat){m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + t});
    if (m[1][1] > m[k][k]) k = 1;
    if (m[2][2] > m[k][k]) k = 2;
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double v[3];
    v[k] = 1 + m[k][k] - m[i][i] - m[j][j];
    v[i] = m[i][k] + m[k][i], v[j] = m[j][k] + m[k][j];
    return dquat_unit((DQuat){v[0], v[1], v[2], m[j][i] - m[i][j]});
}

/* Eigenvalues and axes of a symmetric matrix, by Jacobi's rotations. */
static void principal_axes(const double tensor[3][3], D3 *values, DQuat *axes)
{
    double a[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double size =
        __builtin_fabs(tensor[0][0]) + __builtin_fabs(tensor[1][1]) + __builtin_fabs(tensor[2][2]);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            a[i][j] = 0.5 * (tensor[i][j] + tensor[j][i]);
            if (i != j && __builtin_fabs(a[i][j]) < 1e-14 * size) a[i][j] = 0;
        }
    for (int n = 0; n < SWEEPS; ++n)
        clear_element(a, v, 0, 1), clear_element(a, v, 0, 2), clear_element(a, v, 1, 2);
    *values = d3(a[0][0], a[1][1], a[2][2]);
    *axes = quat_of_columns((const double(*)[3])v);
}

mote_Status mass_of_shape(const ShapeRow *row, const void *params, double density, double mass,
                          const char *where, MassProperties *out, mote_Error *error)
{
    ShapeMeasure m = {0};
    if (row->measure != NULL) row->measure(params, &m);
    if (!(m.volume > 0 && m.volume < 1e30))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: its shape has %s, so it has no mass; give it a closed shape of "
                           "finite size",
                           where, m.volume > 0 ? "no end" : "no volume");
    double scale = mass > 0 ? mass / m.volume : density;
    if (!(scale > 0))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: a body needs a mass; set density (kg/m3) or mass (kg) above 0",
                           where);
    double tensor[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) tensor[i][j] = scale * m.inertia[i][j];
    out->volume = m.volume;
    out->mass = mass > 0 ? mass : density * m.volume;
    out->in_shape.position = d3(m.centre[0], m.centre[1], m.centre[2]);
    principal_axes((const double(*)[3])tensor, &out->inertia, &out->in_shape.orientation);
    const D3 i = out->inertia;
    if (i.x > 0 && i.y > 0 && i.z > 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s: its shape has a moment of inertia of 0; it is too thin for its size",
                       where);
}

/* ---- buoyancy ---- */

/* Archimedes' force on a body in a fluid whose density is a field: the weight of what it displaces,
 *   F = - g sum rho(x_i) V / n,   tau = sum (x_i - X) x (- g rho(x_i) V / n),
 * over n points of equal volume inside the body. Uniform fluid gives exactly - g rho V and no
 * torque. */

enum { LATTICE = 10 }; /* points along each edge of the bounds */

static bool is_inside(const Body *body, mote_Vec3 p)
{
    mote_real *const at[3] = {&p.x, &p.y, &p.z}, d;
    body->shape->distance(body->object.params, 1, at, (mote_real *)&d);
    return d < 0;
}

static mote_Vec3 lattice_point(const Aabb *box, int i)
{
    const mote_real step = (mote_real)1 / LATTICE, half = (mote_real)0.5;
    mote_Vec3 size = vec3_sub(box->high, box->low);
    mote_real a = ((mote_real)(i % LATTICE) + half) * step,
              b = ((mote_real)(i / LATTICE % LATTICE) + half) * step,
              c = ((mote_real)(i / LATTICE / LATTICE) + half) * step;
    return vec3(box->low.x + a * size.x, box->low.y + b * size.y, box->low.z + c * size.z);
}

/* Lattice points inside, moved so that their mean is the centre of mass: then uniform fluid turns
 * nothing. A shape too thin for the lattice is sampled at its centre. */
mote_Status body_make_samples(Memory *memory, Body *body, mote_Error *error)
{
    enum { MOST = LATTICE * LATTICE * LATTICE };
    const Aabb box = body->shape->bounds(body->object.params);
    D3 mean = d3(0, 0, 0);
    body->samples = memory_take(memory, MOST * sizeof *body->samples);
    if (body->samples == NULL) return status_no_memory(error, "samples of a body", MOST);
    for (int i = 0; i < MOST; ++i) {
        mote_Vec3 p = lattice_point(&box, i);
        if (!is_inside(body, p)) continue;
        D3 own = dpose_invert(&body->mass.in_shape, d3_of(p));
        body->samples[body->sample_count++] = own;
        mean = d3_add(mean, own);
    }
    if (body->sample_count == 0) body->samples[body->sample_count++] = d3(0, 0, 0);
    mean = d3_scale(mean, 1 / (double)body->sample_count);
    for (size_t i = 0; i < body->sample_count; ++i)
        body->samples[i] = d3_sub(body->samples[i], mean);
    return MOTE_OK;
}

void body_free_samples(Memory *memory, Body *body)
{
    if (body->samples != NULL)
        memory_free(memory, body->samples, LATTICE * LATTICE * LATTICE * sizeof *body->samples);
}

static D3 sample_place(const Body *body, size_t i)
{
    return dpose_apply(&body->solid.pose, body->samples[i]);
}

static void densities(const Body *body, size_t first, size_t count, double t, mote_real *out)
{
    mote_real x[3][BLOCK_ROWS];
    for (size_t i = 0; i < count; ++i) {
        mote_Vec3 p = d3_real(sample_place(body, first + i));
        x[0][i] = p.x, x[1][i] = p.y, x[2][i] = p.z;
    }
    const FieldPoints points = {.x = {x[0], x[1], x[2]}, .count = count, .t = t};
    mote_real *const planes[3] = {out, NULL, NULL};
    field_sample(body->fluid, &points, planes);
}

void body_buoyancy(const Body *body, D3 gravity, double t, D3 *force, D3 *torque)
{
    *force = *torque = d3(0, 0, 0);
    if (body->fluid == NULL || body->sample_count == 0) return;
    double share = body->mass.volume / (double)body->sample_count, sum = 0;
    D3 moment = d3(0, 0, 0);
    mote_real rho[BLOCK_ROWS];
    for (size_t first = 0; first < body->sample_count; first += BLOCK_ROWS) {
        size_t count = posed_block_size(body->sample_count, first);
        densities(body, first, count, t, rho);
        for (size_t i = 0; i < count; ++i) {
            D3 arm = d3_sub(sample_place(body, first + i), body->solid.pose.position);
            sum += (double)rho[i] * share;
            moment = d3_madd(moment, (double)rho[i] * share, arm);
        }
    }
    *force = d3_scale(gravity, -sum);
    *torque = d3_cross(gravity, moment); /* moment x (- gravity) */
}
