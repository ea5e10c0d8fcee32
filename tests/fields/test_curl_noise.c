/* Curl noise: no divergence, no flow through obstacles that stand or move, its rms speed, tracers
 * that stay uniform (and do not in a field with divergence), the same bits for every set. */
#include "base/random.h"
#include "base/status.h"
#include "check.h"
#include "fields/field.h"

enum { POINTS = 2000 };

typedef struct Opened {
    Memory memory;
    Field field;
} Opened;

static const FieldRow *row_of(const char *type, Isa isa)
{
    size_t count;
    const mote_Row *const *rows = field_rows(isa, &count);
    return (const FieldRow *)row_find(rows, count, "test", "field", type, NULL);
}

/* A field with `obstacles` places for shapes. */
static void open_field(Opened *o, const char *type, void *params, Isa isa, size_t obstacles)
{
    static const char *const names[] = {"a", "b", "c"};
    mote_FieldDef def = mote_field_def();
    def.name = "flow", def.type = type, def.obstacles = names;
    static char flow[] = "flow";
    mote_Error error;
    def.obstacle_count = obstacles;
    *o = (Opened){.memory = memory_make(mote_default_allocator())};
    o->field.row = row_of(type, isa);
    o->field.object =
        (Object){.name = flow, .params = params, .params_size = o->field.row->head.params_size};
    FieldSite site = {.memory = &o->memory, .isa = isa, .seed = 5, .where = "field flow"};
    CHECK_OK(field_open(&site, &o->field, &def, &error), error);
}

static void close_field(Opened *o)
{
    field_close(&o->memory, &o->field);
    CHECK(o->memory.bytes == 0);
}

static void set_shape(Opened *o, size_t i, const char *type, const void *params, mote_Vec3 at)
{
    size_t count;
    const mote_Row *const *rows = shape_rows(isa_pick(), &count);
    mote_Pose pose = {at, quat_of_turn(vec3((mote_real)0.3, (mote_real)-0.5, (mote_real)0.2))};
    if (strcmp(type, "plane") == 0) pose.orientation = (mote_Quat){0, 0, 0, 1};
    o->field.obstacles[i].shape = (PosedShape){
        (const ShapeRow *)row_find(rows, count, "test", "shape", type, NULL), params, pose};
}

static mote_real x[3][POINTS], u[3][POINTS];

static void scatter(double half, uint64_t stream)
{
    RandomKey key = random_key(stream, "curl");
    for (size_t i = 0; i < POINTS; ++i) {
        Random4 draw = random_draw(key, i, 0, 0);
        for (int k = 0; k < 3; ++k) x[k][i] = (mote_real)half * random_signed(draw.word[k]);
    }
}

static void sample(const Opened *o, double t, mote_real (*out)[POINTS])
{
    FieldPoints points = {POINTS, {x[0], x[1], x[2]}, t};
    mote_real *planes[3] = {out[0], out[1], out[2]};
    field_sample(&o->field, &points, planes);
}

/* rms of the divergence over the rms of the gradient, by differences. */
static double relative_divergence(const Opened *o, double t)
{
    static mote_real ahead[3][POINTS], behind[3][POINTS];
    static double divergence[POINTS];
    const mote_real h = sizeof(mote_real) == 8 ? (mote_real)1e-6 : (mote_real)4e-3;
    double squares = 0, gradients = 0;
    memset(divergence, 0, sizeof divergence);
    for (int k = 0; k < 3; ++k) {
        mote_real kept[POINTS];
        memcpy(kept, x[k], sizeof kept);
        for (size_t i = 0; i < POINTS; ++i) x[k][i] = kept[i] + h;
        sample(o, t, ahead);
        for (size_t i = 0; i < POINTS; ++i) x[k][i] = kept[i] - h;
        sample(o, t, behind);
        memcpy(x[k], kept, sizeof kept);
        for (size_t i = 0; i < POINTS; ++i) {
            double step = (double)((kept[i] + h) - (kept[i] - h));
            for (int c = 0; c < 3; ++c) {
                double slope = ((double)ahead[c][i] - (double)behind[c][i]) / step;
                gradients += slope * slope;
                if (c == k) divergence[i] += slope;
            }
        }
    }
    for (size_t i = 0; i < POINTS; ++i) squares += divergence[i] * divergence[i];
    return sqrt(squares / gradients);
}

