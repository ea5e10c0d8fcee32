/* Caustics by photons (H. W. Jensen, Realistic Image Synthesis Using Photon Mapping, 2001): light
 * that liquids, solid glass, mirrors and panes send elsewhere is followed from the lights to the
 * first dull surface. Paths from the eye find it there; the straight way through what bends light
 * is closed to them instead, so that all light is counted once. */
#ifndef RENDER_TRACE_PHOTON_H
#define RENDER_TRACE_PHOTON_H

#include "render/trace.h"

/* ---- trace_photon_aim.c: where a light is shot to ---- */

/* Cells of a map of a light's directions: of a sun, of a square across them; of a lamp, of the
 * sphere around it, all of one size. Light is shot through those alone behind which something bends
 * light. */
enum { AIM_SIDE = 256, AIM_CELLS = AIM_SIDE * AIM_SIDE };

typedef struct PhotonAim {
    const Light *light;
    float axis[3][3];       /* unit vectors; the last goes to the sun */
    float middle[3], reach; /* m: a ball around all that bends light */
    bool marked[AIM_CELLS];
    uint32_t cells[AIM_CELLS]; /* those that are marked */
    size_t count;
    float power[3]; /* of all that goes through them, in colours times m^2 */
    size_t shots;   /* of all photons */
} PhotonAim;

/* False: nothing bends light. */
bool photon_aim_make(const Light *light, const TraceScene *scene, PhotonAim *aim);

/* A ray of the light, by words of chance for the cell and the place in it, and two numbers for a
 * place of the light itself; what of its power it has, but for the number of shots. */
float photon_aim_shoot(const PhotonAim *aim, const uint32_t cell[2], const float u[2],
                       TraceRay *ray);

/* ---- trace_photon_target.c ---- */

/* A box around a piece of what bends light, m. */
typedef struct PhotonTarget {
    float low[3], high[3];
} PhotonTarget;

/* Whether photons go on from there; the others that meet light are where they end. */
bool photon_goes_on(TraceMatter matter, float roughness);

/* Calls `visit` for all pieces of what bends light. */
void trace_scene_targets(const TraceScene *scene,
                         void (*visit)(void *context, const PhotonTarget *target), void *context);

/* From now on straight ways of light to surfaces end at what bends light. */
void trace_scene_carry(TraceScene *scene);

/* ---- trace_photon_map.c: what arrived ---- */

typedef struct Photon {
    float at[3];               /* m, relative to the eye */
    float power[3];            /* in colours times m^2 */
    int8_t normal[3], back[3]; /* of 127: of the surface, and to where the light came from */
} Photon;

typedef struct PhotonMap PhotonMap;

/* Photons in no order, and what they come from: a ball. */
typedef struct PhotonCloud {
    Photon *photons;
    size_t count;
    float middle[3], reach; /* m */
    float together;         /* photons that each is spread over */
} PhotonCloud;

/* Sorts photons by place and finds how wide each is spread. NULL: there is no memory. */
PhotonMap *photon_map_make(const PhotonCloud *cloud, mote_Tasks *tasks, Arena *arena);

/* Light at a place of a surface with this normal (a light's colour, where it faces it); and where
 * one photon of it came from, chosen by chance, a number in [0, 1), by its power. False: there is
 * none. */
bool photon_map_light(const PhotonMap *map, const float place[3], const float normal[3],
                      float chance, float light[3], float back[3]);

/* ---- trace_photon.c ---- */

/* Shoots the photons that the definition asks for. *map is NULL where it asks for none, or nothing
 * bends light. */
mote_Status trace_photons_make(const TraceInput *input, TraceScene *scene, Arena *arena,
                               PhotonMap **map, mote_Error *error);

#endif
