/* Bodies alone: mass properties, free rotation, falling, buoyancy, prescribed motion, exchange with
 * particles, and what is refused. */
#include "bodies/rigid.h"

#include "bodies/body.h"

/* ---- mass ---- */

static mote_BodyState made(const char *shape, const void *params)
{
    mote_World *world = rigid_world(0.01, 0);
    mote_BodyDef def = rigid_def("body", shape, params, setup_vec(1, 2, 3));
    def.density = 2000;
    rigid_add(world, &def);
    mote_BodyState state = rigid_state(world, "body");
    mote_world_destroy(world);
    return state;
}

static void sort3(double a[3])
{
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2 - i; ++k)
            if (a[k] > a[k + 1]) {
                double swap = a[k];
                a[k] = a[k + 1], a[k + 1] = swap;
            }
}

/* Per kilogram, in ascending order. */
static void check_inertia(const mote_BodyState *s, double volume, double a, double b, double c)
{
    double found[3] = {s->inertia[0] / s->mass, s->inertia[1] / s->mass, s->inertia[2] / s->mass};
    sort3(found);
    CHECK_NEAR(s->volume / volume, 1, 1e-6);
    CHECK_NEAR(s->mass / (2000 * volume), 1, 1e-6);
    CHECK_NEAR(found[0] / a, 1, 1e-6);
    CHECK_NEAR(found[1] / b, 1, 1e-6);
    CHECK_NEAR(found[2] / c, 1, 1e-6);
}

static mote_Mesh *octahedron(double a)
{
    const double v[18] = {a, 0, 0, -a, 0, 0, 0, a, 0, 0, -a, 0, 0, 0, a, 0, 0, -a};
    static const uint32_t t[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                   2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    mote_MeshDef def = mote_mesh_def();
    def.vertices = v, def.vertex_count = 6, def.triangles = t, def.triangle_count = 8;
    mote_Mesh *mesh;
    mote_Error error;
    SETUP_OK(mote_mesh_create(&def, &mesh, &error), error);
    return mesh;
}

static void inertia_of_shapes(void)
{
    const double pi = 3.14159265358979323846;
    mote_SphereShape sphere = {(mote_real)0.5};
    mote_BodyState s = made("sphere", &sphere);
    check_inertia(&s, pi / 6, 0.1, 0.1, 0.1);
    mote_BoxShape box = {{1, 2, 3}};
    s = made("box", &box);
    check_inertia(&s, 6, 5 / 12.0, 10 / 12.0, 13 / 12.0);
    mote_CylinderShape cylinder = {(mote_real)0.5, 2};
    s = made("cylinder", &cylinder);
    check_inertia(&s, pi * 0.5, 0.125, 0.25 / 4 + 4 / 12.0, 0.25 / 4 + 4 / 12.0);
    mote_Mesh *mesh = octahedron(1.5); /* integral of x^2 over it: V a^2 / 10 */
    mote_ConvexShape convex = {mesh};
    mote_MeshShape any = {mesh, MOTE_INSIDE_CLOSED};
    s = made("convex", &convex);
    check_inertia(&s, 4.5, 0.45, 0.45, 0.45);
    s = made("mesh", &any);
    check_inertia(&s, 4.5, 0.45, 0.45, 0.45);
    mote_mesh_release(mesh);
}

/* A dumbbell across the axes: two spheres at +-c, by parallel axes. */
static void inertia_of_compounds(void)
{
    mote_SphereShape ball = {(mote_real)0.5};
    const double c[3] = {0.6, 0.8, 1.2}, c2 = 0.36 + 0.64 + 1.44;
    mote_ShapeDef parts[2] = {{"sphere", &ball, mote_pose_def()},
                              {"sphere", &ball, mote_pose_def()}};
    parts[0].pose.position = setup_vec(c[0], c[1], c[2]);
    parts[1].pose.position = setup_vec(-c[0], -c[1], -c[2]);
    mote_Shapes *shapes;
    mote_Error error;
    SETUP_OK(mote_shapes_create(parts, 2, (mote_Allocator){0}, &shapes, &error), error);
    mote_CompoundShape compound = {shapes};
    mote_BodyState s = made("compound", &compound);
    check_inertia(&s, 3.14159265358979323846 / 3, 0.1, 0.1 + c2, 0.1 + c2);
    CHECK_NEAR(s.centre[0], 1, 1e-6);
    mote_shapes_release(shapes);
}

/* ---- free rotation ---- */

static double energy_of(DQuat q, D3 angular, D3 inertia)
{
    D3 own = dquat_rotate_back(q, angular);
    return 0.5 *
           (own.x * own.x / inertia.x + own.y * own.y / inertia.y + own.z * own.z / inertia.z);
}

static void energy_is_bounded_and_second_order(void)
{
    const D3 inertia = d3(1, 2, 3), angular = d3(0.3, 2.1, -0.4);
    double worst[2] = {0, 0};
    for (int n = 0; n < 2; ++n) {
        double h = n == 0 ? 0.02 : 0.01;
        DQuat q = dquat_unit((DQuat){0.1, -0.2, 0.3, 1});
        double start = energy_of(q, angular, inertia);
        for (int i = 0; i < 20000 << n; ++i) {
            q = body_turned(q, angular, inertia, h);
            worst[n] = fmax(worst[n], fabs(energy_of(q, angular, inertia) / start - 1));
        }
    }
    CHECK(worst[0] < 1e-4);
    CHECK_NEAR(worst[0] / worst[1], 4, 0.4);
}

/* A symmetric top is turned exactly, in one step as in a thousand. */
static void tops_are_exact(void)
{
    const D3 inertia = d3(2, 2, 0.7), angular = d3(1, -2, 3);
    DQuat q = dquat_unit((DQuat){0.3, 0.1, -0.2, 0.9}), many = q;
    for (int i = 0; i < 1000; ++i) many = body_turned(many, angular, inertia, 0.002);
    DQuat once = body_turned(q, angular, inertia, 2);
    CHECK_NEAR(fabs(many.x * once.x + many.y * once.y + many.z * once.z + many.w * once.w), 1,
               1e-13);
}

/* Complete elliptic integral of the first kind, of the parameter m, by the arithmetic-geometric
 * mean. */
static double elliptic_k(double m)
{
    double a = 1, b = sqrt(1 - m);
    for (int i = 0; i < 30; ++i) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b), a = mean;
    }
    return 3.14159265358979323846 / (2 * a);
}

