/* Archimedes' force on a body in a fluid whose density is a field: the weight of what it displaces,
 *   F = - g sum rho(x_i) V / n,   tau = sum (x_i - X) x (- g rho(x_i) V / n),
 * over n points of equal volume inside the body. Uniform fluid gives exactly - g rho V and no
 * torque. */
#include "bodies/body.h"

#include "fields/field.h"

static D3 sample_place(const Body *body, size_t i)
{
    return dpose_apply(&body->solid.pose, body->samples[i]);
}

/* Densities at `count` samples from the first on. */
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
