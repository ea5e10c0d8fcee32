/* Tables of a kernel's integrals over walls.
 *
 * A shell of radius r has the part beyond a plane at distance s:
 *   3-D: area 2 pi r (r - s),          its depths sum to pi r (r - s)^2,
 *   2-D: length 2 r phi,               its depths sum to 2 r (r sin phi - s phi), cos phi = s / r,
 * so every table is an integral over r from s to 1. With r = s + (1 - s) u^2 the root at r = s in
 * 2-D is smooth, and composite Gauss-Legendre quadrature converges fast. */
#include "solvers/sph/wall_table.h"

#include "base/math.h"

enum { PANELS = 32, NODES = 4 };

#define PI 3.141592653589793

static const double gauss_at[NODES] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                       0.8611363115940526};
static const double gauss_weight[NODES] = {0.3478548451374538, 0.6521451548625461,
                                           0.6521451548625461, 0.3478548451374538};

/* Of a shell: beyond the plane, on it per radius (d area / -ds), and its depths. */
typedef struct Shell {
    double beyond, edge, depths;
} Shell;

static Shell shell_3d(double r, double s)
{
    double h = r - s;
    return (Shell){2 * PI * r * h, 2 * PI * r, PI * r * h * h};
}

static Shell shell_2d(double r, double s)
{
    double cosine = s / r, sine = __builtin_sqrt(1 - cosine * cosine), phi = math_acos(cosine);
    return (Shell){2 * r * phi, 2 / (sine > 1e-12 ? sine : 1e-12), 2 * r * (r * sine - s * phi)};
}

typedef struct Sums {
    double volume, slope, drag, depth_drag, mass, pull;
} Sums;

static void add_shell(const WallKernel *k, double s, double r, double weight, Sums *sums)
{
    double w = weight * k->value(k->context, r), slope = weight * k->slope(k->context, r);
    Shell shell = k->dimension == 3 ? shell_3d(r, s) : shell_2d(r, s);
    double whole = k->dimension == 3 ? 4 * PI * r * r : 2 * PI * r;
    sums->volume += w * shell.beyond;
    sums->slope += w * shell.edge;
    sums->drag -= 2 * slope / r * shell.beyond;
    sums->depth_drag -= 2 * slope / r * shell.depths;
    sums->mass += w * whole;
    sums->pull -= slope * whole;
}

static Sums integrate(const WallKernel *k, double s)
{
    Sums sums = {0};
    const double half = 0.5 / PANELS;
    for (int p = 0; p < PANELS; ++p)
        for (int n = 0; n < NODES; ++n) {
            double u = half * (2 * p + 1 + gauss_at[n]);
            double weight = half * gauss_weight[n] * 2 * u * (1 - s); /* dr / du */
            add_shell(k, s, s + (1 - s) * u * u, weight, &sums);
        }
    return sums;
}

void wall_table_make(const WallKernel *kernel, WallTable *table)
{
    *table = (WallTable){.dimension = kernel->dimension};
    for (int i = 0; i < WALL_CELLS; ++i) {
        Sums s = integrate(kernel, (double)i / WALL_CELLS);
        table->plane[i] = (WallPlaneEntry){(mote_real)s.volume, (mote_real)s.slope,
                                           (mote_real)s.drag, (mote_real)s.depth_drag};
        table->ray[i] = (WallRayEntry){(mote_real)s.mass, (mote_real)s.pull};
    }
}
