/* Panels of shapes: closed surfaces, no flow through them, added masses. */
#include "setup.h"

#include "base/memory.h"
#include "solvers/vortex/panels.h"

static Memory memory;

static Panels panels_of(const char *name, const void *params, size_t wanted)
{
    Panels panels;
    memory = memory_make((mote_Allocator){0});
    PosedShape shape = {shape_named(name), params, mote_pose_def()};
    CHECK(panels_make(&panels, &shape, wanted, &memory));
    return panels;
}

/* Circulations of a body that moves with u in still air; the impulse of the sheet over density. */
static D3 impulse_of(const Panels *p, D3 u, double *mu)
{
    D3 sum = d3(0, 0, 0);
    for (size_t i = 0; i < p->count; ++i) mu[i] = d3_dot(p->panels[i].normal, u);
    panels_solve(p, mu);
    for (size_t i = 0; i < p->count; ++i)
        sum = d3_madd(sum, mu[i] * p->panels[i].area, p->panels[i].normal);
    return sum;
}

/* The flow of all rings at the middle of panel i. */
static D3 flow_at(const Panels *p, const double *mu, size_t i)
{
    D3 u = d3(0, 0, 0);
    for (size_t j = 0; j < p->count; ++j)
        for (int k = 0; k < 4; ++k) {
            const uint32_t *at = p->panels[j].corner;
            if (at[k] == at[(k + 1) % 4]) continue;
            u = d3_madd(
                u, mu[j],
                vortex_line(p->corners[at[k]], p->corners[at[(k + 1) % 4]], p->panels[i].centre));
        }
    return u;
}

/* A ball has half of the fluid's mass that it displaces, whichever way it goes: the sheet has that
 * and what is within. */
static void balls_have_half_their_mass(void)
{
    mote_SphereShape sphere = mote_sphere_shape_def();
    double mu[PANELS_MOST], volume = 4.18879020478639 * 0.027;
    sphere.radius = (mote_real)0.3;
    for (size_t wanted = 100; wanted <= 400; wanted *= 2) {
        Panels p = panels_of("sphere", &sphere, wanted);
        CHECK(p.edge_count == 2 * p.count);
        CHECK_NEAR(p.volume / volume, 1, 1e-6);
        for (int k = 0; k < 2; ++k) {
            D3 u = k == 0 ? d3(1, 0, 0) : d3(0.48, 0.6, 0.64), i = impulse_of(&p, u, mu);
            CHECK_NEAR(d3_dot(i, u) / volume - 1, 0.5, 0.01);
            CHECK_NEAR(d3_length(d3_madd(i, -1.5 * volume, u)) / volume, 0, 0.02);
            for (size_t j = 0; j < p.count; j += 7) {
                double through = d3_dot(p.panels[j].normal, d3_sub(flow_at(&p, mu, j), u));
                CHECK_NEAR(through, 0, 1e-9);
            }
        }
        panels_free(&p, &memory);
        CHECK(memory.bytes == 0);
    }
}

/* A thin body is its middle, with rims. Broadside a square plate has 0.455 rho L^3 and a disc 8/3
 * rho a^3 (Lamb, Hydrodynamics, 102); along their faces they have nothing. */
static void thin_bodies_have_their_added_mass(void)
{
    mote_BoxShape box = mote_box_shape_def();
    mote_CylinderShape disc = mote_cylinder_shape_def();
    double mu[PANELS_MOST];
    box.size = setup_vec(1, 0.1, 1);
    disc.radius = (mote_real)0.5, disc.height = (mote_real)0.1;
    for (int k = 0; k < 2; ++k) {
        Panels p = k == 0 ? panels_of("box", &box, 800) : panels_of("cylinder", &disc, 800);
        double theory = k == 0 ? 0.455 : 8.0 / 3 * 0.125;
        CHECK(p.open && p.edge_count == 2 * p.count + 40);
        CHECK_NEAR(p.thick, 0.05, 1e-6);
        CHECK_NEAR(impulse_of(&p, d3(0, 1, 0), mu).y / theory, 1, 0.1);
        CHECK_NEAR(impulse_of(&p, d3(1, 0, 0), mu).x, 0, 1e-6);
        panels_free(&p, &memory);
        CHECK(memory.bytes == 0);
    }
}

/* A box that is not thin is its faces; along its least side it has more than a plate. */
static void boxes_have_their_added_mass(void)
{
    mote_BoxShape box = mote_box_shape_def();
    double mu[PANELS_MOST];
    box.size = setup_vec(1, 0.25, 1);
    Panels p = panels_of("box", &box, 400);
    CHECK_NEAR(p.volume, 0.25, 1e-6);
    double across = impulse_of(&p, d3(0, 1, 0), mu).y - p.volume;
    double along = impulse_of(&p, d3(1, 0, 0), mu).x - p.volume;
    CHECK(across > 0.455 && across < 1.5 * 0.455);
    CHECK(along > 0 && along < 0.3 * across);
    panels_free(&p, &memory);
}

/* Shapes that have none: planes, rooms. */
static void endless_shapes_have_no_panels(void)
{
    mote_PlaneShape plane = mote_plane_shape_def();
    Panels p = panels_of("plane", &plane, 100);
    CHECK(p.count == 0 && memory.bytes == 0);
    mote_CapsuleShape capsule = mote_capsule_shape_def();
    p = panels_of("capsule", &capsule, 100);
    CHECK(p.count > 50 && p.edge_count == 2 * p.count);
    panels_free(&p, &memory);
}

TESTS({"balls_have_half_their_mass", balls_have_half_their_mass},
      {"thin_bodies_have_their_added_mass", thin_bodies_have_their_added_mass},
      {"boxes_have_their_added_mass", boxes_have_their_added_mass},
      {"endless_shapes_have_no_panels", endless_shapes_have_no_panels})
