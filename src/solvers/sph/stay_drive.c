/* A sub-step of a liquid with an equation of state that stays on a device: what acts between pairs
 * and how rows move are one loop there (device/stay_drive.cl). */
#include "solvers/sph/stay.h"

#include "device_drive.inc"

#include <math.h>

#define S(buffer) STAY_MEMORY(d, buffer)
#define B(buffer) SPH_MEMORY(d, buffer)

/* With these terms. NULL: it cannot be built. */
static const DeviceKernel *drive_program(SphDevice *d, const Terms *terms, mote_Error *error)
{
    ForceProgram *drive = &d->stay->drive;
    char options[DEVICE_OPTIONS];
    if (drive->program != NULL && sph_same_terms(&drive->terms, terms)) return drive->forces;
    sph_free_forces(drive);
    drive->terms = *terms;
    sph_force_options(d->device, terms, options);
    drive->program = device_build(d->device, files, sizeof files / sizeof *files, options, error);
    if (drive->program != NULL) drive->forces = device_kernel(drive->program, "stay_drive");
    return drive->forces;
}

static void drive(SphDevice *d, const StayLaw *law, const DeviceKernel *kernel,
                  const PairLaw *pairs)
{
    device_launch(d->device, kernel, law->rows, STAY_GROUP,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(*law), DEVICE_VALUE(*pairs), DEVICE_VALUE(d->room),
                                   B(PACKETS), B(COUNTS), B(LISTS), S(SHAPES), S(ORDER), S(SPANS),
                                   S(SHARES), S(DENSITY), S(PRESSURE), S(X), S(X_END), S(V_END),
                                   S(DENSITY_ROWS), S(PRESSURE_ROWS), S(KEYS), S(COUNTS),
                                   S(GROUPS)));
}

static void take_loads(SphStep *step, const StayLaw *law, const Limbs *limbs)
{
    for (size_t k = 0; k < law->colliders; ++k)
        sph_add_load(&step->outer->loads[k], limbs + k * STAY_LOADS);
}

mote_Status sph_stay_step(SphStep *step, mote_Error *error)
{
    SphDevice *d = step->state->device;
    ExplicitLaw explicit;
    step->state->pressure->law(step, &explicit);
    const ForceInput input = sph_force_input(step, &explicit.terms, NULL);
    const Terms terms = force_terms(&input);
    const DeviceKernel *kernel = drive_program(d, &terms, error);
    if (kernel == NULL) return sph_cannot_build(d);
    StayLaw law = sph_stay_law(step, &explicit);
    StayNote *notes = arena_take(step->outer->arena, sph_stay_note_bytes(&law));
    const Limbs *limbs = (const Limbs *)(const void *)(notes + STAY_NOTES);
    if (notes == NULL) return sph_no_memory(step, error);
    do {
        sph_stay_begin(d, step, &law);
        drive(d, &law, kernel, &input.law);
        if (!sph_stay_take_note(d, &law, law.colliders, notes)) return sph_stay_lost(step, error);
    } while (!sph_stay_had_room(d, d->stay->note.longest, d->stay->note.shares));
    step->state->push = sqrt((double)d->stay->note.push);
    sph_stay_accept(step, &law, &limbs[law.colliders * STAY_LOADS]);
    step->state->pressure->keep(step);
    take_loads(step, &law, limbs);
    return MOTE_OK;
}
