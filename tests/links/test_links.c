/* Springs: forces, conservation, both forms, breaking, dying, pinning; and what is refused. */
#include "cloth.h"

#include "links/links.h"
#include "particles/system.h"

#include <stdlib.h>

static const double pi = 3.14159265358979324;

/* ---- conservation ---- */

enum { BALLS = 300, SPRINGS = 1500 };

static uint64_t first_ends[SPRINGS], second_ends[SPRINGS];

/* Random balls and springs: no run of links is longer than a few. */
static mote_World *tangle(const mote_WorldDef *like, const char *integrator, double damping)
{
    uint64_t seed = 7;
    mote_World *world = setup_world(like);
    mote_System *system = setup_system(world, "points", integrator, NULL);
    for (int i = 0; i < BALLS; ++i) {
        size_t row =
            setup_particle(system,
                           setup_vec(setup_uniform(&seed, -1, 1), setup_uniform(&seed, -1, 1),
                                     setup_uniform(&seed, -1, 1)),
                           setup_vec(setup_uniform(&seed, -1, 1), setup_uniform(&seed, -1, 1),
                                     setup_uniform(&seed, -1, 1)));
        setup_reals(system, "mass", 0)[row] = (mote_real)setup_uniform(&seed, 0.5, 2);
    }
    for (int i = 0; i < SPRINGS; ++i) {
        first_ends[i] = setup_bits(&seed) % BALLS;
        second_ends[i] = (first_ends[i] + 1 + setup_bits(&seed) % (BALLS - 1)) % BALLS;
    }
    mote_PairsPattern pairs = {.a = first_ends, .b = second_ends, .count = SPRINGS};
    mote_LinksDef def = setup_pairs(&pairs);
    def.stiffness = 40, def.damping = (mote_real)damping, def.rest = (mote_real)0.7;
    setup_links(world, &def);
    return world;
}

typedef struct Momenta {
    double linear[3], angular[3], size;
} Momenta;

static Momenta momenta_of(const mote_System *system)
{
    Momenta sum = {{0}, {0}, 0};
    for (size_t i = 0; i < mote_system_count(system); ++i) {
        double m = setup_at(system, "mass", 0, i), x[3], p[3];
        for (int c = 0; c < 3; ++c) {
            x[c] = setup_at(system, "position", c, i);
            p[c] = m * setup_at(system, "velocity", c, i);
            sum.linear[c] += p[c];
            sum.size += fabs(p[c]);
        }
        for (int c = 0; c < 3; ++c)
            sum.angular[c] += x[(c + 1) % 3] * p[(c + 2) % 3] - x[(c + 2) % 3] * p[(c + 1) % 3];
    }
    return sum;
}

/* Springs and their damping pull along the line between the ends, with opposite forces; one step
 * of symplectic Euler turns them into momenta before it moves anything. */
static void forces_and_torques_cancel(void)
{
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = tangle(&def, "symplectic-euler", 3);
    mote_System *system = mote_world_system(world, "points");
    double before[3][BALLS], speed[3][BALLS];
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < BALLS; ++i) {
            before[c][i] = setup_at(system, "position", c, i);
            speed[c][i] = setup_at(system, "velocity", c, i);
        }
    Momenta first = momenta_of(system);
    setup_step(world);
    double changed = 0;
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < BALLS; ++i) {
            changed += fabs(setup_at(system, "velocity", c, i) - speed[c][i]);
            setup_reals(system, "position", c)[i] = (mote_real)before[c][i];
        }
    Momenta then = momenta_of(system);
    double noise = (sizeof(mote_real) == 4 ? 1e-7 : 2e-16) * then.size;
    CHECK(changed > 20);
    for (int c = 0; c < 3; ++c) {
        CHECK_NEAR(then.linear[c], first.linear[c], 4 * noise);
        CHECK_NEAR(then.angular[c], first.angular[c], 4 * noise);
    }
    mote_world_destroy(world);
}