/* Spin about the middle axis turns over; the period of Euler's equations is 4 K(m) / rate (Landau
 * and Lifshitz, Mechanics, 37). */
static void middle_axis_flips_in_time(void)
{
    const double i1 = 1, i2 = 2, i3 = 3, h = 0.001;
    D3 omega = d3(0.05, 2, 0.02), own = d3(i1 * omega.x, i2 * omega.y, i3 * omega.z);
    double e2 = own.x * omega.x + own.y * omega.y + own.z * omega.z, l2 = d3_dot(own, own);
    double rate, m;
    if (l2 > e2 * i2) {
        rate = sqrt((i3 - i2) * (l2 - e2 * i1) / (i1 * i2 * i3));
        m = (i2 - i1) * (e2 * i3 - l2) / ((i3 - i2) * (l2 - e2 * i1));
    } else {
        rate = sqrt((i1 - i2) * (l2 - e2 * i3) / (i1 * i2 * i3));
        m = (i2 - i3) * (e2 * i1 - l2) / ((i1 - i2) * (l2 - e2 * i3));
    }
    double period = 4 * elliptic_k(m) / rate, last = 0, first = 0, before = omega.y;
    DQuat q = dquat_identity();
    int flips = 0;
    for (int i = 1; i <= 200000 && flips < 5; ++i) {
        q = body_turned(q, own, d3(i1, i2, i3), h);
        double now = dquat_rotate_back(q, own).y / i2;
        if (now * before < 0) {
            double t = h * (i - now / (now - before));
            first = flips == 0 ? t : first;
            last = t;
            ++flips;
        }
        before = now;
    }
    CHECK(flips == 5);
    CHECK_NEAR((last - first) / (2 * period), 1, 1e-4);
}

