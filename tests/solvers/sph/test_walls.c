/* Integrals of kernels over walls: against closed forms, and against brute-force quadrature of the
 * colliders' own distances. */
#include "check.h"
#include "collide/wall.h"
#include "solvers/sph/walls.h"
#include "world/world.h"

/* ---- kernels ---- */

#define PI 3.141592653589793

typedef struct Kernel {
    int dimension;
    SmoothingKind kind;
} Kernel;

static const Kernel kernels[] = {{2, SMOOTHING_CUBIC},
                                 {3, SMOOTHING_CUBIC},
                                 {2, SMOOTHING_WENDLAND_C2},
                                 {3, SMOOTHING_WENDLAND_C2}};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

/* So fine that layers are as good as the whole: walls have twice the kernel at half its reach. */
#define FINE (1.0 / 40)

static void make_table(const Kernel *k, double spacing, WallTable *table)
{
    wall_table_make(smoothing_row(k->kind), k->dimension, spacing, table);
}

/* ---- brute force ---- */

typedef struct Brute {
    double volume, gradient[3], drag, depth;
} Brute;

/* Signed distance from the wall's surface. */
typedef double Distance(const void *context, mote_Vec3 y);

/* Midpoints of cubes (2-D: squares) of edge 2/n; those on the surface count in part. */
static Brute brute(const Kernel *k, mote_Vec3 x, double support, Distance *distance,
                   const void *context, int n)
{
    Brute b = {0, {0, 0, 0}, 0, 0};
    double cell = 2.0 / n, weight = k->dimension == 3 ? cell * cell * cell : cell * cell;
    int layers = k->dimension == 3 ? n : 1;
    for (int i = 0; i < n * n * layers; ++i) {
        double p[3] = {cell * (i % n + 0.5) - 1, cell * (i / n % n + 0.5) - 1,
                       k->dimension == 3 ? cell * (i / (n * n) + 0.5) - 1 : 0};
        double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        if (!(r < 1)) continue;
        mote_Vec3 y = {x.x + (mote_real)(support * p[0]), x.y + (mote_real)(support * p[1]),
                       x.z + (mote_real)(support * p[2])};
        double share = fmin(fmax(0.5 - distance(context, y) / (cell * support), 0), 1);
        double slope =
            share * weight * smoothing_slope(smoothing_row(k->kind), k->dimension, 1, r) * r;
        b.volume += share * weight * smoothing_value(smoothing_row(k->kind), k->dimension, 1, r);
        b.drag -= 2 * slope / r / (support * support);
        for (int c = 0; c < 3; ++c) b.gradient[c] -= slope * p[c] / r / support;
    }
    return b;
}

static double over_plane(const void *context, mote_Vec3 y)
{
    return (double)(y.y - *(const mote_real *)context);
}

/* With the wall's kernel: that of the liquid, shorter and heavier. */
static Brute brute_wall(const Kernel *k, const WallTable *table, mote_Vec3 x, double support,
                        Distance *distance, const void *context, int n)
{
    Brute b = brute(k, x, support * (double)table->reach, distance, context, n);
    b.volume *= (double)table->weight;
    for (int c = 0; c < 3; ++c) b.gradient[c] *= (double)table->weight;
    return b;
}

static void half_spaces_against_quadrature(void)
{
    for (int k = 0; k < KERNELS; ++k) {
        WallTable table;
        make_table(&kernels[k], FINE, &table);
        CHECK_NEAR(table.weight, 2, 0.01);
        CHECK_NEAR(table.plane[0].volume, table.weight / 2, 1e-5);
        CHECK_NEAR(table.ray[0].mass, table.weight, 1e-5);
        for (int i = 0; i < 12; ++i) {
            int n = kernels[k].dimension == 3 ? 44 : 200;
            mote_real plane = (mote_real)(i / 12.0 - 1);
            Brute b = brute(&kernels[k], vec3(0, 0, 0), 1, over_plane, &plane, n);
            Brute w = brute_wall(&kernels[k], &table, vec3(0, 0, 0), 1, over_plane, &plane, n);
            WallPlaneEntry e = wall_plane_at(&table, -plane);
            CHECK_NEAR(e.volume, w.volume, 2e-3);
            CHECK_NEAR(e.slope, -w.gradient[1], 1e-2);
            CHECK_NEAR(e.drag, b.drag, 0.02);
        }
    }
}