/* Leapfrog keeps the energy of springs, and the step report counts them in. */
static void energy_is_kept(void)
{
    mote_WorldDef def = setup_def(0.001);
    mote_World *world = tangle(&def, "leapfrog", 0);
    mote_StepReport first = setup_step(world), last = first;
    for (int i = 0; i < 300; ++i) last = setup_step(world);
    CHECK(first.potential > 100);
    CHECK_NEAR(last.kinetic + last.potential, first.kinetic + first.potential,
               2e-4 * first.potential);
    CHECK(fabs(last.potential - first.potential) > 0.05 * first.potential);
    mote_world_destroy(world);
}

/* ---- one spring ---- */

/* Masses 1 and 1: reduced mass 1/2, so the distance swings with sqrt(2 k). */
static void frequency(void)
{
    mote_LinksDef like = mote_links_def();
    like.stiffness = 50, like.rest = 1;
    double period = 2 * pi / sqrt(2.0 * 50), dt = period / 400;
    mote_World *world = setup_dumbbell(dt, "leapfrog", 1.2, &like);
    mote_System *system = mote_world_system(world, "points");
    for (int i = 0; i < 200; ++i) setup_step(world);
    CHECK_NEAR(setup_at(system, "position", 0, 1) - setup_at(system, "position", 0, 0), 0.8, 1e-4);
    for (int i = 0; i < 200; ++i) setup_step(world);
    CHECK_NEAR(setup_at(system, "position", 0, 1) - setup_at(system, "position", 0, 0), 1.2, 2e-4);
    mote_world_destroy(world);
}

/* k of the strain form is r times that of the linear form, and so is its damping. */
static void both_forms(void)
{
    mote_LinksDef linear = mote_links_def(), strain = linear;
    const mote_real r = (mote_real)0.25;
    linear.stiffness = 80, linear.damping = 2, linear.rest = r;
    strain.stiffness = 80 * r, strain.damping = 2 * r, strain.rest = r;
    strain.form = MOTE_LINKS_STRAIN;
    mote_World *a = setup_dumbbell(0.01, "rk4", 0.4, &linear);
    mote_World *b = setup_dumbbell(0.01, "rk4", 0.4, &strain);
    for (int i = 0; i < 50; ++i) setup_step(a), setup_step(b);
    CHECK_NEAR(setup_at(mote_world_system(a, "points"), "position", 0, 1),
               setup_at(mote_world_system(b, "points"), "position", 0, 1), 1e-6);
    mote_world_destroy(a);
    mote_world_destroy(b);
}

/* c along the spring only: the distance follows x'' + 2 c x' + 2 k (x - r) = 0. */
static void damping_along_the_spring(void)
{
    mote_LinksDef like = mote_links_def();
    like.stiffness = 50, like.damping = 1, like.rest = 1;
    double dt = 0.002, w = sqrt(100.0 - 1), t = 0.3;
    mote_World *world = setup_dumbbell(dt, "rk4", 1.2, &like);
    mote_System *system = mote_world_system(world, "points");
    setup_reals(system, "velocity", 1)[0] = setup_reals(system, "velocity", 1)[1] = 3;
    for (int i = 0; i < 150; ++i) setup_step(world);
    double gap = setup_at(system, "position", 0, 1) - setup_at(system, "position", 0, 0);
    CHECK_NEAR(gap, 1 + 0.2 * exp(-t) * (cos(w * t) + sin(w * t) / w), 2e-5);
    CHECK_NEAR(setup_at(system, "velocity", 1, 0), 3, 1e-5);
    mote_world_destroy(world);
}

/* Without a rest length the ends pass through each other, as an oscillator; at the same place
 * they feel nothing. */
