/* Thin sheets: a film one spacing thick that is drawn out stays without holes and keeps its volume;
 * without being filled it does not; what is no sheet is left as it is. */
#include "surface/clouds.h"

typedef struct Film {
    double along, across; /* drawn out by so much */
    double noise;         /* spacings, of places in its plane; a third of it across */
} Film;

enum { SIDE = 28 };

/* A square of SIDE^2 particles, drawn out, in a plane that is no plane of the grid. */
static Cloud3 film_cloud(const Film *film, double spacing)
{
    static const double x[3] = {0.8, 0.36, 0.48}, y[3] = {-0.6, 0.48, 0.64}, z[3] = {0, -0.8, 0.6};
    Cloud3 c = {.spacing = spacing};
    uint64_t state = 11;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const double n = film->noise;
        const double u = (i % SIDE - SIDE / 2 + setup_uniform(&state, -n, n)) * film->along,
                     v = (i / SIDE - SIDE / 2 + setup_uniform(&state, -n, n)) * film->across,
                     w = setup_uniform(&state, -n / 3, n / 3);
        double at[3];
        for (int k = 0; k < 3; ++k) at[k] = spacing * (u * x[k] + v * y[k] + w * z[k]);
        cloud_add(&c, at[0], at[1], at[2]);
    }
    return c;
}

typedef struct Seen {
    MeshLook look;
    double volume, area; /* over the particles' volume, and over both sides of the film */
} Seen;

typedef struct Way {
    bool sheets;
    double cell; /* spacings */
    mote_Tasks *tasks;
} Way;

static Seen see(const Cloud3 *c, double area, const Way *way)
{
    mote_AnisotropicField field = mote_anisotropic_field_def();
    mote_SurfaceDef def = mote_surface_def();
    mote_SurfacePoints points = cloud_points(c);
    mote_Surface *maker;
    mote_FrameSurface mesh;
    mote_SurfaceReport report;
    mote_Error error;
    field.sheets = way->sheets;
    def.field = "anisotropic", def.params = &field, def.radius = c->spacing / 2;
    def.cell = way->cell, def.tasks = way->tasks;
    SETUP_OK(mote_surface_create(&def, &maker, &error), error);
    SETUP_OK(mote_surface_points(maker, &points, &mesh, &report, &error), error);
    Seen seen = {.look = look_at(&mesh, report.cell)};
    seen.volume = seen.look.volume / report.volume;
    seen.area = seen.look.area / (2 * area);
    mote_surface_destroy(maker);
    return seen;
}

static void films_stay_without_holes(void)
{
    static const Film films[] = {{1.6, 1, 0}, {1.6, 1, 0.1}, {1.3, 1.3, 0.1}, {1.4, 1.4, 0.1}};
    for (size_t i = 0; i < 2 * COUNT_OF(films); ++i) {
        const Film *f = &films[i / 2];
        const Way with = {true, i % 2 ? 0.25 : 0.5, NULL}, without = {false, with.cell, NULL};
        Cloud3 c = film_cloud(f, 0.05);
        const double area = SIDE * SIDE * f->along * f->across * 0.05 * 0.05;
        const Seen filled = see(&c, area, &with), bare = see(&c, area, &without);
        printf("%g x %g, noise %g, cell %g: euler %ld, volume %.3f, area %.3f; not filled %ld, "
               "%.3f, %.3f\n",
               f->along, f->across, f->noise, with.cell, filled.look.euler, filled.volume,
               filled.area, bare.look.euler, bare.volume, bare.area);
        CHECK(filled.look.bad_edges == 0 && filled.look.bad_fans == 0);
        CHECK(filled.look.euler == 2); /* one ball, pressed flat */
        /* no thinner than 1.6 cells; both ways kernels are round here and there, and it is more */
        CHECK_NEAR(filled.volume / fmax(1, 1.6 * with.cell * f->along * f->across), 1,
                   f->across > 1 ? 0.4 : 0.15);
        CHECK_NEAR(filled.area, 1, 0.15); /* the rim is not where the outermost particles end */
        CHECK(bare.look.euler != 2 || bare.volume > 1.2 * filled.volume);
        cloud_free(&c);
    }
}

/* A film that is not drawn out, and liquid with a surface, have the mesh that they had. */
static bool in_lens(double x, double y, double z)
{
    return x * x + z * z + 9 * y * y < 0.5 * 0.5;
}

static void others_are_left_alone(void)
{
    Cloud3 clouds[] = {film_cloud(&(Film){1, 1, 0}, 0.05), cloud_of(in_lens, 0.6, 0.05, 0.2)};
    for (size_t i = 0; i < COUNT_OF(clouds); ++i) {
        const Seen on = see(&clouds[i], 1, &(Way){true, 0.5, NULL}),
                   off = see(&clouds[i], 1, &(Way){false, 0.5, NULL});
        CHECK(on.look.volume == off.look.volume && on.look.area == off.look.area);
        cloud_free(&clouds[i]);
    }
}

static void threads_agree(void)
{
    Cloud3 c = film_cloud(&(Film){1.6, 1.2, 0.2}, 0.05);
    mote_TasksDef def = mote_tasks_def();
    mote_Tasks *tasks;
    mote_Error error;
    def.threads = 3;
    SETUP_OK(mote_tasks_create(&def, &tasks, &error), error);
    const Seen one = see(&c, 1, &(Way){true, 0.5, NULL}),
               many = see(&c, 1, &(Way){true, 0.5, tasks});
    CHECK(one.look.volume == many.look.volume && one.look.area == many.look.area);
    mote_tasks_destroy(tasks);
    cloud_free(&c);
}

TESTS({"films stay without holes", films_stay_without_holes},
      {"others are left alone", others_are_left_alone}, {"threads agree", threads_agree})
