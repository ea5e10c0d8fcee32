/* Bodies of panels in air without a vorton: they make their own. */
#include "world/air.h"

static Air make_empty_air(mote_Tasks *tasks, int coupling, double viscosity)
{
    return make_fine_air(tasks, coupling, viscosity, 120);
}

/* Mean force over some frames. */
static void force_over(Air *air, const char *name, int frames, double force[3])
{
    mote_ColliderLoad load;
    mote_Error error;
    force[0] = force[1] = force[2] = 0;
    for (int k = 0; k < frames; ++k) {
        setup_step(air->world);
        CHECK_OK(mote_world_collider_load(air->world, name, &load, &error), error);
        for (int c = 0; c < 3; ++c) force[c] += load.impulse[c] * 30 / frames;
    }
}

/* ---- plates ---- */

/* A square plate of 0.6 m towed with 1 m/s for three chords, in sub-steps of a frame or of parts of
 * it: the force over the last of them. */
static void tow_by(double incidence, int coupling, uint64_t panels, int parts, double force[3])
{
    Air air = make_fine_air(NULL, coupling, 0, panels);
    air.world->def.max_step = 1.01 / 30 / parts;
    add_collider(&air, "box", setup_vec(1, 0, 0), setup_vec(0, 0, incidence), setup_vec(0, 0, 0));
    force_over(&air, "body", 36, force);
    CHECK(incidence == 0 || air.vortons->count > 20); /* edge-on it may leave none */
    force_over(&air, "body", 18, force);
    mote_world_destroy(air.world);
}

static void tow(double incidence, int coupling, uint64_t panels, double force[3])
{
    tow_by(incidence, coupling, panels, 1, force);
}

/* By the impulse of what is shed and by the pressure on the panels lift is the same, and the
 * sub-step does not matter; it is that of
 * an attached square wing, 2 pi a A / (2 + sqrt(4 + A^2)) with A = 1 (Helmbold 1942), and, as flow
 * leaves the sides too, that of the vortices above them, at most pi sin^2 a cos a (Polhamus 1966).
 * Sanitizers see the same code in balls and in bits_stay. */
static void plates_lift_without_vortons(void)
{
    double impulse[3], pressure[3], finer[3], unit = 0.5 * 0.36, a = PI / 18;
    double attached = 2 * PI * a / (2 + sqrt(5)) * unit, vortices = PI * sin(a) * sin(a) * unit;
    if (TEST_SANITIZED) return;
    tow(10, 0, 120, impulse), tow(10, 2, 120, pressure), tow_by(10, 0, 120, 2, finer);
    CHECK_NEAR(finer[1] / impulse[1], 1, 0.02);
    CHECK(pressure[1] > attached && pressure[1] < 1.3 * (attached + vortices));
    CHECK_NEAR(impulse[1] / pressure[1], 1, 0.1);
    CHECK(impulse[0] < 0 && fabs(impulse[2]) < 0.02 * impulse[1]);
}

/* Face-on the coefficient of drag is that of plates, 1.1 to 1.2, by impulse and by pressure, whose
 * difference is that of the sub-step: two to a panel's side. */
static void plates_face_on_drag(void)
{
    double impulse[3], pressure[3], unit = 0.5 * 0.36;
    if (TEST_SANITIZED) return;
    tow_by(90, 0, 120, 2, impulse), tow_by(90, 2, 120, 2, pressure);
    CHECK_NEAR(-pressure[0] / unit, 1.15, 0.15);
    CHECK_NEAR(-impulse[0] / unit, 1.15, 0.15);
    CHECK_NEAR(impulse[0] / pressure[0], 1, 0.1);
    CHECK(fabs(impulse[1]) < 0.02 * -impulse[0]);
}

/* ---- wings ---- */

#define ASPECT 6.0
enum { CHORDWISE = 4, SPANWISE = 24, LATTICE = CHORDWISE * SPANWISE };

typedef struct Horseshoe {
    D3 a, b, at; /* ends of its bound line; where nothing goes through */
} Horseshoe;

static Horseshoe horseshoe(size_t k)
{
    const double x = (double)(k % CHORDWISE) / CHORDWISE, dx = 1.0 / CHORDWISE;
    const double dz = ASPECT / SPANWISE, z = (double)(k / CHORDWISE) * dz;
    return (Horseshoe){d3(x + dx / 4, 0, z), d3(x + dx / 4, 0, z + dz),
                       d3(x + 0.75 * dx, 0, z + dz / 2)};
}

/* Upward flow at a point of a horseshoe of circulation 1, its legs a hundred chords long. */
static double upward(const Horseshoe *h, D3 at)
{
    const D3 far = d3(100, 0, 0), a = d3_add(h->a, far), b = d3_add(h->b, far);
    return vortex_line(a, h->a, at).y + vortex_line(h->a, h->b, at).y + vortex_line(h->b, b, at).y;
}

