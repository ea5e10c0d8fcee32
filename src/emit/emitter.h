/* Emitters: births by rate and burst, each at its own moment, from a source's points. */
#ifndef EMIT_EMITTER_H
#define EMIT_EMITTER_H

#include <mote/emit.h>

#include "base/isa.h"
#include "base/random.h"
#include "base/row.h"
#include "emit/places.h"
#include "fields/field.h"
#include "geometry/aabb.h"
#include "particles/system.h"
#include "ranks/ranks.h"

/* X(row, file that holds it). */
#define SOURCE_ROWS(X)                                                                             \
    X(source_point, sources)                                                                       \
    X(source_disc, sources)                                                                        \
    X(source_box, sources)                                                                         \
    X(source_sphere, sources)                                                                      \
    X(source_surface, sources)                                                                     \
    X(source_volume, sources)                                                                      \
    X(source_fill, fill)                                                                           \
    X(source_inflow, inflow)

/* The random numbers of one birth: as many draws as wanted, by purpose. */
typedef struct Birth {
    RandomKey key;
    uint64_t number; /* of the emitter's particles */
    bool flat;       /* two-dimensional: sources lie in the plane z = 0 */
} Birth;

typedef struct SourcePoint {
    mote_Vec3 offset;  /* from the emitter's place */
    mote_Vec3 outward; /* unit direction, or zero */
} SourcePoint;

/* What a source's places are laid out with. */
typedef struct SourceSite {
    Memory *memory;
    const char *where; /* starts messages */
    bool flat;
    mote_Vec3 velocity; /* m/s, of the emitter's particles */
} SourceSite;

typedef struct SourceRow {
    mote_Row head;
    /* Instead of `point`: all places at once, from the site's memory; a burst takes all of them. */
    mote_Status (*lay)(const void *params, const SourceSite *site, SourcePlaces *places,
                       mote_Error *error);
    double (*estimate)(const void *params, bool flat); /* with lay: about how many there are */
    SourcePoint (*point)(const void *params, const Birth *birth);
    mote_Status (*check)(const void *params, const char *where, mote_Error *error);
    /* Around the emitter's place, m; NULL: as far as `point` goes. */
    Aabb (*bounds)(const void *params);
    /* Optional: how far `point` goes along a direction, m. */
    double (*reach)(const void *params, mote_Vec3 direction);
    bool is_point; /* `point` goes nowhere */
    /* With `lay`: bursts come again and again, when the last has moved on by this, m. NULL: one. */
    double (*stride)(const void *params);
    /* With `lay`: places within `apart` spacings (m) of a particle are left out; 0: none are. */
    double (*spacing)(const void *params);
    double apart;
    bool liquids_only; /* of liquids alone are they left out, and told as such */
} SourceRow;

/* Whether all of its particles come at once, where they stay if nothing moves them. */
static inline bool source_fills(const SourceRow *row)
{
    return row->lay != NULL && row->stride == NULL;
}

/* A source of a shape needs one that has an end: another cannot be `used` ("filled"). */
mote_Status source_check_shape(const mote_Shapes *shapes, const char *used, const char *where,
                               mote_Error *error);

typedef struct Emitter {
    Object object;       /* parameters of the source */
    mote_EmitterDef def; /* its pointers are not used */
    const SourceRow *source;
    const Field *wind, *density; /* of the definition, or NULL */
    size_t system;               /* number of the system that gets the particles */
    RandomKey key;
    SourcePlaces places; /* of a source that lays them out; else none */
    uint32_t *free;      /* places that nobody is near to, when a layer is made */
    size_t free_capacity;
    Arena arena;      /* for finding them; its memory stays */
    uint64_t crowded; /* births left out since the last report, where that is an accident */
    /* state */
    double remainder; /* births owed, in (-1, 1): below 0 after one that came early */
    uint64_t emitted; /* ever */
    uint64_t bursts;  /* done */
} Emitter;

enum { PURPOSE_VELOCITY = 0, PURPOSE_MOMENT = 1, PURPOSE_SOURCE = 2, PURPOSE_DENSITY = 1024 };

extern const mote_Row emitter_row; /* the parameters of every emitter: mote_EmitterDef */

const mote_Row *const *source_rows(Isa isa, size_t *count);

static inline Random4 birth_draw(const Birth *birth, uint32_t purpose)
{
    return random_draw(birth->key, birth->number, 0, purpose);
}

/* The vector without its z in two dimensions. */
static inline mote_Vec3 birth_flatten(const Birth *birth, mote_Vec3 a)
{
    return (mote_Vec3){a.x, a.y, birth->flat ? 0 : a.z};
}

/* A uniform point of the unit ball (disc when flat), by rejection; no trigonometry. */
mote_Vec3 birth_ball_point(const Birth *birth);

/* The places of a source that lays them out, and their number as the burst; after the definition
 * was set. */
mote_Status emitter_lay(Emitter *emitter, const SourceSite *site, mote_Error *error);

/* True when nothing is born in [from, to). */
bool emitter_rests(const Emitter *emitter, double from, double to);

/* Where an emitter's particles go. */
typedef struct EmitSite {
    mote_System *system;         /* that gets them */
    mote_System *const *company; /* all that are solved together, it too: what takes up room */
    size_t company_count;
    mote_Tasks *tasks;
    bool flat;
    /* Where ranks share the rows: how many all of them have, and who has the last one. Births come
     * behind that; the first of all are dealt to all. */
    const mote_Ranks *ranks;
    uint64_t total;
    int tail;
} EmitSite;

/* Which of so many births this rank keeps. */
RankSlice emit_kept(const EmitSite *site, size_t births);

/* Appends the births of [t, t + dt) to the system, in order of birth for each kind; bursts of the
 * last `slack` seconds are left to emitter_emit_due. */
mote_Status emitter_emit(Emitter *emitter, const EmitSite *site, double t, double dt, double slack,
                         mote_Error *error);

/* Makes the bursts that are due at or before t + slack, where sub-steps end at bursts. */
mote_Status emitter_emit_due(Emitter *emitter, const EmitSite *site, double t, double slack,
                             mote_Error *error);
/* When the next burst is due, s; infinity: never. */
double emitter_next_burst(const Emitter *emitter);

/* Whether a state that was just loaded can be an emitter's. */
mote_Status emitter_check_state(const Emitter *emitter, mote_Error *error);

#endif
