/* Surfaces from frame to frame: a drop that only drifts keeps its volume and its normals, wherever
 * it stands on the grid. */
#include "surface/clouds.h"

#include <stdlib.h>

enum { FRAMES = TEST_SANITIZED ? 1 : 8 };

typedef struct DriftingDrop {
    mote_Surface *maker;
    Cloud3 cloud;
    double moved[3];  /* m, of its middle */
    double (*at)[3];  /* unit, from the middle to each vertex */
    double (*off)[3]; /* its normal less that */
    size_t count;
    double volume;
} DriftingDrop;

static void look_at_drop(DriftingDrop *d)
{
    mote_FrameSurface mesh;
    mote_SurfaceReport report;
    mote_Error error;
    mote_SurfacePoints points = cloud_points(&d->cloud);
    SETUP_OK(mote_surface_points(d->maker, &points, &mesh, &report, &error), error);
    d->volume = look_at(&mesh, report.cell).volume;
    d->count = mesh.vertex_count;
    d->at = malloc(d->count * sizeof *d->at), d->off = malloc(d->count * sizeof *d->off);
    for (size_t v = 0; v < d->count; ++v) {
        double p[3], length = 0;
        const double n[3] = {(double)mesh.normals[v].x, (double)mesh.normals[v].y,
                             (double)mesh.normals[v].z};
        look_corner(&mesh, (uint32_t)v, p);
        for (int k = 0; k < 3; ++k) p[k] -= d->moved[k], length += p[k] * p[k];
        for (int k = 0; k < 3; ++k)
            d->at[v][k] = p[k] / sqrt(length), d->off[v][k] = n[k] - d->at[v][k];
    }
}

/* Degrees between what a vertex's normal and that of the nearest vertex of the frame before are off
 * a ball's: mean over every third vertex. */
static double normals_between(const DriftingDrop *a, const DriftingDrop *b)
{
    double sum = 0, looked = 0;
    for (size_t v = 0; v < a->count; v += 3) {
        double nearest = 9, between = 0;
        for (size_t w = 0; w < b->count; ++w) {
            double gap = 0, off = 0;
            for (int k = 0; k < 3; ++k) {
                gap += (a->at[v][k] - b->at[w][k]) * (a->at[v][k] - b->at[w][k]);
                off += (a->off[v][k] - b->off[w][k]) * (a->off[v][k] - b->off[w][k]);
            }
            if (gap < nearest) nearest = gap, between = sqrt(off) * 57.29577951308232;
        }
        sum += between, looked += 1;
    }
    return sum / looked;
}

static void drift(DriftingDrop *d, double by)
{
    const double share[3] = {1, 0.7, 0.4};
    for (int k = 0; k < 3; ++k) {
        d->moved[k] += by * share[k];
        for (size_t i = 0; i < d->cloud.count; ++i) d->cloud.x[k][i] += (mote_real)(by * share[k]);
    }
}

static void drifting_drops(void)
{
    static const char *const fields[] = {"density", "anisotropic"};
    for (size_t f = 0; f < COUNT_OF(fields); ++f) {
        mote_SurfaceDef def = mote_surface_def();
        mote_Error error;
        DriftingDrop d = {.cloud = cloud_layers(0.45, 0.05)};
        double least = 9, most = 0, flicker = 0;
        def.radius = d.cloud.spacing / 2, def.field = fields[f];
        SETUP_OK(mote_surface_create(&def, &d.maker, &error), error);
        look_at_drop(&d);
        for (int i = 0; i < FRAMES; ++i) {
            DriftingDrop before = d;
            drift(&d, def.cell * d.cloud.spacing / 7);
            look_at_drop(&d);
            least = fmin(least, d.volume), most = fmax(most, d.volume);
            flicker = fmax(flicker, normals_between(&d, &before));
            free(before.at), free(before.off);
        }
        CHECK(most / least - 1 < 1e-3);
        CHECK(flicker < 1);
        free(d.at), free(d.off);
        mote_surface_destroy(d.maker);
        cloud_free(&d.cloud);
    }
}

TESTS({"drifting drops", drifting_drops})