static void eliminate(double a[LATTICE][LATTICE + 1])
{
    for (int k = 0; k < LATTICE; ++k)
        for (int i = 0; i < LATTICE; ++i) {
            double share = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = k; j <= LATTICE; ++j) a[i][j] -= share * a[k][j];
        }
}

/* The coefficient of lift over incidence of a flat wing in steady flow, by a vortex lattice (Katz
 * and Plotkin 2001, 12.1): flow of speed 1 along x that rises by 1, of a wing of chord 1. */
static double lattice_slope(void)
{
    static double a[LATTICE][LATTICE + 1];
    double sum = 0;
    for (size_t i = 0; i < LATTICE; ++i) {
        for (size_t j = 0; j < LATTICE; ++j) {
            const Horseshoe other = horseshoe(j);
            a[i][j] = upward(&other, horseshoe(i).at);
        }
        a[i][LATTICE] = -1;
    }
    eliminate(a);
    for (int k = 0; k < LATTICE; ++k) sum += a[k][LATTICE] / a[k][k];
    return fabs(2 * sum * ASPECT / SPANWISE / ASPECT);
}

/* The coefficient of lift of a wing of 0.6 m of chord at 5 degrees in its sixth chord's way. */
static double wing_lift(int coupling)
{
    mote_VortexSolver p = mote_vortex_solver_def();
    mote_ColliderDef def = mote_collider_def();
    mote_BoxShape box = mote_box_shape_def();
    mote_System *vortons;
    mote_Error error;
    p.boundary = 1, p.panels = 300, p.density = 1, p.coupling = coupling;
    Air air = {.world = make_vortons(&p, 0.05, &vortons)};
    box.size = setup_vec(0.6, 0.06, 0.6 * ASPECT);
    def.name = "wing", def.shape = "box", def.shape_params = &box, def.measure = true;
    def.motion.velocity = setup_vec(1, 0, 0), def.motion.rotate = setup_vec(0, 0, 5);
    SETUP_OK(mote_world_add_collider(air.world, &def, &error), error);
    double lift = 0;
    for (int k = 0; k < 72; ++k) {
        mote_ColliderLoad load;
        setup_step(air.world);
        CHECK_OK(mote_world_collider_load(air.world, "wing", &load, &error), error);
        if (k >= 60) lift += load.impulse[1] / 0.05 / 12;
    }
    mote_world_destroy(air.world);
    return lift / (0.5 * 0.36 * ASPECT);
}

/* A wing that was started has nearly its steady lift after six chords. */
static void wings_lift_as_lattices_do(void)
{
    const double a = PI / 36, slope = lattice_slope();
    CHECK_NEAR(slope / (2 * PI / (1 + 2 / ASPECT)), 0.95, 0.05);
    if (TEST_SANITIZED) return;
    const double impulse = wing_lift(0), pressure = wing_lift(2);
    CHECK_NEAR(pressure / (slope * a), 1, 0.1);
    CHECK_NEAR(impulse / (slope * a), 1, 0.1);
    CHECK_NEAR(impulse / pressure, 1, 0.1);
    CHECK_NEAR(impulse / (2 * PI * a / (1 + 2 / ASPECT)), 1, 0.15);
}

/* Lift has the sign of the incidence, is the same both ways and none without. MOTE_LONG: it is
 * three more plates. */
static void lift_is_symmetric(void)
{
    double up[3], down[3], flat[3];
    if (getenv("MOTE_LONG") == NULL) return;
    tow(10, 0, 120, up), tow(-10, 0, 120, down), tow(0, 0, 120, flat);
    CHECK_NEAR(-down[1] / up[1], 1, 0.02);
    CHECK(fabs(flat[1]) < 0.02 * up[1] && down[0] < 0);
}

/* ---- balls ---- */

static mote_Status speed_up(void *context, double t, mote_Motion *motion, mote_Error *error)
{
    (void)context, (void)error;
    motion->at = setup_vec(t * t / 2, 0, 0);
    return MOTE_OK;
}

/* A ball that gets faster by 1 m/s^2 is held back by half the mass of the air it displaces, by both
 * ways; at constant speed by nothing, where nothing is shed. */
