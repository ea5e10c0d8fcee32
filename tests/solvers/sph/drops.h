/* Drops of water with surface tension, and what there is to see of them. Lengths are in spacings
 * and times in ripples, sqrt(rho d^3/sigma). */
#ifndef TESTS_SOLVERS_SPH_DROPS_H
#define TESTS_SOLVERS_SPH_DROPS_H

#include "scene/loading.h"

#include <mote/solvers.h>

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Water in a grid of a millimetre. */
static const double d = 1e-3, sigma = 0.0728, rho = 1000;

typedef struct Drop {
    mote_World *world;
    mote_System *system;
} Drop;

typedef struct Kind {
    const char *pressure;
    double support;      /* spacings */
    double nu;           /* m^2/s */
    double sigma;        /* N/m */
    const char *tension; /* row */
} Kind;

/* sqrt(rho d^3/sigma): the time of a ripple as long as a spacing. */
static inline double ripple(void)
{
    return sqrt(rho * d * d * d / sigma);
}

static inline Drop drop_in(const mote_WorldDef *def, const Kind *kind)
{
    mote_SphSolver solver = mote_sph_solver_def();
    mote_CsfTension tension = mote_csf_tension_def();
    mote_SystemDef system = mote_system_def();
    mote_Error error;
    Drop drop = {.world = setup_world(def)};
    tension.surface_tension = (mote_real)kind->sigma;
    solver.spacing = (mote_real)d, solver.support = (mote_real)kind->support;
    solver.pressure = kind->pressure, solver.viscosity = (mote_real)kind->nu;
    solver.viscosity_model = "monaghan", solver.artificial = 0;
    solver.tension = kind->tension, solver.tension_params = &tension;
    system.name = "water", system.solver = "sph", system.solver_params = &solver;
    SETUP_OK(mote_world_add_system(drop.world, &system, &drop.system, &error), error);
    return drop;
}

static inline Drop drop_of(const Kind *kind, double frame)
{
    const mote_WorldDef def = setup_def(frame);
    return drop_in(&def, kind);
}

/* A lattice in a ball, or in a cube. */
static inline void fill(Drop *drop, double half, bool ball)
{
    const int n = (int)(half / d) + 1;
    for (int i = -n; i <= n; ++i)
        for (int k = -n; k <= n; ++k)
            for (int l = -n; l <= n; ++l) {
                const double x = (i + 0.5) * d, y = (k + 0.5) * d, z = (l + 0.5) * d;
                const bool in = ball ? x * x + y * y + z * z < half * half
                                     : fabs(x) < half && fabs(y) < half && fabs(z) < half;
                if (in) setup_particle(drop->system, setup_vec(x, y, z), setup_vec(0, 0, 0));
            }
}

typedef struct Look {
    double radius;   /* of the ball with that volume */
    double rms;      /* of the distances of the outermost particles, in all directions */
    double inside;   /* mean pressure in the middle, Pa */
    double squares;  /* mean of 2 z^2 - x^2 - y^2, over R^2 */
    double cubes;    /* mean of 2 z^3 - 3 z (x^2 + y^2), over R^3 */
    double momentum; /* size */
    double angular;
} Look;

static inline Look look_at(const Drop *drop)
{
    const size_t count = mote_system_count(drop->system);
    mote_real *x[3], *v[3];
    const mote_real *p = setup_reals(drop->system, "pressure", 0);
    double centre[3] = {0}, m = rho * d * d * d, l[3] = {0}, q[3] = {0};
    Look look = {.radius = cbrt(0.75 / pi * (double)count) * d};
    for (int c = 0; c < 3; ++c) {
        x[c] = setup_reals(drop->system, "position", c);
        v[c] = setup_reals(drop->system, "velocity", c);
        for (size_t i = 0; i < count; ++i) {
            centre[c] += (double)x[c][i] / (double)count;
            q[c] += m * (double)v[c][i];
        }
    }
    double inside = 0, far[50][50] = {{0}};
    for (size_t i = 0; i < count; ++i) {
        const double r[3] = {(double)x[0][i] - centre[0], (double)x[1][i] - centre[1],
                             (double)x[2][i] - centre[2]};
        const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        look.squares += (3 * r[2] * r[2] - square) / (look.radius * look.radius) / (double)count;
        look.cubes += r[2] * (5 * r[2] * r[2] - 3 * square) /
                      (look.radius * look.radius * look.radius) / (double)count;
        if (square < look.radius * look.radius / 4) look.inside += (double)p[i], ++inside;
        for (int c = 0; c < 3; ++c) {
            const int e = (c + 1) % 3, f = (c + 2) % 3;
            l[c] += m * (r[e] * (double)v[f][i] - r[f] * (double)v[e][i]);
        }
        const double length = sqrt(square);
        if (!(length > 0)) continue;
        const int at = (int)((r[2] / length + 1) * 4.99),
                  round = (int)((atan2(r[1], r[0]) / pi + 1) * 7.99);
        far[at][round] = fmax(far[at][round], length);
    }
    double sum = 0, squares = 0, cells = 0;
    for (int i = 0; i < 50; ++i)
        for (int k = 0; k < 50; ++k)
            if (far[i][k] > 0) sum += far[i][k], squares += far[i][k] * far[i][k], ++cells;
    look.rms = sqrt(fmax(0, squares / cells - sum * sum / (cells * cells))) / look.radius;
    look.inside /= inside;
    look.momentum = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    look.angular = sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
    return look;
}

static inline double thickness(double factor)
{
    return factor * sqrt(sigma * d / rho);
}

#endif