static void the_slope_is_the_derivative(void)
{
    for (int k = 0; k < KERNELS; ++k) {
        WallTable table;
        make_table(&kernels[k], FINE, &table);
        for (int i = 2; i < WALL_CELLS - 2; ++i) {
            double step = 2.0 / WALL_CELLS;
            double change = (double)(table.plane[i - 1].volume - table.plane[i + 1].volume) / step;
            CHECK_NEAR(change, table.plane[i].slope, 2e-3);
            double fall = (double)(table.plane[i - 1].depth_drag - table.plane[i + 1].depth_drag);
            CHECK_NEAR(fall / step, table.plane[i].drag, 1e-2);
        }
    }
}

/* ---- colliders ---- */

typedef struct Stage {
    mote_World *world;
    Walls walls;
    mote_real support;
} Stage;

static void open_stage(Stage *s, const Kernel *kernel, mote_real support)
{
    mote_WorldDef def = mote_world_def();
    mote_Error error;
    def.dimension = (uint64_t)kernel->dimension;
    CHECK_OK(mote_world_create(&def, &s->world, &error), error);
    mote_SystemDef system = mote_system_def();
    system.name = "liquid";
    CHECK_OK(mote_world_add_system(s->world, &system, NULL, &error), error);
    walls_make(&s->walls, smoothing_row(kernel->kind), kernel->dimension, FINE, isa_pick());
    s->support = support;
}

static void close_stage(Stage *s)
{
    walls_free(&s->walls, &s->world->memory);
    mote_world_destroy(s->world);
}

static void add(Stage *s, const char *shape, const void *params, mote_Motion motion)
{
    mote_ColliderDef def = mote_collider_def();
    mote_Error error;
    def.shape = shape;
    def.shape_params = params;
    def.motion = motion;
    CHECK_OK(mote_world_add_collider(s->world, &def, &error), error);
}

static double over_colliders(const void *context, mote_Vec3 y)
{
    const Broad *broad = context;
    double least = 1e30;
    for (size_t i = 0; i < broad->count; ++i)
        least = fmin(least, (double)wall_distance(broad->colliders[i], 0, y));
    return least;
}

typedef struct Felt {
    double volume;
    mote_Vec3 gradient;
    size_t shares;
} Felt;

static Felt feel(Stage *s, mote_Vec3 at)
{
    mote_real p[3] = {at.x, at.y, at.z};
    mote_real *const x[3] = {&p[0], &p[1], &p[2]};
    mote_Error error;
    WallsInput input = {&s->world->memory, NULL, &s->world->slots[0].broad, 1, x, s->support};
    CHECK_OK(walls_integrate(&s->walls, &input, &error), error);
    Felt felt = {0, {0, 0, 0}, s->walls.spans[0].count};
    for (size_t i = 0; i < felt.shares; ++i) {
        const WallShare *share = &s->walls.shares[s->walls.spans[0].first + i];
        felt.volume += (double)share->volume;
        felt.gradient = vec3_add(felt.gradient, share->gradient);
    }
    return felt;
}

static double worst_volume, worst_gradient;