static const double little = sizeof(mote_real) == 8 ? 1e-8 : 4e-3;

static mote_CurlNoiseField usual(void)
{
    mote_CurlNoiseField p = mote_curl_noise_field_def();
    p.scale = (mote_real)0.8, p.period = 3, p.influence = (mote_real)0.6;
    p.wind = vec3(1, (mote_real)0.5, (mote_real)-0.25);
    return p;
}

static void no_divergence(void)
{
    for (int steady = 0; steady < 2; ++steady) {
        mote_CurlNoiseField p = usual();
        mote_NoiseField other = mote_turbulence_field_def();
        Opened o;
        p.period = steady ? 0 : 3;
        open_field(&o, "curl-noise", &p, isa_pick(), 0);
        scatter(6, 1);
        CHECK(relative_divergence(&o, 1.3) < little);
        close_field(&o);
        open_field(&o, "turbulence", &other, isa_pick(), 0); /* the measure sees one */
        CHECK(relative_divergence(&o, 1.3) > 0.3);
        close_field(&o);
    }
}

static void no_divergence_around_obstacles(void)
{
    mote_CurlNoiseField p = usual();
    mote_SphereShape ball = {(mote_real)0.7};
    mote_BoxShape box = {{1, (mote_real)0.6, (mote_real)0.8}};
    Opened o;
    open_field(&o, "curl-noise", &p, isa_pick(), 2);
    set_shape(&o, 0, "sphere", &ball, vec3((mote_real)0.2, 0, 0));
    set_shape(&o, 1, "box", &box, vec3((mote_real)-1.2, (mote_real)0.3, (mote_real)0.2));
    o.field.obstacles[0].velocity =
        (PoseVelocity){vec3((mote_real)0.3, 1, 0), vec3(0, (mote_real)0.7, 2)};
    scatter(2, 2);
    /* inside the box, the distance has creases: those points are moved out */
    for (size_t i = 0; i < POINTS; ++i)
        if (x[0][i] < (mote_real)-0.6) x[1][i] += (mote_real)3.5;
    CHECK(relative_divergence(&o, 0.4) < 10 * little);
    close_field(&o);
}

/* Random points of the surface of obstacle i, with the normals there. */
static void onto_surface(const Opened *o, size_t i, const mote_Pose *pose,
                         mote_real (*normal)[POINTS])
{
    const PosedShape *shape = &o->field.obstacles[i].shape;
    for (size_t j = 0; j < POINTS; ++j) {
        ShapeRandom random = {random_key(1, "surface"), j, 0, 0};
        ShapePoint point;
        if (shape->row->surface == NULL) { /* the plane of the test */
            point = (ShapePoint){vec3(x[0][j], (mote_real)-0.7, x[2][j]), vec3(0, 1, 0)};
        } else {
            CHECK(shape->row->surface(shape->params, &random, &point));
            point.position = pose_apply(pose, point.position);
            point.normal = pose_rotate(pose, point.normal);
        }
        x[0][j] = point.position.x, x[1][j] = point.position.y, x[2][j] = point.position.z;
        normal[0][j] = point.normal.x, normal[1][j] = point.normal.y, normal[2][j] = point.normal.z;
    }
}

/* The flow at the surface has the normal velocity of the surface. */
static void check_surface(const Opened *o, size_t number, double t)
{
    static mote_real normal[3][POINTS];
    const FieldObstacle *obstacle = &o->field.obstacles[number];
    mote_Pose pose =
        pose_advance(&obstacle->shape.pose, &obstacle->velocity, (mote_real)(t - obstacle->t));
    double through = 0, along = 0;
    scatter(1.5, 3 + number);
    onto_surface(o, number, &pose, normal);
    sample(o, t, u);
    for (size_t i = 0; i < POINTS; ++i) {
        mote_Vec3 n = vec3(normal[0][i], normal[1][i], normal[2][i]);
        mote_Vec3 own =
            pose_point_velocity(&pose, &obstacle->velocity, vec3(x[0][i], x[1][i], x[2][i]));
        mote_Vec3 relative = vec3_sub(vec3(u[0][i], u[1][i], u[2][i]), own);
        through += pow((double)vec3_dot(relative, n), 2);
        along += (double)vec3_dot(relative, relative);
    }
    CHECK(sqrt(along / POINTS) > 0.3);
    CHECK(sqrt(through / along) < (sizeof(mote_real) == 8 ? 1e-12 : 1e-5));
}