static void no_rest_length(void)
{
    mote_LinksDef like = mote_links_def();
    like.stiffness = 50, like.rest = 0;
    double period = 2 * pi / sqrt(2.0 * 50);
    mote_World *world = setup_dumbbell(period / 400, "leapfrog", 0.5, &like);
    mote_System *system = mote_world_system(world, "points");
    for (int i = 0; i < 200; ++i) setup_step(world);
    CHECK_NEAR(setup_at(system, "position", 0, 1) - setup_at(system, "position", 0, 0), -0.5, 1e-3);
    mote_world_destroy(world);
    for (int rest = 0; rest < 2; ++rest) {
        like.rest = (mote_real)rest;
        world = setup_dumbbell(0.01, "leapfrog", 0, &like);
        system = mote_world_system(world, "points");
        for (int i = 0; i < 5; ++i) setup_step(world);
        for (size_t i = 0; i < 2; ++i) CHECK(setup_at(system, "position", 0, i) == 0);
        mote_world_destroy(world);
    }
}

/* ---- energies and their gradients, and derivatives of forces ---- */

static double kernel_energy(const Links *links, const mote_System *system)
{
    const mote_real none[3] = {0, 0, 0};
    LinkView view = links_view(links, system, none);
    double sum = 0;
    for (size_t block = 0; block < system_blocks(system); ++block) {
        size_t count;
        const LinkSegment *segments = links_first_ends(links, block, &count);
        sum += link_kernels(ISA_V1)->energy(&view, segments, count);
    }
    return sum;
}

static void kernel_force(const Links *links, const mote_System *system, mote_real *const f[3])
{
    const mote_real none[3] = {0, 0, 0};
    LinkView view = links_view(links, system, none);
    for (int c = 0; c < 3; ++c) memset(f[c], 0, BALLS * sizeof(mote_real));
    for (size_t block = 0; block < system_blocks(system); ++block) {
        size_t count, first = block * BLOCK_ROWS;
        const LinkSegment *segments = links_segments(links, block, &count);
        mote_real *here[3] = {f[0] + first, f[1] + first, f[2] + first};
        link_kernels(ISA_V1)->pull(&view, segments, count, first, here);
    }
}

typedef struct Tangle {
    mote_World *world;
    mote_System *system;
    Links links;
    mote_LinksDef def;
} Tangle;

/* The same springs once more, outside the world, for their kernels. */
static void tangle_links(Tangle *t, const mote_WorldDef *like)
{
    mote_Error error;
    t->world = tangle(like, "leapfrog", 0);
    t->system = mote_world_system(t->world, "points");
    t->def = mote_links_def();
    t->def.stiffness = 40, t->def.rest = (mote_real)0.7;
    t->links = (Links){.object = {.name = (char *)(uintptr_t) "again", .params = &t->def}};
    mote_PairsPattern pairs = {.a = first_ends, .b = second_ends, .count = SPRINGS};
    SETUP_OK(links_lay(&t->links, t->system, &pattern_pairs, &pairs, &error), error);
    CHECK(links_refresh(&t->links, t->system));
}

static void tangle_free(Tangle *t)
{
    links_release(&t->links);
    mote_world_destroy(t->world);
}

static void force_is_minus_the_gradient(void)
{
    static mote_real planes[3][BALLS];
    mote_real *f[3] = {planes[0], planes[1], planes[2]};
    mote_WorldDef like = setup_def(0.01);
    Tangle t;
    tangle_links(&t, &like);
    kernel_force(&t.links, t.system, f);
    double step = sizeof(mote_real) == 4 ? 1e-3 : 1e-6;
    double tolerance = sizeof(mote_real) == 4 ? 0.4 : 1e-5;
    for (size_t i = 0; i < BALLS; i += 17)
        for (int c = 0; c < 3; ++c) {
            mote_real *x = &setup_reals(t.system, "position", c)[i], was = *x;
            *x = was + (mote_real)step;
            double up = kernel_energy(&t.links, t.system);
            *x = was - (mote_real)step;
            double down = kernel_energy(&t.links, t.system);
            *x = was;
            CHECK_NEAR(planes[c][i], -(up - down) / (2 * step), tolerance);
        }
    tangle_free(&t);
}