static void angular_momentum_is_kept_exactly(void)
{
    mote_World *world = rigid_world(0.01, 0);
    mote_BoxShape box = {{1, 2, 3}};
    mote_BodyDef def = rigid_def("body", "box", &box, setup_vec(0, 0, 0));
    def.motion.spin = setup_vec(5, 300, 4);
    rigid_add(world, &def);
    mote_BodyState before = rigid_state(world, "body");
    rigid_run(world, 500);
    mote_BodyState after = rigid_state(world, "body");
    CHECK(memcmp(before.angular, after.angular, sizeof after.angular) == 0);
    CHECK(fabs(after.orientation[3]) < 0.999);
    CHECK_NEAR(after.kinetic / before.kinetic, 1, 1e-4);
    mote_world_destroy(world);
}

/* ---- falling and floating ---- */

static void falls_on_a_parabola(void)
{
    mote_World *world = rigid_world(0.02, G);
    mote_BodyDef def = rigid_def("body", "box", NULL, setup_vec(0, 100, 0));
    def.motion.velocity = setup_vec(3, 4, 0);
    rigid_add(world, &def);
    def.name = "balloon", def.gravity = false, def.motion.at.z = 5;
    rigid_add(world, &def);
    rigid_run(world, 100);
    mote_BodyState s = rigid_state(world, "body"), b = rigid_state(world, "balloon");
    CHECK_NEAR(s.centre[0], 6, 1e-6);
    CHECK_NEAR(s.centre[1], 100 + 8 - 0.5 * G * 4, 1e-5);
    CHECK_NEAR(b.centre[1], 108, 1e-5);
    mote_world_destroy(world);
}

static void add_layers(mote_World *world, double below, double above, double level)
{
    mote_LayersField field = mote_layers_field_def();
    mote_FieldDef def = mote_field_def();
    def.name = "fluid", def.type = "layers", def.params = &field;
    mote_Error error;
    field.below = (mote_real)below, field.above = (mote_real)above;
    field.level = (mote_real)level;
    SETUP_OK(mote_world_add_field(world, &def, &error), error);
}

/* The acceleration of a sphere of density 500 at the origin. */
static double buoyant_acceleration(double below, double above, double level)
{
    mote_World *world = rigid_world(0.001, G);
    mote_SphereShape ball = {(mote_real)0.5};
    mote_BodyDef def = rigid_def("body", "sphere", &ball, setup_vec(0, 0, 0));
    add_layers(world, below, above, level);
    def.density = 500, def.buoyancy = "fluid";
    rigid_add(world, &def);
    rigid_run(world, 1);
    mote_BodyState s = rigid_state(world, "body");
    CHECK(rigid_length(s.spin) < 1e-9);
    mote_world_destroy(world);
    return s.velocity[1] / 0.001;
}

static void archimedes(void)
{
    CHECK_NEAR(buoyant_acceleration(800, 800, 0) / (G * (800 - 500.0) / 500), 1, 1e-6);
    CHECK_NEAR(buoyant_acceleration(500, 500, 0), 0, 1e-6);
    CHECK_NEAR(buoyant_acceleration(1000, 0, 0), 0, 1e-6); /* half in each */
    /* a cap of height 0.25 below the level: V (3 r - h) h^2 pi / 3 */
    double cap = 3.14159265358979323846 * 0.0625 * 1.25 / 3, ball = 3.14159265358979323846 / 6;
    CHECK_NEAR(buoyant_acceleration(1000, 0, -0.25) / G, 2 * cap / ball - 1, 0.03);
}