static void balls_have_their_added_mass(void)
{
    for (int coupling = 0; coupling <= 2; coupling += 2) {
        mote_ColliderDef def = mote_collider_def();
        mote_SphereShape sphere = mote_sphere_shape_def();
        mote_Error error;
        double force[3], half = 0.5 * 4.18879020478639 * 0.027;
        Air air = make_empty_air(NULL, coupling, 0);
        sphere.radius = (mote_real)0.3;
        def.name = "body", def.shape = "sphere", def.shape_params = &sphere, def.measure = true;
        def.path = speed_up;
        SETUP_OK(mote_world_add_collider(air.world, &def, &error), error);
        force_over(&air, "body", 3, force);
        force_over(&air, "body", 10, force);
        CHECK_NEAR(-force[0] / half, 1, 0.02);
        mote_world_destroy(air.world);
        air = make_empty_air(NULL, coupling, 0);
        add_collider(&air, "sphere", setup_vec(1, 0, 0), setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        force_over(&air, "body", 10, force);
        CHECK_NEAR(force[0] / half, 0, 1e-3);
        CHECK(air.vortons->count == 0);
        mote_world_destroy(air.world);
    }
}

/* Around a ball the flow is 3/2 U sin of the angle from its way: 2 % with 320 panels, and along its
 * surface. */
static void flow_around_balls_is_known(void)
{
    Air air = make_fine_air(NULL, 0, 0, 320);
    add_collider(&air, "sphere", setup_vec(1, 0, 0), setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    for (int k = 0; k < 2; ++k) setup_step(air.world);
    const Sheet *sheet = &sheets_of(&air)->items[0];
    const Panels *p = &sheet->panels;
    double square = 0, area = 0;
    CHECK(p->count >= 280 && p->count <= 360);
    for (size_t i = 0; i < p->count; ++i) {
        const D3 n = p->panels[i].normal, slip = sheet_slip(sheet)[i];
        const double theory = 1.5 * sqrt(1 - n.x * n.x), off = d3_length(slip) - theory;
        CHECK_NEAR(d3_dot(slip, n), 0, 1e-4);
        square += p->panels[i].area * off * off, area += p->panels[i].area;
    }
    CHECK_NEAR(sqrt(square / area) / 1.5, 0, 0.02);
    mote_world_destroy(air.world);
}

static void add_named_ball(Air *air, const char *name, double z)
{
    mote_ColliderDef def = mote_collider_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    mote_Error error;
    sphere.radius = (mote_real)0.3;
    def.name = name, def.shape = "sphere", def.shape_params = &sphere, def.measure = true;
    def.motion.at = setup_vec(0, 0, z), def.motion.velocity = setup_vec(1, 0, 0);
    SETUP_OK(mote_world_add_collider(air->world, &def, &error), error);
}

/* Two balls side by side attract each other with 3 pi rho a^6 U^2 / d^4 (Lamb, Hydrodynamics, 138),
 * further terms of a / d being left out. */
static void balls_abreast_attract(void)
{
    for (int coupling = 0; coupling <= 2; coupling += 2) {
        double a[3], b[3], theory = 3 * PI * pow(0.3, 6) / pow(1.2, 4);
        Air air = make_empty_air(NULL, coupling, 0);
        add_named_ball(&air, "a", 0), add_named_ball(&air, "b", 1.2);
        force_over(&air, "a", 3, a);
        force_over(&air, "a", 3, a);
        force_over(&air, "b", 3, b);
        CHECK_NEAR(a[2] / theory, 1, 0.15);
        CHECK_NEAR(b[2] / -a[2], 1, 0.02);
        mote_world_destroy(air.world);
    }
}

/* ---- bits ---- */

/* Plates and balls that shed, by any number of threads, saved and loaded in every sub-step. */
static void bits_stay(void)
{
    mote_VortexSums first = {.energy = 0}, sums;
    for (int k = 0; k < 4; ++k) {
        mote_Tasks *tasks = setup_tasks(k == 2 ? 3 : 1);
        mote_Error error;
        Air air = make_empty_air(tasks, 0, 1e-3);
        air.world->def.reload_always = k == 3;
        add_collider(&air, "box", setup_vec(1, 0, 0), setup_vec(0, 0, 30), setup_vec(0, 0, 0));
        add_named_ball(&air, "other", 0.8);
        for (int frame = 0; frame < 8; ++frame) setup_step(air.world);
        CHECK_OK(mote_vortex_sums(air.vortons, 0, &sums, &error), error);
        if (k == 0) first = sums;
        CHECK(memcmp(&sums, &first, sizeof sums) == 0);
        mote_world_destroy(air.world);
        mote_tasks_destroy(tasks);
    }
    CHECK(first.enstrophy > 0);
}

TESTS({"plates_lift_without_vortons", plates_lift_without_vortons},
      {"plates_face_on_drag", plates_face_on_drag},
      {"wings_lift_as_lattices_do", wings_lift_as_lattices_do},
      {"lift_is_symmetric", lift_is_symmetric},
      {"flow_around_balls_is_known", flow_around_balls_is_known},
      {"balls_have_their_added_mass", balls_have_their_added_mass},
      {"balls_abreast_attract", balls_abreast_attract}, {"bits_stay", bits_stay})