static void nothing_flows_through(void)
{
    mote_CurlNoiseField p = usual();
    mote_SphereShape ball = {(mote_real)0.7};
    mote_CapsuleShape capsule = mote_capsule_shape_def();
    mote_BoxShape box = {{1, (mote_real)0.6, (mote_real)0.8}};
    const struct {
        const char *type;
        const void *params;
    } shapes[] = {{"sphere", &ball}, {"capsule", &capsule}, {"box", &box}};
    for (int s = 0; s < 3; ++s) {
        Opened o;
        open_field(&o, "curl-noise", &p, isa_pick(), 1);
        set_shape(&o, 0, shapes[s].type, shapes[s].params, vec3(1, 2, (mote_real)0.5));
        check_surface(&o, 0, 0.7);
        o.field.obstacles[0].velocity =
            (PoseVelocity){vec3(1, (mote_real)-0.4, 2), vec3(0, 0, (mote_real)1.5)};
        o.field.obstacles[0].t = 0.2;
        check_surface(&o, 0, 0.7);
        close_field(&o);
    }
}

/* Two obstacles that feel each other, without wind: the noise passes through neither. */
static void two_obstacles(void)
{
    mote_CurlNoiseField p = usual();
    mote_SphereShape ball = {(mote_real)0.5};
    mote_PlaneShape ground = {vec3(0, 1, 0), (mote_real)-0.7};
    Opened o;
    p.wind = vec3(0, 0, 0);
    open_field(&o, "curl-noise", &p, isa_pick(), 2);
    set_shape(&o, 0, "sphere", &ball, vec3(0, 0, 0));
    set_shape(&o, 1, "plane", &ground, vec3(0, 0, 0));
    check_surface(&o, 0, 0);
    check_surface(&o, 1, 0);
    close_field(&o);
}

/* The flat flow stays in its planes, has no divergence there, and goes around discs. */
static void flat_flow(void)
{
    mote_CurlNoiseField p = usual();
    mote_SphereShape ball = {(mote_real)0.6};
    Opened o;
    p.flat = true, p.wind = vec3(1, (mote_real)-0.5, 0);
    open_field(&o, "curl-noise", &p, isa_pick(), 1);
    set_shape(&o, 0, "sphere", &ball, vec3(0, 0, 0));
    scatter(1.5, 4);
    memset(x[2], 0, sizeof x[2]);
    CHECK(relative_divergence(&o, 0) < 2 * little);
    sample(&o, 0, u);
    for (size_t i = 0; i < POINTS; ++i) CHECK(u[2][i] == 0);
    for (size_t i = 0; i < POINTS; ++i) {
        double angle = 2 * M_PI * (double)i / POINTS;
        x[0][i] = (mote_real)(0.6 * cos(angle)), x[1][i] = (mote_real)(0.6 * sin(angle));
    }
    sample(&o, 0, u);
    for (size_t i = 0; i < POINTS; ++i) CHECK_NEAR(x[0][i] * u[0][i] + x[1][i] * u[1][i], 0, 1e-5);
    close_field(&o);
}

static void has_the_speed_asked_for(void)
{
    for (uint64_t octaves = 1; octaves < 6; octaves += 2)
        for (int flat = 0; flat < 2; ++flat) {
            mote_CurlNoiseField p = mote_curl_noise_field_def();
            double squares = 0;
            Opened o;
            p.speed = (mote_real)2.5, p.octaves = octaves, p.flat = flat != 0;
            p.period = octaves == 3 ? 1 : 0;
            open_field(&o, "curl-noise", &p, isa_pick(), 0);
            scatter(300, 5);
            sample(&o, 0.5, u);
            for (int c = 0; c < 3; ++c)
                for (size_t i = 0; i < POINTS; ++i) squares += pow((double)u[c][i], 2);
            CHECK_NEAR(sqrt(squares / POINTS), 2.5, 0.15);
            close_field(&o);
        }
}

/* ---- tracers ---- */

enum { TRACERS = 20000, CELLS = 3 };

static mote_real place[3][TRACERS], stage[3][TRACERS], speed[4][3][TRACERS];

