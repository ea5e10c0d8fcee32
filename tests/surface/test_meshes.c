/* Surfaces of shapes whose volume and form are known. */
#include "surface/clouds.h"

static bool in_ball(double x, double y, double z)
{
    return x * x + y * y + z * z < 1;
}

static void sphere(void)
{
    Cloud3 c = cloud_of(in_ball, 1, 0.08, 0);
    mote_SurfaceDef def = mote_surface_def();
    mote_Surface *s;
    mote_Error error;
    mote_FrameSurface mesh;
    mote_SurfaceReport report;
    mote_SurfacePoints points = cloud_points(&c);
    def.radius = c.spacing / 2;
    def.smoothing = 0;
    SETUP_OK(mote_surface_create(&def, &s, &error), error);
    CHECK_OK(mote_surface_points(s, &points, &mesh, &report, &error), error);
    MeshLook look = look_at(&mesh, report.cell);
    printf("n %zu v %zu t %zu volume %g of %g %g, euler %ld, edges %zu fans %zu deg %zu\n", c.count,
           mesh.vertex_count, mesh.triangle_count, look.volume, report.volume, 4.18879, look.euler,
           look.bad_edges, look.bad_fans, look.degenerate);
    CHECK_CLOSED(look);
    CHECK(look.euler == 2);
    mote_surface_destroy(s);
    cloud_free(&c);
}

TESTS({"sphere", sphere})