/* Every place of a row of points; those within a tenth of the support or inside are left out. */
static void compare(Stage *s, mote_Vec3 from, mote_Vec3 to, int count)
{
    mote_Error error;
    CHECK_OK(mote_world_step(s->world, NULL, &error), error);
    const Broad *broad = &s->world->slots[0].broad;
    const Kernel *k = &kernels[s->walls.table.dimension == 3 ? 3 : 2];
    int n = k->dimension == 3 ? 34 : 160;
    for (int i = 0; i < count; ++i) {
        mote_Vec3 x = vec3_madd(from, (mote_real)(i + 0.5) / (mote_real)count, vec3_sub(to, from));
        mote_real least = s->support;
        for (size_t c = 0; c < broad->count; ++c)
            least = real_min(least, wall_distance(broad->colliders[c], 0, x));
        if (least < s->support / 10) continue;
        Felt f = feel(s, x);
        const WallTable *table = &s->walls.table;
        Brute b = brute_wall(k, table, x, (double)s->support, over_colliders, broad, n);
        double size = (double)(s->support * table->reach / table->weight),
               g[3] = {(double)f.gradient.x, (double)f.gradient.y, (double)f.gradient.z};
        double off = 0;
        for (int c = 0; c < 3; ++c) off += (g[c] - b.gradient[c]) * (g[c] - b.gradient[c]);
        off = sqrt(off) * size;
        double dv = fabs(f.volume - b.volume) / (double)table->weight;
        worst_volume = fmax(worst_volume, dv), worst_gradient = fmax(worst_gradient, off);
        CHECK(dv < 0.01);
        CHECK(off < 0.06);
    }
}

static const mote_Motion still = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};

static mote_Motion placed(mote_Vec3 at, mote_Vec3 rotate)
{
    mote_Motion motion = still;
    motion.at = at, motion.rotate = rotate;
    return motion;
}

static void add_hollow(Stage *s, const char *shape, const void *params, mote_Motion motion)
{
    mote_ShapeDef part = {shape, params, mote_pose_def()};
    mote_Shapes *shapes;
    mote_Error error;
    CHECK_OK(mote_shapes_create(&part, 1, (mote_Allocator){0}, &shapes, &error), error);
    mote_InvertedShape hollow = {shapes};
    add(s, "inverted", &hollow, motion);
    mote_shapes_release(shapes);
}

/* A tank: faces, edges and corners, upright and turned. */
static void tanks(void)
{
    for (int k = 2; k < 4; ++k)
        for (int turned = 0; turned < 2; ++turned) {
            Stage s;
            mote_BoxShape box = {{1, 2, 3}};
            mote_Vec3 angles = turned ? vec3(0, 0, 33) : vec3(0, 0, 0);
            if (turned && k == 3) angles = vec3(20, 40, 33);
            open_stage(&s, &kernels[k], (mote_real)0.1);
            add_hollow(&s, "box", &box, placed(vec3(0, 0, 0), angles));
            mote_Pose pose =
                mote_pose_turned(vec3(0, 0, 0), vec3_scale(angles, (mote_real)(PI / 180)));
            mote_Vec3 corner =
                pose_apply(&pose, vec3((mote_real)0.5, 1, k == 3 ? (mote_real)1.5 : 0));
            compare(&s, pose_apply(&pose, vec3(0, (mote_real)0.98, 0)), corner, 12);
            compare(&s, vec3(0, 0, 0), corner, 30);
            close_stage(&s);
        }
}

static void planes_that_meet(void)
{
    Stage s;
    mote_PlaneShape floor = {{0, 1, 0}, 0}, slope = {{-1, 1, 0}, -(mote_real)0.7};
    open_stage(&s, &kernels[3], (mote_real)0.1);
    add(&s, "plane", &floor, still);
    add(&s, "plane", &slope, still);
    compare(&s, vec3(0, (mote_real)0.03, 0), vec3((mote_real)1.05, (mote_real)0.03, 0), 20);
    Felt f = feel(&s, vec3((mote_real)0.95, (mote_real)0.02, 0));
    CHECK(f.shares == 2);
    close_stage(&s);
}

/* Outside of bodies: faces, edges, and one that stands on a floor. */
static void bodies(void)
{
    Stage s;
    mote_BoxShape box = {{(mote_real)0.4, (mote_real)0.4, (mote_real)0.4}};
    mote_PlaneShape floor = {{0, 1, 0}, -(mote_real)0.2};
    open_stage(&s, &kernels[3], (mote_real)0.1);
    add(&s, "box", &box, still);
    add(&s, "plane", &floor, still);
    compare(&s, vec3((mote_real)0.23, 0, 0),
            vec3((mote_real)0.23, (mote_real)0.27, (mote_real)0.25), 16);
    compare(&s, vec3((mote_real)0.23, 0, 0),
            vec3((mote_real)0.23, -(mote_real)0.19, (mote_real)0.1), 12);
    close_stage(&s);
}