/* The product with the derivative against differences of the forces, for springs that are
 * stretched (where nothing is clamped); and it is symmetric and positive for all. */
static void derivative_of_the_forces(void)
{
    static mote_real p_[3][BALLS], q_[3][BALLS], up_[3][BALLS], down_[3][BALLS];
    mote_real *p[3] = {p_[0], p_[1], p_[2]}, *q[3] = {q_[0], q_[1], q_[2]};
    mote_real *up[3] = {up_[0], up_[1], up_[2]}, *down[3] = {down_[0], down_[1], down_[2]};
    mote_WorldDef like = setup_def(0.01);
    const mote_real none[3] = {0, 0, 0}, by[2] = {1, 0};
    const LinkKernels *kernels = link_kernels(ISA_V1);
    uint64_t seed = 3;
    Tangle t;
    tangle_links(&t, &like);
    CHECK(links_reserve_derivative(&t.links));
    mote_real *derivative[4];
    for (size_t i = 0; i < 4; ++i) derivative[i] = t.links.derivative + i * SPRINGS;
    LinkView view = links_view(&t.links, t.system, none);
    for (int c = 0; c < 3; ++c)
        for (int i = 0; i < BALLS; ++i) p_[c][i] = (mote_real)setup_uniform(&seed, -1, 1);
    double step = sizeof(mote_real) == 4 ? 1e-3 : 1e-6, work = 0;
    for (int c = 0; c < 3; ++c) memset(q_[c], 0, sizeof q_[c]);
    for (size_t block = 0; block < system_blocks(t.system); ++block) {
        size_t count;
        const LinkSegment *segments = links_first_ends(&t.links, block, &count);
        kernels->linearise(&view, by, segments, count, derivative);
    }
    for (size_t block = 0; block < system_blocks(t.system); ++block) {
        size_t count, first = block * BLOCK_ROWS;
        const LinkSegment *segments = links_segments(&t.links, block, &count);
        mote_real *here[3] = {q[0] + first, q[1] + first, q[2] + first};
        kernels->times(derivative, segments, count, first, p, here);
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int c = 0; c < 3; ++c)
            for (int i = 0; i < BALLS; ++i)
                setup_reals(t.system, "position", c)[i] += (mote_real)(step * sign) * p_[c][i];
        kernel_force(&t.links, t.system, sign > 0 ? up : down);
        for (int c = 0; c < 3; ++c)
            for (int i = 0; i < BALLS; ++i)
                setup_reals(t.system, "position", c)[i] -= (mote_real)(step * sign) * p_[c][i];
    }
    for (int i = 0; i < BALLS; ++i)
        for (int c = 0; c < 3; ++c) {
            double slope = -((double)up_[c][i] - (double)down_[c][i]) / (2 * step);
            work += (double)(p_[c][i] * q_[c][i]);
            CHECK_NEAR(q_[c][i], slope, sizeof(mote_real) == 4 ? 1.5 : 1e-4);
        }
    CHECK(work > 0);
    tangle_free(&t);
}

/* ---- breaking and dying ---- */

static void links_break(void)
{
    mote_LinksDef like = mote_links_def();
    like.stiffness = 50, like.rest = 1, like.breaking = (mote_real)0.5;
    mote_World *world = setup_dumbbell(0.01, "leapfrog", 1.2, &like);
    mote_System *system = mote_world_system(world, "points");
    mote_StepReport report = setup_step(world);
    size_t count;
    CHECK(report.links_broken == 0 && mote_world_frame(world)->meshes[0].link_count == 1);
    setup_reals(system, "position", 0)[1] = 2;
    report = setup_step(world);
    const mote_Event *events = mote_world_events(world, &count);
    CHECK(report.links_broken == 1 && count == 1 && events[0].kind == MOTE_EVENT_LINK_BROKEN);
    CHECK(events[0].id == 0 && events[0].other == 1 && events[0].system == 0);
    CHECK(mote_world_frame(world)->meshes[0].link_count == 0);
    double v = setup_at(system, "velocity", 0, 1);
    for (int i = 0; i < 10; ++i) report = setup_step(world);
    CHECK(report.links_broken == 0 && setup_at(system, "velocity", 0, 1) == v);
    CHECK(report.potential == 0);
    mote_world_destroy(world);
}

