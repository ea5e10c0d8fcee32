/* The directions of rays: squares of equal angles on the faces of a cube, or a circle. */
#include "solvers/sph/wall_rays.h"

#include "base/math.h"

ISA_KERNELS(wall_kernels, WallKernels, wall_kernels_table)

enum { SQUARES = 6, CIRCLE = 64 };

static void add_direction(WallDirections *d, const double v[3], double weight)
{
    double length = __builtin_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    d->x[d->count] = (mote_real)(v[0] / length);
    d->y[d->count] = (mote_real)(v[1] / length);
    d->z[d->count] = (mote_real)(v[2] / length);
    d->weight[d->count++] = (mote_real)weight;
}

/* Solid angle of the rectangle from 0 to u, 0 to v on the face at distance 1. */
static double corner_angle(double u, double v)
{
    return math_atan2(u * v, __builtin_sqrt(1 + u * u + v * v));
}

static double grid_at(double i)
{
    return math_tan((i / SQUARES * 2 - 1) * 0.7853981633974483);
}

static void add_square(WallDirections *d, int face, int i, int k)
{
    const double sphere = 12.566370614359172;
    double a0 = grid_at(i), a1 = grid_at(i + 1), b0 = grid_at(k), b1 = grid_at(k + 1);
    double angle =
        corner_angle(a1, b1) - corner_angle(a0, b1) - corner_angle(a1, b0) + corner_angle(a0, b0);
    double v[3];
    v[face / 2] = face % 2 == 0 ? 1 : -1;
    v[(face / 2 + 1) % 3] = grid_at(i + 0.5);
    v[(face / 2 + 2) % 3] = grid_at(k + 0.5);
    add_direction(d, v, angle / sphere);
}

void wall_directions_make(int dimension, WallDirections *directions)
{
    directions->count = 0;
    for (int i = 0; dimension == 2 && i < CIRCLE; ++i) {
        double angle = (i + 0.5) / CIRCLE * 6.283185307179586;
        const double v[3] = {math_cos(angle), math_sin(angle), 0};
        add_direction(directions, v, 1.0 / CIRCLE);
    }
    for (int i = 0; dimension == 3 && i < 6 * SQUARES * SQUARES; ++i)
        add_square(directions, i / (SQUARES * SQUARES), i / SQUARES % SQUARES, i % SQUARES);
}