/* Thinner than the support. */
static void plates(void)
{
    Stage s;
    mote_BoxShape plate = {{(mote_real)0.03, 1, 1}};
    open_stage(&s, &kernels[3], (mote_real)0.1);
    add(&s, "box", &plate, placed(vec3(0, 0, 0), vec3(0, 10, 0)));
    compare(&s, vec3((mote_real)0.03, 0, 0), vec3((mote_real)0.1, (mote_real)0.5, (mote_real)0.1),
            12);
    close_stage(&s);
}

static void round_ones(void)
{
    mote_SphereShape ball = {(mote_real)0.2};
    mote_CylinderShape can = {(mote_real)0.2, (mote_real)0.5};
    mote_CapsuleShape pill = {(mote_real)0.2, (mote_real)0.3};
    const struct {
        const char *shape;
        const void *params;
    } shapes[] = {{"sphere", &ball}, {"cylinder", &can}, {"capsule", &pill}};
    for (int i = 0; i < 3; ++i)
        for (int hollow = 0; hollow < 2; ++hollow) {
            Stage s;
            open_stage(&s, &kernels[3], (mote_real)0.1);
            if (hollow)
                add_hollow(&s, shapes[i].shape, shapes[i].params, still);
            else
                add(&s, shapes[i].shape, shapes[i].params, still);
            compare(&s, vec3(0, 0, 0), vec3((mote_real)0.26, (mote_real)0.3, (mote_real)0.1), 16);
            compare(&s, vec3(0, (mote_real)0.1, 0),
                    vec3((mote_real)0.2, (mote_real)0.32, -(mote_real)0.2), 16);
            close_stage(&s);
        }
}

/* Gradients are those of the volume, also where faces come into reach. */
static void gradient_of_the_volume(void)
{
    Stage s;
    mote_BoxShape box = {{1, 1, 1}};
    mote_Error error;
    open_stage(&s, &kernels[3], (mote_real)0.2);
    add_hollow(&s, "box", &box, still);
    CHECK_OK(mote_world_step(s.world, NULL, &error), error);
    mote_Vec3 d = {(mote_real)0.004, (mote_real)0.003, (mote_real)0.001};
    for (int i = 0; i < 100; ++i) {
        mote_Vec3 x =
            vec3((mote_real)(0.2 + 0.0025 * i), (mote_real)0.41, (mote_real)(0.25 + 0.002 * i));
        Felt a = feel(&s, vec3_sub(x, d)), b = feel(&s, vec3_add(x, d)), m = feel(&s, x);
        double change = 2 * (double)vec3_dot(m.gradient, d);
        CHECK_NEAR(b.volume - a.volume, change, 0.02);
        CHECK(a.volume >= 0 && a.volume <= (double)s.walls.table.weight);
    }
    close_stage(&s);
}

static void moving_walls(void)
{
    Stage s;
    mote_SphereShape ball = {(mote_real)0.5};
    mote_Error error;
    mote_Motion motion = {{1, 0, 0}, {0, 0, 0}, {3, 0, 0}, {0, 90, 0}};
    open_stage(&s, &kernels[3], (mote_real)0.1);
    add(&s, "sphere", &ball, motion);
    s.world->def.max_step = 1e-6;
    s.world->def.fps = 1e6;
    CHECK_OK(mote_world_step(s.world, NULL, &error), error);
    Felt f = feel(&s, vec3((mote_real)1.55, 0, 0));
    CHECK(f.shares == 1);
    const WallShare *share = &s.walls.shares[s.walls.spans[0].first];
    CHECK_NEAR(share->velocity.x, 3, 0.05);
    CHECK_NEAR(share->velocity.z, -0.5 * PI / 2, 0.05);
    CHECK(share->drag > 0);
    close_stage(&s);
}