/* A sheet of 4 x 4: when a corner dies, its links and triangles go, the rest stays linked. */
static void links_die_with_their_ends(void)
{
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "cloth", NULL, NULL);
    mote_SheetPattern sheet = mote_sheet_pattern_def();
    mote_LinksDef links = mote_links_def();
    sheet.columns = sheet.rows = 4, sheet.pin = 0;
    links.system = "cloth", links.pattern = "sheet", links.pattern_params = &sheet;
    setup_links(world, &links);
    const mote_Frame *frame = mote_world_frame(world);
    /* 24 along rows and columns, 18 across cells, 16 bending */
    CHECK(frame->meshes[0].link_count == 58 && frame->meshes[0].triangle_count == 18);
    CHECK(strcmp(frame->meshes[0].name, "sheet-0") == 0);
    setup_reals(system, "lifetime", 0)[0] = (mote_real)0.001;
    mote_system_edited(system);
    setup_step(world);
    frame = mote_world_frame(world);
    CHECK(frame->systems[0].count == 15);
    CHECK(frame->meshes[0].link_count == 53 && frame->meshes[0].triangle_count == 16);
    for (size_t i = 0; i < 2 * frame->meshes[0].link_count; ++i)
        CHECK(frame->meshes[0].links[i] >= 1 && frame->meshes[0].links[i] < 16);
    /* at rest they stay, moved apart they come back */
    setup_reals(system, "position", 0)[14] += (mote_real)0.1;
    setup_step(world);
    CHECK(setup_at(system, "velocity", 0, 14) < -0.1);
    mote_world_destroy(world);
}

/* ---- rows that move ---- */

/* Sorting rows changes nothing but their order: bits follow the ids. */
static void sorting_changes_no_bits(void)
{
    mote_WorldDef def = setup_def(0.01);
    Memory memory = memory_make(mote_default_allocator());
    mote_World *worlds[2];
    static uint32_t order[BALLS];
    for (uint32_t i = 0; i < BALLS; ++i) order[i] = i * 7 % BALLS;
    CHECK(BALLS % 7 != 0);
    for (int w = 0; w < 2; ++w) {
        worlds[w] = tangle(&def, "leapfrog", 1);
        for (int i = 0; i < 6; ++i) {
            Arena arena = arena_make(&memory);
            mote_System *system = mote_world_system(worlds[w], "points");
            if (w == 1 && i == 3) CHECK(system_reorder(system, order, &arena, NULL));
            arena_free(&arena);
            setup_step(worlds[w]);
        }
    }
    mote_System *plain = mote_world_system(worlds[0], "points");
    mote_System *sorted = mote_world_system(worlds[1], "points");
    size_t moved = 0;
    for (uint64_t id = 0; id < BALLS; ++id) {
        size_t a = mote_system_find(plain, id), b = mote_system_find(sorted, id);
        moved += a != b;
        for (int c = 0; c < 3; ++c)
            CHECK(setup_at(plain, "position", c, a) == setup_at(sorted, "position", c, b));
    }
    CHECK(moved > BALLS / 2);
    for (int w = 0; w < 2; ++w) mote_world_destroy(worlds[w]);
}

/* ---- anchors ---- */

