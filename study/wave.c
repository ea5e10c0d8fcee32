/* A standing wave in two dimensions, as deep as it is long. */
#include "study/wave.h"

#include "base/math.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static const char wave_text[] =
    "{ mote: 1, params: { spacing: 0.02 },\n"
    "  world: { dimension: 2, fps: 100, max_step: 0.004,\n"
    "    periodic_x: true, box_min: [0, -1], box_max: [1, 3] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing', viscosity: 0.005,\n"
    "    viscosity_model: 'monaghan', density: 'continuity', divergence: 'linear', artificial: 0,\n"
    "    wall_viscosity: 0, support: 3, kernel: 'wendland-c2' } } ],\n"
    "  colliders: [ { name: 'floor', shape: { type: 'plane', normal: [0, 1] }, friction: 0 } ] "
    "}\n";

/* Linear theory at the moment when the surface is flat; slow enough to stay linear. */
static void wave_velocity(const double x[3], double v[3])
{
    double k = 2 * pi, s = 0.25 / (math_exp(k) - math_exp(-k));
    v[0] = -s * (math_exp(k * x[1]) + math_exp(-k * x[1])) * math_sin(k * x[0]);
    v[1] = s * (math_exp(k * x[1]) - math_exp(-k * x[1])) * math_cos(k * x[0]);
    v[2] = 0;
}

/* Growth and frequency of a wave on a viscous liquid, 1/s: with e = nu k^2 / omega,
 *     (s + 2 e)^2 + 1 = 4 e^(3/2) sqrt(s + e)
 * (Lamb, Hydrodynamics, art. 349), solved by Newton's method from s = i - 2 e, which is the motion
 * without the layer of vorticity below the surface. */
double complex wave_rate(void)
{
    const double k = 2 * pi, omega = sqrt(9.81 * k * (1 - 2 / (math_exp(2 * k) + 1)));
    const double e = 0.005 * k * k / omega, layer = 4 * e * sqrt(e);
    double complex s = csqrt(-1) - 2 * e;
    for (int n = 0; n < 20; ++n) {
        double complex root = csqrt(s + e), f = (s + 2 * e) * (s + 2 * e) + 1 - layer * root;
        s -= f / (2 * (s + 2 * e) - layer / (2 * root));
    }
    return s * omega;
}

double wave_exact(double t)
{
    const double complex rate = wave_rate();
    const double c = math_cos(cimag(rate) * t);
    return c * c * math_exp(2 * creal(rate) * t);
}

/* How much of the wave's own motion the liquid has, squared: its energy, of the first. What moves
 * otherwise, as sound does, is not in it. */
static double wave_energy(const LiquidRun *run)
{
    size_t rows;
    const mote_real *x = liquid_plane(run, "water", "position", 0, &rows),
                    *y = liquid_plane(run, "water", "position", 1, &rows),
                    *u = liquid_plane(run, "water", "velocity", 0, &rows),
                    *v = liquid_plane(run, "water", "velocity", 1, &rows);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < rows; ++i) {
        const double at[3] = {(double)x[i], (double)y[i], 0};
        double mode[3];
        wave_velocity(at, mode);
        sum += (double)u[i] * mode[0] + (double)v[i] * mode[1];
        squares += mode[0] * mode[0] + mode[1] * mode[1];
    }
    return sum / squares * (sum / squares);
}

static mote_Status follow_wave(LiquidRun *run, Series *energy, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    energy->count = 0;
    for (int k = 1; k <= 300 && status == MOTE_OK; ++k) {
        status = liquid_advance(run, 0.01 * k, error);
        energy->t[energy->count] = mote_world_time(run->world);
        energy->v[energy->count++] = wave_energy(run);
    }
    return status;
}

mote_Status wave_run(const StudyOptions *options, const char *pressure, int n, Series *energy,
                     mote_Error *error)
{
    LiquidRun run = {.options = options};
    LiquidBlock block = {
        .spacing = 1.0 / n, .density = 1000, .count = {n, n, 0}, .velocity = wave_velocity};
    mote_Status status = case_open(&run, "standing-wave", wave_text, &block, pressure, error);
    if (status == MOTE_OK) status = follow_wave(&run, energy, error);
    if (status == MOTE_OK) case_end(&run);
    liquid_close(&run);
    return status;
}