/* A plank on edge that is heavier than half of the fluid lies down. */
static void a_plank_turns_in_layers(void)
{
    mote_World *world = rigid_world(0.01, G);
    mote_BoxShape box = {{(mote_real)0.2, 1, (mote_real)0.5}};
    mote_BodyDef def = rigid_def("plank", "box", &box, setup_vec(0, 0, 0));
    add_layers(world, 1000, 0, 0);
    def.density = 500, def.buoyancy = "fluid", def.motion.rotate.z = 20;
    rigid_add(world, &def);
    double most = 0;
    for (int i = 0; i < 300; ++i) {
        rigid_run(world, 1);
        most = fmax(most, fabs(rigid_state(world, "plank").orientation[2]));
    }
    CHECK(most > 0.6); /* the sine of half of 90 degrees: it lay, and swings on */
    CHECK(fabs(rigid_state(world, "plank").centre[1]) < 0.3);
    mote_world_destroy(world);
}

/* ---- prescribed motion ---- */

static mote_Status circle(void *context, double t, mote_Motion *motion, mote_Error *error)
{
    (void)context, (void)error;
    motion->at = setup_vec(cos(t), sin(t), 0);
    return MOTE_OK;
}

static void follows_its_motion(void)
{
    mote_World *world = rigid_world(0.01, G);
    mote_BodyDef def = rigid_def("lift", "box", NULL, setup_vec(0, 0, 0));
    def.free = false;
    def.motion.velocity = setup_vec(0, 1, 0), def.motion.spin = setup_vec(0, 0, 90);
    rigid_add(world, &def);
    def = rigid_def("moon", "box", NULL, setup_vec(5, 0, 0));
    def.free = false, def.path = circle;
    rigid_add(world, &def);
    rigid_run(world, 100);
    mote_BodyState lift = rigid_state(world, "lift"), moon = rigid_state(world, "moon");
    CHECK_NEAR(lift.position[1], 1, 1e-6);
    CHECK_NEAR(lift.orientation[2], sin(3.14159265358979323846 / 4), 1e-6);
    CHECK_NEAR(lift.spin[2], 3.14159265358979323846 / 2, 1e-5);
    CHECK_NEAR(moon.position[0], cos(1.0), 1e-6);
    CHECK_NEAR(rigid_length(moon.velocity), 1, 1e-4);
    mote_world_destroy(world);
}

/* ---- particles ---- */

/* Particles that hit a body off its centre: both together keep momentum and angular momentum. */
static void particles_push_bodies(void)
{
    mote_World *world = rigid_world(0.01, 0);
    mote_System *shots = setup_system(world, "shots", NULL, NULL);
    mote_BodyDef def = rigid_def("block", "box", NULL, setup_vec(0, 0, 0));
    def.mass = 50;
    rigid_add(world, &def);
    for (int i = 0; i < 40; ++i) {
        size_t row =
            setup_particle(shots, setup_vec(-1.5 - 0.05 * i, 0.3, 0.01 * i), setup_vec(4, 0, 0));
        setup_reals(shots, "mass", 0)[row] = (mote_real)0.1;
        setup_reals(shots, "radius", 0)[row] = (mote_real)0.02;
    }
    rigid_run(world, 150);
    mote_BodyState s = rigid_state(world, "block");
    double p[3] = {s.momentum[0], s.momentum[1], s.momentum[2]}, lz = s.angular[2];
    lz += s.centre[0] * s.momentum[1] - s.centre[1] * s.momentum[0];
    for (size_t i = 0; i < 40; ++i) {
        double v[3], x[3];
        for (int c = 0; c < 3; ++c) {
            v[c] = (double)setup_reals(shots, "velocity", c)[i] * (double)(mote_real)0.1;
            x[c] = (double)setup_reals(shots, "position", c)[i];
            p[c] += v[c];
        }
        lz += x[0] * v[1] - x[1] * v[0];
    }
    CHECK_NEAR(p[0], 16, 1e-5);
    CHECK_NEAR(p[1], 0, 1e-5);
    CHECK(s.momentum[0] > 8);
    CHECK(s.spin[2] < -0.1); /* hit above the centre */
    CHECK_NEAR(lz, -16 * 0.3, 0.05 * 4.8);
    mote_world_destroy(world);
}