static void anchors(void)
{
    mote_WorldDef def = mote_world_def();
    def.fps = 50, def.max_step = 0.005;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "rope", NULL, NULL);
    mote_ChainPattern chain = mote_chain_pattern_def();
    mote_LinksDef links = mote_links_def();
    chain.segments = 10, chain.pin = 3;
    links.name = "rope", links.system = "rope", links.pattern_params = &chain;
    links.damping = 1, links.stiffness = 500;
    setup_links(world, &links);
    setup_plane(world, setup_vec(0, 1, 0), 0.5, 0.3);
    setup_reals(system, "position", 1)[10] = -1; /* pinned below the ground: it stays there */
    for (int i = 0; i < 20; ++i) setup_step(world);
    CHECK(setup_at(system, "position", 1, 0) == 1 && setup_at(system, "position", 0, 0) == 0);
    CHECK(setup_at(system, "position", 1, 10) == -1 && setup_at(system, "position", 0, 10) == 1);
    CHECK(setup_at(system, "position", 1, 5) < 0.9);
    mote_LinksDef *live = mote_world_find(world, MOTE_KIND_LINKS, "rope");
    live->anchor = setup_vec(0.25, 0.5, 0);
    setup_step(world);
    CHECK_NEAR(setup_at(system, "position", 0, 0), 0.25, 1e-6);
    CHECK_NEAR(setup_at(system, "position", 1, 0), 1.5, 1e-6);
    for (int i = 0; i < 5; ++i) setup_step(world);
    CHECK_NEAR(setup_at(system, "position", 1, 0), 1.5, 1e-6);
    CHECK_NEAR(setup_at(system, "position", 1, 10), -0.5, 1e-6);
    CHECK(setup_at(system, "velocity", 1, 0) == 0);
    mote_world_destroy(world);
}

/* ---- periodic worlds ---- */

/* A spring across the border of the box is as long as the way around. */
static void periodic_links(void)
{
    mote_WorldDef def = setup_def(0.01);
    static const uint64_t a = 0, b = 1;
    def.periodic_x = true;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "points", NULL, NULL);
    setup_particle(system, setup_vec(-0.9, 0, 0), setup_vec(0, 0, 0));
    setup_particle(system, setup_vec(0.9, 0, 0), setup_vec(0, 0, 0));
    mote_real rest = (mote_real)0.1;
    mote_PairsPattern pairs = {.a = &a, .b = &b, .rest = &rest, .count = 1};
    mote_LinksDef links = setup_pairs(&pairs);
    links.stiffness = 10;
    setup_links(world, &links);
    setup_step(world);
    CHECK_NEAR(setup_at(system, "velocity", 0, 0), -10 * 0.1 * 0.01, 1e-6);
    CHECK_NEAR(setup_at(system, "velocity", 0, 1), 10 * 0.1 * 0.01, 1e-6);
    mote_world_destroy(world);
}

/* ---- wind ---- */

/* A flat sheet of 2 m x 1 m across a wind of 3 m/s at 60 degrees to its normal: air (u . n)^2 A
 * along the normal, whichever side it hits. */
static void wind_on_a_sheet(void)
{
    for (int side = -1; side <= 1; side += 2) {
        mote_WorldDef def = setup_def(0.001);
        def.energy_factor = 1e20;
        mote_World *world = setup_world(&def);
        mote_System *system = setup_system(world, "cloth", NULL, NULL);
        mote_UniformField blow = {.value = setup_vec(3 * sin(pi / 3), 0, side * 3 * 0.5)};
        mote_FieldDef field = mote_field_def();
        field.name = "blow", field.type = "uniform", field.params = &blow;
        mote_SheetPattern sheet = mote_sheet_pattern_def();
        mote_LinksDef links = mote_links_def();
        mote_Error error;
        SETUP_OK(mote_world_add_field(world, &field, &error), error);
        sheet.along = setup_vec(2, 0, 0), sheet.across = setup_vec(0, -1, 0);
        sheet.columns = 9, sheet.rows = 40, sheet.pin = 0, sheet.mass = 3;
        links.system = "cloth", links.pattern = "sheet", links.pattern_params = &sheet;
        links.air = (mote_real)0.6, links.wind = "blow", links.stiffness = 0;
        setup_links(world, &links);
        mote_StepReport report = setup_step(world);
        CHECK_NEAR(report.momentum[2], side * 0.6 * 1.5 * 1.5 * 2 * 0.001, 1e-8);
        CHECK_NEAR(report.momentum[0], 0, 1e-10);
        /* what moves with the wind feels none */
        for (size_t i = 0; i < mote_system_count(system); ++i) {
            setup_reals(system, "velocity", 0)[i] = blow.value.x;
            setup_reals(system, "velocity", 2)[i] = blow.value.z;
        }
        report = setup_step(world);
        CHECK_NEAR(report.momentum[2], 3 * (double)blow.value.z, 1e-5);
        mote_world_destroy(world);
    }
}

