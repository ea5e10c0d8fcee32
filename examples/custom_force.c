/* A force of one's own: charges in a magnetic field go round in circles of radius m v / (q B).
 *
 *     cc custom_force.c $(pkg-config --cflags --libs mote) -lm -o custom_force */
#include <mote/world.h>

#include <math.h>
#include <stdio.h>

/* Along z. */
typedef struct Magnet {
    double field;  /* T */
    double charge; /* C, of every particle */
} Magnet;

/* a = q v x B / m; for whole blocks of rows, from several threads at a time. */
static void bend(void *context, size_t first_row, size_t count, const mote_real *const x[3],
                 const mote_real *const v[3], const mote_real *mass, double t,
                 mote_real *const a[3])
{
    const Magnet *magnet = context;
    const mote_real strength = (mote_real)(magnet->charge * magnet->field);
    (void)first_row, (void)x, (void)t;
    for (size_t i = 0; i < count; ++i) {
        a[0][i] += strength * v[1][i] / mass[i];
        a[1][i] -= strength * v[0][i] / mass[i];
    }
}

/* One particle at the origin, with 3 m/s along x. */
static mote_Status build(mote_World *world, Magnet *magnet, mote_System **charges,
                         mote_Error *error)
{
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef system = mote_system_def();
    mote_CallbackForce bending = mote_callback_force_def();
    mote_ForceDef force = mote_force_def();
    size_t row;
    solver.integrator = "rk4";
    system.name = "charges", system.solver_params = &solver;
    bending.accelerate = bend, bending.context = magnet;
    force.type = "callback", force.params = &bending;
    mote_Status status = mote_world_add_system(world, &system, charges, error);
    if (status == MOTE_OK) status = mote_world_add_force(world, &force, error);
    if (status == MOTE_OK) status = mote_system_add_rows(*charges, 1, &row, error);
    if (status != MOTE_OK) return status;
    ((mote_real *)mote_system_column(*charges, "velocity")->data)[row] = 3;
    ((mote_real *)mote_system_column(*charges, "mass")->data)[row] = 2;
    return MOTE_OK;
}

int main(void)
{
    Magnet magnet = {.field = 4, .charge = 1};
    mote_WorldDef def = mote_world_def();
    mote_World *world = NULL;
    mote_System *charges;
    double low = 0;
    mote_Error error;
    def.gravity = (mote_Vec3){0, 0, 0};
    def.fps = 100, def.max_step = 0.01;
    mote_Status status = mote_world_create(&def, &world, &error);
    if (status == MOTE_OK) status = build(world, &magnet, &charges, &error);
    for (int i = 0; i < 400 && status == MOTE_OK; ++i) {
        status = mote_world_step(world, NULL, &error);
        const mote_Column *position = mote_system_column(charges, "position");
        const mote_real *y = (const mote_real *)position->data + position->stride;
        if (status == MOTE_OK && (double)y[0] < low) low = (double)y[0];
    }
    if (status == MOTE_OK)
        printf("the circle's radius is %.3f m, and should be %.3f m\n", -low / 2, 2.0 * 3 / 4);
    else
        fprintf(stderr, "%s\n", error.message);
    mote_world_destroy(world);
    return status != MOTE_OK;
}
