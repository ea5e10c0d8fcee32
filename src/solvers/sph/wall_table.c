/* Tables of a kernel's integrals over walls.
 *
 * Integrals over a plane at distance z, by its radius or half-length t:
 *   3-D: A = 2 pi int W r dr from z to 1,            D = 4 pi W(z),
 *   2-D: A = 2 int W(sqrt(z^2 + t^2)) dt over t,     D = -4 int W'/r dt,
 * smooth but for the kernel's own knots: composite Gauss-Legendre quadrature. */
#include "solvers/sph/wall_table.h"

/* Twelve panels of four points are more exact than tables that are read linearly ask for; thirty
 * halvings are a float's bits. */
enum { PANELS = 12, NODES = 4, HALVINGS = 30 };

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

WallLayer wall_layer_at(const SmoothingRow *kernel, int dimension, double z)
{
    Kernel k = {kernel, kernel, dimension};
    Layer layer = layer_at(&k, z);
    return (WallLayer){layer.value, z * layer.drag / 2};
}

/* ---- the wall's kernel ---- */

/* A of W_w, whose weight is 1 as yet. */
static double wall_layer(const Kernel *k, double reach, double z)
{
    return layer_at(k, z / reach).value / reach;
}

static double wall_volume(const Kernel *k, double reach, double s)
{
    const double half = (reach - s) / (2 * PANELS);
    double sum = 0;
    if (!(s < reach)) return 0;
    for (int p = 0; p < PANELS; ++p)
        for (int n = 0; n < NODES; ++n)
            sum += gauss_weight[n] * wall_layer(k, reach, s + half * (2 * p + 1 + gauss_at[n]));
    return sum * half;
}

/* What the layers of a lattice find of a wall. */
typedef struct TableFelt {
    double volume, slope;
} TableFelt;

static TableFelt felt_by_layers(const Kernel *k, double reach, double spacing)
{
    TableFelt felt = {0, 0};
    for (double s = spacing / 2; s < reach; s += spacing) {
        felt.volume += wall_volume(k, reach, s);
        felt.slope += spacing * wall_layer(k, reach, s);
    }
    return felt;
}

/* What the layers of half a lattice lack of the whole, together: the layer k planes away is missed
 * by k of them. */
static double lacked_by_layers(const Kernel *k, double d)
{
    const int n = (int)(1 / d) + 1, deep = k->dimension == 3 ? n : 0;
    double sum = 0;
    for (int i = 1; i <= n; ++i)
        for (int j = -n; j <= n; ++j)
            for (int l = -deep; l <= deep; ++l)
                sum += i * smoothing_value(k->value, k->dimension, 1,
                                           d * __builtin_sqrt((double)(i * i + j * j + l * l)));
    return sum / smoothing_lattice_sum(k->value, k->dimension, 1, d);
}

/* Wide kernels let the layer at the wall grow denser than the lattice's, and the liquid gains room
 * by it. Measured in columns 8 and 24 particles wide, both dimensions, cubic spline and Wendland
 * C2, supports of 2, 2.4 and 3 spacings: with this the wall is where it should be within 0.02 d. */
static double wanted_of_walls(const Kernel *k, double spacing)
{
    const double lacked = lacked_by_layers(k, spacing), narrow = 0.15, gain = 0.8;
    return lacked > narrow ? lacked * (1 + gain * (lacked - narrow)) : lacked;
}

/* One unknown, `reach`, by halving the ratio of the two sums; `weight` follows. Below 0.55 spacings
 * the first layer, at half a spacing, would see next to nothing of the wall. */
static void fit_wall(const Kernel *k, double spacing, WallTable *table)
{
    const double wanted = wanted_of_walls(k, spacing);
    double low = 0.55 * spacing, high = 1;
    for (int i = 0; i < HALVINGS; ++i) {
        double middle = (low + high) / 2;
        TableFelt felt = felt_by_layers(k, middle, spacing);
        if (felt.volume < wanted * felt.slope)
            low = middle;
        else
            high = middle;
    }
    table->reach = (mote_real)low;
    table->weight = (mote_real)(1 / felt_by_layers(k, low, spacing).slope);
}

/* ---- half-spaces ---- */

static WallPlaneEntry plane_entry(const Kernel *k, const WallTable *table, double s)
{
    const double d = (double)table->spacing, weight = (double)table->weight;
    double drag = 0, depth_drag = 0, reach = (double)table->reach;
    for (double depth = d / 2; s + depth < 1; depth += d) {
        Layer layer = layer_at(k, s + depth);
        drag += d * layer.drag;
        depth_drag += d * depth * layer.drag;
    }
    return (WallPlaneEntry){(mote_real)(weight * wall_volume(k, reach, s)),
                            (mote_real)(weight * wall_layer(k, reach, s)), (mote_real)drag,
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
    return -shell(k->dimension, r) * r * slope_at(k->value, k->dimension, r);
}

static WallRayEntry ray_entry(const Kernel *k, const WallTable *table, double r)
{
    const double q = r / (double)table->reach, weight = (double)table->weight;
    if (!(q < 1)) return (WallRayEntry){0, 0};
    return (WallRayEntry){
        (mote_real)(weight * integrate(shell_mass, k, 0, q, 1)),
        (mote_real)(weight / (double)table->reach * integrate(shell_pull, k, 0, q, 1))};
}

void wall_table_make(const SmoothingRow *kernel, int dimension, double spacing, WallTable *table)
{
    Kernel k = {kernel, smoothing_row(kernel->gradient), dimension};
    *table = (WallTable){.dimension = dimension, .spacing = (mote_real)spacing};
    fit_wall(&k, spacing, table);
    for (int i = 0; i < WALL_CELLS; ++i) {
        double s = (double)i / WALL_CELLS;
        table->plane[i] = plane_entry(&k, table, s);
        table->ray[i] = ray_entry(&k, table, s);
    }
}

/* ---- walls as full as the liquid ---- */

static WallPlaneEntry full_entry(const SmoothingRow *kernel, const WallTable *table, double s)
{
    const SmoothingRow *gradient = smoothing_gradient(kernel);
    const double d = (double)table->spacing;
    double volume = 0, slope = 0;
    for (double z = s + d / 2; z < 1; z += d) {
        volume += d * wall_layer_at(kernel, table->dimension, z).value;
        slope += d * wall_layer_at(gradient, table->dimension, z).fall;
    }
    return (WallPlaneEntry){(mote_real)volume, (mote_real)slope, 0, 0};
}

void wall_table_make_full(const SmoothingRow *kernel, int dimension, double spacing,
                          WallTable *table)
{
    const Kernel k = {kernel, smoothing_gradient(kernel), dimension};
    *table =
        (WallTable){.dimension = dimension, .spacing = (mote_real)spacing, .reach = 1, .weight = 1};
    for (int i = 0; i < WALL_CELLS; ++i) {
        const double s = (double)i / WALL_CELLS;
        table->plane[i] = full_entry(kernel, table, s);
        table->ray[i] = ray_entry(&k, table, s);
    }
}