/* ---- what is refused ---- */

static void refused(void)
{
    mote_WorldDef world_def = setup_def(0.01);
    mote_World *world = setup_world(&world_def);
    mote_System *system = setup_system(world, "points", NULL, NULL);
    mote_Error error;
    setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    setup_particle(system, setup_vec(1, 0, 0), setup_vec(0, 0, 0));
    uint64_t a = 0, b = 7;
    uint8_t kind = 9;
    mote_real rest = -1;
    mote_PairsPattern pairs = {.a = &a, .b = &b, .count = 1};
    mote_LinksDef def = setup_pairs(&pairs);
    CHECK(mote_world_add_links(world, &def, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "links springs: link 0 joins particle 7, but system points has no such");
    b = 0;
    CHECK(mote_world_add_links(world, &def, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "to itself");
    b = 1, pairs.rest = &rest;
    CHECK(mote_world_add_links(world, &def, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "rest length 0 is -1 m");
    pairs.rest = NULL, pairs.kind = &kind;
    CHECK(mote_world_add_links(world, &def, &error) == MOTE_BAD_VALUE);
    pairs.kind = NULL, def.stiffness = -5;
    CHECK(mote_world_add_links(world, &def, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "stiffness is -5");
    def.stiffness = 5, def.form = MOTE_LINKS_STRAIN, def.rest = 0;
    CHECK(mote_world_add_links(world, &def, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "the strain form divides by");
    def.rest = 1, def.system = "pionts";
    CHECK(mote_world_add_links(world, &def, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "did you mean `points`?");
    def.system = NULL;
    CHECK(mote_world_add_links(world, &def, &error) == MOTE_BAD_VALUE);
    def.system = "points", def.pattern = "sheat";
    CHECK(mote_world_add_links(world, &def, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "did you mean `sheet`?");
    def.pattern = "pairs", def.wind = "breeze";
    CHECK(mote_world_add_links(world, &def, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "there is no field `breeze`");
    def.wind = NULL;
    CHECK_OK(mote_world_add_links(world, &def, &error), error);
    CHECK(mote_world_add_links(world, &def, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "of that name already");
    mote_SheetPattern huge = mote_sheet_pattern_def();
    huge.columns = huge.rows = 65536;
    def.name = NULL, def.pattern = "sheet", def.pattern_params = &huge;
    CHECK(mote_world_add_links(world, &def, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "too many particles");
    setup_step(world);
    mote_world_destroy(world);
}

TESTS({"forces_and_torques_cancel", forces_and_torques_cancel}, {"energy_is_kept", energy_is_kept},
      {"frequency", frequency}, {"both_forms", both_forms},
      {"damping_along_the_spring", damping_along_the_spring}, {"no_rest_length", no_rest_length},
      {"force_is_minus_the_gradient", force_is_minus_the_gradient},
      {"derivative_of_the_forces", derivative_of_the_forces}, {"links_break", links_break},
      {"links_die_with_their_ends", links_die_with_their_ends},
      {"sorting_changes_no_bits", sorting_changes_no_bits}, {"anchors", anchors},
      {"periodic_links", periodic_links}, {"wind_on_a_sheet", wind_on_a_sheet},
      {"refused", refused})
