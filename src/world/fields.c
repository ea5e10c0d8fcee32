/* Fields of a world: the obstacles they flow around, their sub-steps, and sampling for others. */
#include "world/objects.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

enum { POINTS_PER_TASK = 64 * BLOCK_ROWS };

/* ---- obstacles ---- */

static mote_Status find_obstacles(mote_World *world, Field *field, mote_Error *error)
{
    char where[NAME_SIZE + 32];
    mote_Status status = MOTE_OK;
    snprintf(where, sizeof where, "obstacles of field %s", field->object.name);
    for (size_t i = 0; i < field->obstacle_count && status == MOTE_OK; ++i) {
        FieldObstacle *obstacle = &field->obstacles[i];
        void *collider;
        status = world_find_object(world, where, "collider", obstacle->name, &collider, error);
        if (status == MOTE_OK)
            obstacle->number = name_index_find(&world->colliders.names, obstacle->name);
    }
    return status;
}

/* ---- particles that fields are made of ---- */

static mote_Status find_particles(mote_World *world, Field *field, mote_Error *error)
{
    FieldParticles *particles = &field->particles;
    char where[NAME_SIZE + 32];
    size_t number;
    if (particles->name == NULL) return MOTE_OK;
    snprintf(where, sizeof where, "field %s", field->object.name);
    mote_Status status = world_find_system(world, where, particles->name, &number, error);
    if (status != MOTE_OK) return status;
    particles->system = world->slots[number].system;
    memcpy(particles->period, world->shop.period, sizeof particles->period);
    if (mote_system_column(particles->system, particles->column) != NULL) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: system %s has no column `%s`", where,
                       particles->name, particles->column);
}

mote_Status world_find_obstacles(mote_World *world, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->fields.count && status == MOTE_OK; ++i) {
        status = find_obstacles(world, world->fields.items[i], error);
        if (status == MOTE_OK) status = find_particles(world, world->fields.items[i], error);
    }
    return status;
}

/* Where the colliders are from time t on; they are prepared. */
static void place_obstacles(const mote_World *world, const Field *field, double t)
{
    for (size_t i = 0; i < field->obstacle_count; ++i) {
        FieldObstacle *obstacle = &field->obstacles[i];
        const Collider *collider = world->colliders.items[obstacle->number];
        obstacle->shape = (PosedShape){collider->shape, collider->object.params, collider->pose};
        obstacle->velocity = (PoseVelocity){collider->linear, collider->angular};
        obstacle->t = t;
    }
}

/* ---- sub-steps ---- */

mote_Status world_prepare_fields(mote_World *world, double t, double dt, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->fields.count && status == MOTE_OK; ++i) {
        Field *field = world->fields.items[i];
        place_obstacles(world, field, t);
        if (field->row->prepare != NULL) status = field->row->prepare(field, t, dt, error);
    }
    return status;
}

mote_Status world_place_forces(mote_World *world, double t, double dt, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->forces.count && status == MOTE_OK; ++i) {
        Force *force = world->forces.items[i];
        if (force->collider == NULL) continue;
        force->place.t = t, force->place.dt = dt;
        status = collider_poses(force->collider, t, dt, force->place.at, error);
    }
    return status;
}

void world_advance_fields(mote_World *world, double t, double dt)
{
    for (size_t i = 0; i < world->fields.count; ++i) {
        Field *field = world->fields.items[i];
        if (field->row->advance != NULL) field->row->advance(field, t, dt);
    }
}

bool world_fields_rest(const mote_World *world)
{
    for (size_t i = 0; i < world->fields.count; ++i) {
        const Field *field = world->fields.items[i];
        if (field->row->prepares_often || field->row->advance != NULL) return false;
    }
    return true;
}

/* ---- sampling ---- */

typedef struct SampleWork {
    const Field *field;
    const mote_FieldPoints *points;
    mote_real *const *out;
} SampleWork;

static void sample_body(void *context, size_t begin, size_t end, int worker)
{
    const SampleWork *work = context;
    FieldPoints part = {.count = end - begin, .t = work->points->t};
    mote_real *out[3] = {NULL};
    (void)worker;
    for (int c = 0; c < 3; ++c) part.x[c] = work->points->x[c] + begin;
    for (int c = 0; c < work->field->row->components; ++c) out[c] = work->out[c] + begin;
    field_sample(work->field, &part, out);
}

mote_Status mote_world_sample_field(mote_World *world, const char *name,
                                    const mote_FieldPoints *points, mote_real *const out[3],
                                    mote_Error *error)
{
    SampleWork work = {world_object(&world->fields, name), points, out};
    if (work.field == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "there is no field `%s` to sample", name);
    mote_Status status = world_plan(world, error);
    if (status == MOTE_OK) status = world_change_parameters(world, points->t, error);
    if (status == MOTE_OK) status = world_prepare(world, points->t, world->def.max_step, error);
    if (status != MOTE_OK) return status;
    mote_parallel_for(world_tasks(world), points->count, POINTS_PER_TASK, sample_body, &work);
    return MOTE_OK;
}

int mote_world_field_components(const mote_World *world, const char *name)
{
    const Field *field = world_object(&world->fields, name);
    return field != NULL ? field->row->components : 0;
}