static void evaluate(const Opened *o, double t, mote_real (*from)[TRACERS], int k)
{
    FieldPoints points = {TRACERS, {from[0], from[1], from[2]}, t};
    mote_real *out[3] = {speed[k][0], speed[k][1], speed[k][2]};
    field_sample(&o->field, &points, out);
}

static void runge_kutta(const Opened *o, double t, double dt)
{
    const double node[4] = {0, 0.5, 0.5, 1};
    evaluate(o, t, place, 0);
    for (int k = 1; k < 4; ++k) {
        for (int c = 0; c < 3; ++c)
            for (size_t i = 0; i < TRACERS; ++i)
                stage[c][i] = place[c][i] + (mote_real)(node[k] * dt) * speed[k - 1][c][i];
        evaluate(o, t + node[k] * dt, stage, k);
    }
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < TRACERS; ++i)
            place[c][i] += (mote_real)(dt / 6) * (speed[0][c][i] + 2 * speed[1][c][i] +
                                                  2 * speed[2][c][i] + speed[3][c][i]);
}

/* chi^2 of the counts in the cells of the inner cube, after three turnovers of an eddy: tracers
 * were uniform in a cube so large that none of its outside comes in. In sigmas from what is
 * expected. */
static double clumping(const char *type, void *params)
{
    const double half = 3, expected = TRACERS / pow(2 * half, 3) * pow(2.0 / CELLS, 3);
    static int counts[CELLS][CELLS][CELLS];
    RandomKey key = random_key(2, "tracers");
    double chi2 = 0;
    Opened o;
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < TRACERS; ++i) {
        Random4 draw = random_draw(key, i, 0, 0);
        for (int c = 0; c < 3; ++c) place[c][i] = (mote_real)half * random_signed(draw.word[c]);
    }
    open_field(&o, type, params, isa_pick(), 0);
    for (int step = 0; step < 15; ++step) runge_kutta(&o, 0.1 * step, 0.1);
    close_field(&o);
    for (size_t i = 0; i < TRACERS; ++i) {
        int cell[3];
        bool inside = true;
        for (int c = 0; c < 3; ++c) {
            cell[c] = (int)floor(((double)place[c][i] + 1) * CELLS / 2);
            inside = inside && cell[c] >= 0 && cell[c] < CELLS;
        }
        if (inside) ++counts[cell[0]][cell[1]][cell[2]];
    }
    for (int c = 0; c < CELLS * CELLS * CELLS; ++c)
        chi2 += pow((&counts[0][0][0])[c] - expected, 2) / expected;
    return (chi2 - pow(CELLS, 3)) / sqrt(2 * pow(CELLS, 3));
}

static void tracers_stay_uniform(void)
{
    mote_CurlNoiseField curl = mote_curl_noise_field_def();
    mote_NoiseField gusts = mote_turbulence_field_def();
    curl.scale = (mote_real)0.6, curl.octaves = 1;
    gusts.scale = (mote_real)0.6, gusts.octaves = 1, gusts.amplitude = 3;
    CHECK(fabs(clumping("curl-noise", &curl)) < 3);
    CHECK(clumping("turbulence", &gusts) > 30);
}

static void same_bits(void)
{
    static mote_real other[3][POINTS];
    mote_CurlNoiseField p = usual();
    mote_SphereShape ball = {(mote_real)0.7};
    scatter(2, 8);
    for (int isa = 0; isa <= (int)isa_pick(); ++isa) {
        Opened o;
        open_field(&o, "curl-noise", &p, (Isa)isa, 1);
        set_shape(&o, 0, "sphere", &ball, vec3(0, 0, 0));
        sample(&o, 0.5, isa == 0 ? u : other);
        CHECK(isa == 0 || memcmp(u, other, sizeof u) == 0);
        close_field(&o);
    }
}

TESTS({"no_divergence", no_divergence},
      {"no_divergence_around_obstacles", no_divergence_around_obstacles},
      {"nothing_flows_through", nothing_flows_through}, {"two_obstacles", two_obstacles},
      {"flat_flow", flat_flow}, {"has_the_speed_asked_for", has_the_speed_asked_for},
      {"tracers_stay_uniform", tracers_stay_uniform}, {"same_bits", same_bits})