static size_t add_bead(mote_System *beads, mote_Vec3 x, mote_Vec3 v, double mass)
{
    size_t row = setup_particle(beads, x, v);
    setup_reals(beads, "mass", 0)[row] = (mote_real)mass;
    setup_reals(beads, "radius", 0)[row] = (mote_real)0.02;
    return row;
}

/* A particle that is not light: the law of impact of two bodies. */
static void one_particle_is_an_impact_of_two(void)
{
    static const double es[] = {1, 0.5, 0};
    for (size_t i = 0; i < COUNT_OF(es); ++i) {
        const double m = 2, M = 3, v = 4, e = es[i];
        mote_World *world = rigid_world(0.01, 0);
        mote_System *shots = setup_system(world, "shots", NULL, NULL);
        mote_BodyDef def = rigid_def("block", "box", NULL, setup_vec(0, 0, 0));
        def.mass = M, def.restitution = (mote_real)e;
        rigid_add(world, &def);
        size_t row = add_bead(shots, setup_vec(-1.5, 0, 0), setup_vec(v, 0, 0), m);
        rigid_run(world, 60);
        double after = (double)setup_reals(shots, "velocity", 0)[row];
        CHECK_NEAR(after, v * (m - e * M) / (m + M), 1e-4);
        CHECK_NEAR(rigid_state(world, "block").velocity[0], v * m * (1 + e) / (m + M), 1e-4);
        mote_world_destroy(world);
    }
}

/* Beads that weigh ten times as much as the plate that falls on them, in the wedge between it and
 * the ground: nothing is thrown anywhere. */
static void a_light_plate_falls_on_heavy_beads(void)
{
    mote_World *world = rigid_world(0.01, G);
    mote_System *beads = setup_system(world, "beads", NULL, NULL);
    mote_BoxShape box = {{1, (mote_real)0.05, 1}};
    mote_BodyDef def = rigid_def("plate", "box", &box, setup_vec(0, 0.4, 0));
    uint64_t seed = 12;
    def.mass = 1, def.motion.rotate.z = 2;
    rigid_ground(world, 0, 0.3);
    rigid_add(world, &def);
    for (int i = 0; i < 200; ++i)
        add_bead(beads,
                 setup_vec(setup_uniform(&seed, -0.6, 0.6), 0.02 + 0.02 * (i % 4),
                           setup_uniform(&seed, -0.6, 0.6)),
                 setup_vec(0, 0, 0), 0.05);
    double fastest = 0, highest = 0;
    for (int i = 0; i < 200; ++i) {
        rigid_run(world, 1);
        mote_BodyState s = rigid_state(world, "plate");
        fastest = fmax(fastest, rigid_length(s.velocity));
        highest = fmax(highest, s.centre[1]);
    }
    CHECK(fastest < 5); /* it falls with 2.5; unshared, it is thrown with 28 */
    CHECK(highest < 1);
    CHECK(rigid_length(rigid_state(world, "plate").velocity) < 3);
    mote_world_destroy(world);
}

/* Plates of several weights and tilts come down on beads that cannot leave: no bead is thrown much
 * faster than a corner of the plate moves. (One used to leave with kilometres per second.) */
static void beads_under_a_plate_are_not_thrown(void)
{
    for (uint64_t seed = 20; seed < 25; ++seed) {
        enum { BEADS = 60 };
        mote_World *world = rigid_world(0.01, G);
        mote_System *beads = setup_system(world, "beads", NULL, NULL);
        mote_BoxShape box = {{1, (mote_real)0.05, 1}};
        mote_BodyDef def = rigid_def("plate", "box", &box, setup_vec(0, 0.4, 0));
        uint64_t state = seed;
        double fastest = 0;
        def.mass = seed % 2 == 0 ? 0.1 : 1, def.motion.rotate.z = (mote_real)(seed - 20) / 3;
        rigid_ground(world, 0, 0.15 * (double)(seed % 3));
        rigid_add(world, &def);
        for (int i = 0; i < BEADS; ++i) {
            double x = setup_uniform(&state, -0.6, 0.6), z = setup_uniform(&state, -0.6, 0.6);
            add_bead(beads, setup_vec(x, 0.02 + 0.02 * (i % 4), z), setup_vec(0, 0, 0), 0.05);
        }
        for (int i = 0; i < 100; ++i) {
            rigid_run(world, 1);
            for (size_t row = 0; row < BEADS; ++row) {
                double v[3];
                for (int c = 0; c < 3; ++c) v[c] = (double)setup_reals(beads, "velocity", c)[row];
                fastest = fmax(fastest, rigid_length(v));
            }
        }
        CHECK(fastest < 25);
        mote_world_destroy(world);
    }
}

