/* Spectral wind as a field of a world, and clouds of points that it is sampled at. */
#ifndef TESTS_FIELDS_WIND_H
#define TESTS_FIELDS_WIND_H

#include <mote/world.h>

#include "setup.h"

#define TWO_PI 6.28318530717958647693

static inline void add_wind(mote_World *world, const mote_SpectralWindField *wind)
{
    mote_FieldDef def = mote_field_def();
    def.name = "gusts", def.type = "spectral-wind", def.params = wind;
    mote_Error error;
    SETUP_OK(mote_world_add_field(world, &def, &error), error);
}

static inline mote_World *world_with(const mote_SpectralWindField *wind, mote_Tasks *tasks,
                                     int dimension)
{
    mote_WorldDef def = setup_def(0.01);
    def.tasks = tasks, def.dimension = (uint64_t)dimension;
    mote_World *world = setup_world(&def);
    add_wind(world, wind);
    return world;
}

typedef struct Cloud {
    size_t count;
    mote_real *x[3], *u[3];
} Cloud;

static inline Cloud make_cloud(size_t count, double low, double high, uint64_t seed)
{
    Cloud cloud = {.count = count};
    for (int c = 0; c < 3; ++c) {
        cloud.x[c] = malloc(count * sizeof(mote_real));
        cloud.u[c] = calloc(count, sizeof(mote_real));
    }
    for (size_t i = 0; i < count; ++i)
        for (int c = 0; c < 3; ++c) cloud.x[c][i] = (mote_real)setup_uniform(&seed, low, high);
    return cloud;
}

static inline void free_cloud(Cloud *cloud)
{
    for (int c = 0; c < 3; ++c) {
        free(cloud->x[c]);
        free(cloud->u[c]);
    }
}

static inline void sample(mote_World *world, Cloud *cloud, double t)
{
    mote_FieldPoints points = {cloud->count, {cloud->x[0], cloud->x[1], cloud->x[2]}, t};
    mote_Error error;
    SETUP_OK(mote_world_sample_field(world, "gusts", &points, cloud->u, &error), error);
}

static inline double mean_square(const Cloud *cloud)
{
    double sum = 0;
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < cloud->count; ++i)
            sum += (double)cloud->u[c][i] * (double)cloud->u[c][i];
    return sum / (double)cloud->count;
}

/* Relative rms difference of two clouds' samples. */
static inline double difference(const Cloud *a, const Cloud *b)
{
    double sum = 0;
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < a->count; ++i)
            sum += pow((double)a->u[c][i] - (double)b->u[c][i], 2);
    return sqrt(sum / (double)a->count / mean_square(b));
}

static inline void shift_cloud(Cloud *cloud, double x, double y, double z)
{
    const double by[3] = {x, y, z};
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < cloud->count; ++i)
            cloud->x[c][i] = (mote_real)((double)cloud->x[c][i] + by[c]);
}

#endif