/* A lattice that ends d/2 before a wall: a pressure that is the same everywhere moves nothing, and
 * walls stand for what the lattice lacks behind them, no less, and little more for wide kernels. */
static void lattices_end_at_walls(void)
{
    static const double ratios[] = {2, 2.4, 3};
    for (int k = 0; k < KERNELS * 3; ++k) {
        const Kernel *kernel = &kernels[k / 3];
        const SmoothingRow *row = smoothing_row(kernel->kind);
        const int n = 4, deep = kernel->dimension == 3 ? n : 0;
        double d = 1 / ratios[k % 3], lacked = 0, volume = 0, slope = 0;
        WallTable table;
        make_table(kernel, d, &table);
        for (int i = 0; i < n; ++i) {
            WallPlaneEntry e = wall_plane_at(&table, (mote_real)((i + 0.5) * d));
            volume += (double)e.volume, slope += d * (double)e.slope;
            for (int x = i + 1; x <= n; ++x)
                for (int y = -n; y <= n; ++y)
                    for (int z = -deep; z <= deep; ++z)
                        lacked += smoothing_value(row, kernel->dimension, 1,
                                                  d * sqrt((double)(x * x + y * y + z * z)));
        }
        lacked /= smoothing_lattice_sum(row, kernel->dimension, 1, d);
        CHECK_NEAR(slope, 1, 2e-3);
        CHECK(volume > lacked - 1e-3 && volume < 1.15 * lacked);
        if (k % 3 == 0) CHECK_NEAR(volume, lacked, 3e-3);
    }
}

/* Edges and corners of a tank: the densities of a lattice that fills it. */
static void corners_have_their_density(void)
{
    for (int k = 0; k < KERNELS; ++k) {
        const Kernel *kernel = &kernels[k];
        const SmoothingRow *row = smoothing_row(kernel->kind);
        const int n = 3, deep = kernel->dimension == 3 ? n : 0;
        const double d = 0.5, whole = smoothing_lattice_sum(row, kernel->dimension, 1, d);
        mote_BoxShape box = {{100, 100, 100}};
        mote_Error error;
        Stage s;
        open_stage(&s, kernel, 1);
        walls_make(&s.walls, row, kernel->dimension, d, isa_pick());
        add_hollow(&s, "box", &box, still);
        CHECK_OK(mote_world_step(s.world, NULL, &error), error);
        for (int i = 0; i < 8; ++i) { /* in the first or second layer of each wall */
            const int at[3] = {i % 2, i / 2 % 2, deep > 0 ? i / 4 : n};
            double sum = 0, edge = 50 - d / 2;
            for (int x = -at[0]; x <= n; ++x)
                for (int y = -at[1]; y <= n; ++y)
                    for (int z = deep > 0 ? -at[2] : 0; z <= deep; ++z)
                        sum += smoothing_value(row, kernel->dimension, 1,
                                               d * sqrt((double)(x * x + y * y + z * z)));
            Felt f = feel(&s, vec3((mote_real)(edge - d * at[0]), (mote_real)(edge - d * at[1]),
                                   deep > 0 ? (mote_real)(edge - d * at[2]) : 0));
            /* what two walls share counts little in the wall's short kernel */
            CHECK(sum / whole + f.volume > 0.995 && sum / whole + f.volume < 1.06);
        }
        close_stage(&s);
    }
}

static void report(void)
{
    printf("largest difference from quadrature: volume %.4f, gradient %.4f / support\n",
           worst_volume, worst_gradient);
}

TESTS({"half spaces against quadrature", half_spaces_against_quadrature},
      {"the slope is the derivative", the_slope_is_the_derivative}, {"tanks", tanks},
      {"planes that meet", planes_that_meet}, {"bodies", bodies}, {"plates", plates},
      {"round ones", round_ones}, {"gradient of the volume", gradient_of_the_volume},
      {"moving walls", moving_walls}, {"lattices end at walls", lattices_end_at_walls},
      {"corners have their density", corners_have_their_density}, {"report", report})