/* ---- what is refused ---- */

static void refuse(const mote_BodyDef *def, const char *message)
{
    mote_World *world = rigid_world(0.01, G);
    mote_Error error = {0};
    CHECK(mote_world_add_body(world, def, &error) != MOTE_OK);
    CHECK_MESSAGE(error, message);
    rigid_box(world, "body", setup_vec(1, 1, 1), setup_vec(0, 0, 0)); /* the world goes on */
    rigid_run(world, 1);
    mote_world_destroy(world);
}

static void bad_bodies_are_refused(void)
{
    mote_BodyDef def = rigid_def("body", "box", NULL, setup_vec(0, 0, 0));
    def.density = 0;
    refuse(&def, "density (kg/m3) or mass (kg) above 0");
    def = rigid_def("body", "plane", NULL, setup_vec(0, 0, 0));
    refuse(&def, "no volume");
    mote_BoxShape endless = {{1, 0, 1}};
    def = rigid_def("body", "box", &endless, setup_vec(0, 0, 0));
    refuse(&def, "no volume");
    def = rigid_def("body", "box", NULL, setup_vec(0, 0, 0));
    def.path = circle;
    refuse(&def, "free: false");
    def = rigid_def("body", "box", NULL, setup_vec(0, 0, 0));
    def.temperature = -3;
    refuse(&def, "temperature");
    def = rigid_def("body", "box", NULL, setup_vec(0, 0, 0));
    def.buoyancy = "ocean";
    refuse(&def, "ocean");
    def = rigid_def("body", "brick", NULL, setup_vec(0, 0, 0));
    refuse(&def, "brick");
}

static void overlaps_at_the_start_are_refused(void)
{
    for (int with_ground = 0; with_ground < 2; ++with_ground) {
        mote_World *world = rigid_world(0.01, G);
        mote_Error error = {0};
        rigid_box(world, "a", setup_vec(1, 1, 1), setup_vec(0, 0.3 + 9 * !with_ground, 0));
        if (with_ground)
            rigid_ground(world, 0, 0.5);
        else
            rigid_box(world, "b", setup_vec(1, 1, 1), setup_vec(0.8, 9.5, 0));
        CHECK(mote_world_step(world, NULL, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, with_ground ? "0.2 m inside collider ground" : "inside body b");
        mote_world_destroy(world);
    }
}

TESTS({"inertia_of_shapes", inertia_of_shapes}, {"inertia_of_compounds", inertia_of_compounds},
      {"energy_is_bounded_and_second_order", energy_is_bounded_and_second_order},
      {"tops_are_exact", tops_are_exact}, {"middle_axis_flips_in_time", middle_axis_flips_in_time},
      {"angular_momentum_is_kept_exactly", angular_momentum_is_kept_exactly},
      {"falls_on_a_parabola", falls_on_a_parabola}, {"archimedes", archimedes},
      {"a_plank_turns_in_layers", a_plank_turns_in_layers},
      {"follows_its_motion", follows_its_motion}, {"particles_push_bodies", particles_push_bodies},
      {"one_particle_is_an_impact_of_two", one_particle_is_an_impact_of_two},
      {"a_light_plate_falls_on_heavy_beads", a_light_plate_falls_on_heavy_beads},
      {"beads_under_a_plate_are_not_thrown", beads_under_a_plate_are_not_thrown},
      {"bad_bodies_are_refused", bad_bodies_are_refused},
      {"overlaps_at_the_start_are_refused", overlaps_at_the_start_are_refused})
