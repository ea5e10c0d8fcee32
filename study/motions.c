/* Motions that are known exactly. Oscillator: w = 2, from x = 1, v = 0.7. Damped spring: the same
 * with z = 1/4. Kepler: e = 0.3, GM = a = 1, from perihelion. Drag: a throw with linear drag. */
#include "study/motions.h"

#include <math.h>

static const double W = 2, Z = 0.25, X0 = 1, V0 = 0.7, ECCENTRICITY = 0.3;
static const double GRAVITY = 9.81, DRAG = 0.8, THROW[2] = {12, 9};

/* ---- springs ---- */

static MotionState oscillator_exact(double t)
{
    double c = cos(W * t), s = sin(W * t);
    return (MotionState){{X0 * c + V0 / W * s, 0, 0}, {V0 * c - W * X0 * s, 0, 0}};
}

static void oscillator_accelerate(const double x[3], const double v[3], double a[3])
{
    (void)v;
    a[0] -= W * W * x[0];
}

static double oscillator_energy(const MotionState *s)
{
    return 0.5 * s->v[0] * s->v[0] + 0.5 * W * W * s->x[0] * s->x[0];
}

static MotionState damped_exact(double t)
{
    double rate = Z * W, u = W * sqrt(1 - Z * Z), decay = exp(-rate * t);
    double c = decay * cos(u * t), s = decay * sin(u * t) / u;
    return (MotionState){{X0 * c + (V0 + rate * X0) * s, 0, 0},
                         {V0 * c - (W * W * X0 + rate * V0) * s, 0, 0}};
}

static void damped_accelerate(const double x[3], const double v[3], double a[3])
{
    a[0] -= W * W * x[0] + 2 * Z * W * v[0];
}

/* ---- Kepler ---- */

static MotionState kepler_exact(double t)
{
    double e = ECCENTRICITY, anomaly = t;
    for (int i = 0; i < 50; ++i)
        anomaly -= (anomaly - e * sin(anomaly) - t) / (1 - e * cos(anomaly));
    double s = sin(anomaly), c = cos(anomaly), b = sqrt(1 - e * e), rate = 1 / (1 - e * c);
    return (MotionState){{c - e, b * s, 0}, {-s * rate, b * c * rate, 0}};
}

static double square(const double x[3])
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

static void kepler_accelerate(const double x[3], const double v[3], double a[3])
{
    double r2 = square(x), rate = 1 / (r2 * sqrt(r2));
    (void)v;
    for (int c = 0; c < 3; ++c) a[c] -= rate * x[c];
}

static double kepler_energy(const MotionState *s)
{
    return 0.5 * square(s->v) - 1 / sqrt(square(s->x));
}

/* ---- a throw with drag ---- */

static MotionState drag_exact(double t)
{
    const double limit[2] = {0, -GRAVITY / DRAG}, decay = exp(-DRAG * t);
    MotionState s = {{0, 0, 0}, {0, 0, 0}};
    for (int c = 0; c < 2; ++c) {
        s.v[c] = limit[c] + (THROW[c] - limit[c]) * decay;
        s.x[c] = limit[c] * t + (THROW[c] - limit[c]) * (1 - decay) / DRAG;
    }
    return s;
}

static void drag_accelerate(const double x[3], const double v[3], double a[3])
{
    (void)x;
    a[1] -= GRAVITY;
    for (int c = 0; c < 3; ++c) a[c] -= DRAG * v[c];
}

const KnownMotion motions[MOTION_COUNT] = {
    [MOTION_OSCILLATOR] = {"oscillator", 5, false, oscillator_exact, oscillator_accelerate,
                           oscillator_energy},
    [MOTION_DAMPED] = {"damped", 5, true, damped_exact, damped_accelerate, NULL},
    [MOTION_KEPLER] = {"kepler", 5, false, kepler_exact, kepler_accelerate, kepler_energy},
    [MOTION_DRAG] = {"drag", 3, true, drag_exact, drag_accelerate, NULL},
};
