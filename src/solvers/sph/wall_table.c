/* Tables of a kernel's integrals over walls.
 *
 * Integrals over a plane at distance z, by its radius or half-length t:
 *   3-D: A = 2 pi int W r dr from z to 1,            D = 4 pi W(z),
 *   2-D: A = 2 int W(sqrt(z^2 + t^2)) dt over t,     D = -4 int W'/r dt,
 * smooth but for the kernel's own knots: composite Gauss-Legendre quadrature. */
#include "solvers/sph/wall_table.h"

enum { PANELS = 12, NODES = 4 };

#define PI 3.141592653589793

static const double gauss_at[NODES] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                       0.8611363115940526};
static const double gauss_weight[NODES] = {0.3478548451374538, 0.6521451548625461,
                                           0.6521451548625461, 0.3478548451374538};

/* One kernel for values, one for gradients. */
typedef struct Kernel {
    const SmoothingRow *value, *gradient;
    int dimension;
} Kernel;

static double value_at(const SmoothingRow *row, int dimension, double q)
{
    return q < 1 ? row->sigma[dimension] * row->value(q) : 0;
}

/* W'(q) / q. */
static double slope_at(const SmoothingRow *row, int dimension, double q)
{
    return q < 1 ? row->sigma[dimension] * row->slope(q) : 0;
}

typedef double Integrand(const Kernel *k, double z, double at);

static double integrate(Integrand *f, const Kernel *k, double z, double from, double to)
{
    const double half = (to - from) / (2 * PANELS);
    double sum = 0;
    for (int p = 0; p < PANELS; ++p)
        for (int n = 0; n < NODES; ++n)
            sum += gauss_weight[n] * f(k, z, from + half * (2 * p + 1 + gauss_at[n]));
    return sum * half;
}

static double ring(const Kernel *k, double z, double r)
{
    (void)z;
    return 2 * PI * r * value_at(k->value, 3, r);
}

static double line(const Kernel *k, double z, double t)
{
    return 2 * value_at(k->value, 2, __builtin_sqrt(z * z + t * t));
}

static double line_slope(const Kernel *k, double z, double t)
{
    return -4 * slope_at(k->gradient, 2, __builtin_sqrt(z * z + t * t));
}

/* A and D of a plane. */
typedef struct Layer {
    double value, drag;
} Layer;

static Layer layer_at(const Kernel *k, double z)
{
    if (!(z < 1)) return (Layer){0, 0};
    if (k->dimension == 3)
        return (Layer){integrate(ring, k, z, z, 1), 4 * PI * value_at(k->gradient, 3, z)};
    double half = __builtin_sqrt(1 - z * z);
    return (Layer){integrate(line, k, z, 0, half), integrate(line_slope, k, z, 0, half)};
}

static WallPlaneEntry plane_entry(const Kernel *k, double spacing, double s)
{
    double volume = 0, slope = 0, drag = 0, depth_drag = 0;
    for (double depth = spacing / 2; s + depth < 1; depth += spacing) {
        double z = s + depth;
        Layer layer = layer_at(k, z);
        volume += spacing * layer.value;
        slope += spacing * z * layer.drag / 2;
        drag += spacing * layer.drag;
        depth_drag += spacing * depth * layer.drag;
    }
    return (WallPlaneEntry){(mote_real)volume, (mote_real)slope, (mote_real)drag,
                            (mote_real)depth_drag};
}

/* ---- rays ---- */

static double shell(int dimension, double r)
{
    return dimension == 3 ? 4 * PI * r * r : 2 * PI * r;
}

static double shell_mass(const Kernel *k, double z, double r)
{
    (void)z;
    return shell(k->dimension, r) * value_at(k->value, k->dimension, r);
}

static double shell_pull(const Kernel *k, double z, double r)
{
    (void)z;
    return -shell(k->dimension, r) * r * slope_at(k->gradient, k->dimension, r);
}

static WallRayEntry ray_entry(const Kernel *k, double r)
{
    return (WallRayEntry){(mote_real)integrate(shell_mass, k, 0, r, 1),
                          (mote_real)integrate(shell_pull, k, 0, r, 1)};
}

void wall_table_make(const SmoothingRow *kernel, int dimension, double spacing, WallTable *table)
{
    Kernel k = {kernel, smoothing_row(kernel->gradient), dimension};
    *table = (WallTable){.dimension = dimension, .spacing = (mote_real)spacing, .overlap = 1};
    for (int i = 0; i < WALL_CELLS; ++i) {
        double s = (double)i / WALL_CELLS;
        table->plane[i] = plane_entry(&k, spacing, s);
        table->ray[i] = ray_entry(&k, s);
    }
}
