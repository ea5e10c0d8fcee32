/* Emitters: with what particles are born, and where there is room for them. */
#include "emit/births.h"

#include "base/math.h"
#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"
#include "space/cells.h"

#include <math.h>

/* ---- with what ---- */

/* A birth takes some 80 ns: its random numbers, and a dozen columns. */
enum { MOST_TRIES = 64, BIRTHS_PER_TASK = 16 };

/* By rejection: 52 % of a cube's points are in the ball (79 % in a disc), so 64 tries fail once in
 * 10^20. Not the middle itself: it has no direction. */
mote_Vec3 birth_ball_point(const Birth *birth)
{
    mote_Vec3 p = {0, 0, 0};
    for (uint32_t k = 0; k < MOST_TRIES; ++k) {
        Random4 u = birth_draw(birth, PURPOSE_SOURCE + k);
        mote_real z = birth->flat ? 0 : random_signed(u.word[2]);
        p = vec3(random_signed(u.word[0]), random_signed(u.word[1]), z);
        mote_real d2 = vec3_dot(p, p);
        if (d2 <= 1 && d2 > (mote_real)1e-6) break;
    }
    return p;
}

/* A direction in the cone of half angle `spread` around the unit vector n, uniform in solid angle
 * (in angle when flat). */
static mote_Vec3 cone_direction(mote_Vec3 n, mote_real spread, const Random4 *u, bool flat)
{
    mote_real c, s;
    if (flat) {
        real_sincos(spread * random_signed(u->word[0]), &s, &c);
        return vec3(c * n.x - s * n.y, s * n.x + c * n.y, 0);
    }
    mote_real half = real_sin(spread * (mote_real)0.5);
    mote_real lower = 2 * half * half * random_unit(u->word[0]); /* 1 - cos, without cancellation */
    mote_real height = 1 - lower, across = REAL_SQRT(lower * (2 - lower));
    real_sincos((mote_real)6.283185307179586 * random_unit(u->word[1]), &s, &c);
    mote_Vec3 e1 = vec3_across(n), e2 = vec3_cross(n, e1);
    mote_Vec3 side = vec3_add(vec3_scale(e1, c), vec3_scale(e2, s));
    return vec3_madd(vec3_scale(n, height), across, side);
}

static mote_Vec3 velocity(const mote_EmitterDef *def, mote_Vec3 outward, const Birth *birth)
{
    Random4 u = birth_draw(birth, PURPOSE_VELOCITY);
    mote_Vec3 v = birth_flatten(birth, def->velocity);
    mote_real speed = vec3_length(v);
    mote_Vec3 n = vec3_unit(v, vec3(0, 1, 0));
    if (def->spread > 0) n = cone_direction(n, def->spread, &u, birth->flat);
    speed *= 1 + def->speed_jitter * random_signed(u.word[2]);
    return vec3_madd(vec3_scale(n, speed), def->outward, outward);
}

typedef struct EmitWork {
    const Emitter *emitter;
    const EmitSite *site;
    mote_System *system;
    Births births;
    size_t first;
    size_t skipped; /* births that ranks before this one keep */
    double t;       /* s: start of the sub-step, when fields are looked at */
    bool flat;
    const uint32_t *kept;           /* numbers of the births that are made; NULL: all */
    const mote_Column *temperature; /* the column, where the definition sets it; else NULL */
} EmitWork;

static void set_vec3(mote_System *system, int column, size_t row, mote_Vec3 value)
{
    column_real(&system->columns[column], 0)[row] = value.x;
    column_real(&system->columns[column], 1)[row] = value.y;
    column_real(&system->columns[column], 2)[row] = value.z;
}

static void set_real(mote_System *system, int column, size_t row, mote_real value)
{
    column_real(&system->columns[column], 0)[row] = value;
}

/* A random place of the source; with a density, the first of several that is taken. */
static SourcePoint birth_place(const EmitWork *work, Birth birth)
{
    const Emitter *emitter = work->emitter;
    if (emitter->places.count > 0)
        return (SourcePoint){
            places_at(&emitter->places, (size_t)(birth.number % emitter->places.count)), {0, 0, 0}};
    SourcePoint point = emitter->source->point(emitter->object.params, &birth);
    for (uint32_t k = 0; emitter->density != NULL && k < MOST_TRIES; ++k) {
        mote_Vec3 at = birth_flatten(&birth, vec3_add(emitter->def.at, point.offset));
        FieldPoints there = {1, {&at.x, &at.y, &at.z}, work->t};
        mote_real density, *out[3] = {&density, NULL, NULL};
        field_sample(emitter->density, &there, out);
        if (random_unit(birth_draw(&birth, PURPOSE_DENSITY).word[0]) < density) break;
        birth.key.word[0] += 0x9e3779b9u; /* other numbers for another try */
        point = emitter->source->point(emitter->object.params, &birth);
    }
    return point;
}

static void write_row(const EmitWork *work, uint64_t k)
{
    const mote_EmitterDef *def = &work->emitter->def;
    mote_System *system = work->system;
    size_t row = work->first + (size_t)k;
    k += work->skipped;
    if (work->kept != NULL) k = work->kept[k];
    Birth birth = birth_number(work->emitter, k, work->flat);
    Random4 u = birth_draw(&birth, PURPOSE_MOMENT);
    SourcePoint point = birth_place(work, birth);
    set_vec3(system, COLUMN_POSITION, row, birth_flatten(&birth, vec3_add(def->at, point.offset)));
    set_vec3(system, COLUMN_VELOCITY, row, velocity(def, point.outward, &birth));
    set_vec3(system, COLUMN_COLOR, row, def->color);
    set_real(system, COLUMN_MASS, row, def->mass);
    set_real(system, COLUMN_OPACITY, row, def->opacity);
    set_real(system, COLUMN_RADIUS, row,
             def->radius * (1 + def->radius_jitter * random_signed(u.word[1])));
    set_real(system, COLUMN_LIFETIME, row,
             def->lifetime * (1 + def->lifetime_jitter * random_signed(u.word[2])));
    ((double *)system->columns[COLUMN_BIRTH].data)[row] =
        births_moment(work->emitter, &work->births, k);
    ((uint32_t *)system->columns[COLUMN_GROUP].data)[row] = (uint32_t)def->group;
    if (work->temperature != NULL) column_real(work->temperature, 0)[row] = def->temperature;
}

/* The field's velocity, added to that of at most BLOCK_ROWS new rows. */
static void add_wind(const EmitWork *work, size_t row, size_t count)
{
    const mote_Column *position = &work->system->columns[COLUMN_POSITION];
    mote_real planes[3][BLOCK_ROWS], *out[3] = {planes[0], planes[1], planes[2]};
    FieldPoints points = {.count = count, .t = work->t};
    for (int c = 0; c < 3; ++c) points.x[c] = column_real(position, c) + row;
    field_sample(work->emitter->wind, &points, out);
    for (int c = 0; c < (work->flat ? 2 : 3); ++c) {
        mote_real *v = column_real(&work->system->columns[COLUMN_VELOCITY], c) + row;
        for (size_t i = 0; i < count; ++i) v[i] += planes[c][i];
    }
}

static void emit_body(void *context, size_t begin, size_t end, int worker)
{
    const EmitWork *work = context;
    (void)worker;
    for (size_t k = begin; k < end; ++k) write_row(work, k);
    for (size_t k = begin; work->emitter->wind != NULL && k < end; k += BLOCK_ROWS)
        add_wind(work, work->first + k, end - k < BLOCK_ROWS ? end - k : BLOCK_ROWS);
}

static void release_places(Memory *memory, void *object)
{
    Emitter *emitter = object;
    places_free(&emitter->places, memory);
    memory_free(memory, emitter->free, emitter->free_capacity * sizeof *emitter->free);
    if (emitter->arena.memory != NULL) arena_free(&emitter->arena);
}

/* A source that goes on needs particles that move away from it. */
static mote_Status set_stride(Emitter *emitter, const SourceSite *site, mote_Error *error)
{
    double speed = (double)vec3_length(emitter->def.velocity);
    if (emitter->source->stride == NULL) return MOTE_OK;
    if (!(speed > 0) || emitter->def.spread > 0 || emitter->def.speed_jitter > 0)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: source %s needs a velocity, and neither spread nor speed_jitter",
                           site->where, emitter->source->head.name);
    emitter->def.burst_every = emitter->source->stride(emitter->object.params) / speed;
    return MOTE_OK;
}

mote_Status emitter_lay(Emitter *emitter, const SourceSite *site, mote_Error *error)
{
    if (emitter->source->lay == NULL) return MOTE_OK;
    if (emitter->def.rate > 0 || emitter->def.burst > 0)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: source %s makes its particles once; leave out rate and burst",
                           site->where, emitter->source->head.name);
    mote_Status status =
        emitter->source->lay(emitter->object.params, site, &emitter->places, error);
    if (status != MOTE_OK) {
        places_free(&emitter->places, site->memory);
        return status;
    }
    emitter->object.release = release_places;
    emitter->def.burst = emitter->places.count;
    return set_stride(emitter, site, error);
}

/* ---- layers beside what is there ---- */

typedef struct FreeWork {
    const Emitter *emitter;
    const Cells *cells; /* of the particles that are there */
    mote_real near;     /* m */
    bool flat;
    uint32_t *free; /* 1: nobody is there */
} FreeWork;

static void free_body(void *context, size_t begin, size_t end, int worker)
{
    const FreeWork *work = context;
    (void)worker;
    for (size_t k = begin; k < end; ++k) {
        mote_Vec3 place = vec3_add(work->emitter->def.at, places_at(&work->emitter->places, k));
        const mote_real at[3] = {place.x, place.y, work->flat ? 0 : place.z};
        uint32_t first;
        if (ball_points(work->cells, at, work->near, &first, 1) > 0) work->free[k] = 0;
    }
}

static bool look_around(FreeWork *look, const mote_System *system, Arena *arena, mote_Tasks *tasks)
{
    const CellPoints points = cell_points_of(system);
    const CellSpace space = {.flat = look->flat};
    Cells cells;
    look->cells = &cells;
    arena_reset(arena);
    if (!cells_make(&cells, &space, look->near, &points, arena, tasks)) return false;
    mote_parallel_for(tasks, look->emitter->places.count, 64, free_body, look);
    return true;
}

/* Whether a system may be in the way: that of the births, or a liquid that they would meet. Other
 * ranks may have rows where this one has none. */
static bool takes_room(const Emitter *emitter, const EmitSite *site, const mote_System *system)
{
    const SourceRow *source = emitter->source;
    if (!(source->apart > 0) || (system->count == 0 && !ranks_are_many(site->ranks))) return false;
    return system->rest_density > 0 || (!source->liquids_only && system == site->system);
}

static bool asks_for_room(const Emitter *emitter, const EmitSite *site)
{
    bool any = false;
    for (size_t i = 0; i < site->company_count; ++i)
        any = any || takes_room(emitter, site, site->company[i]);
    return any;
}

/* A place is free where no rank has anybody near. */
static mote_Status find_free_of_all(const EmitSite *site, uint32_t *free, size_t count,
                                    mote_Error *error)
{
    enum { AT_ONCE = 64 };
    mote_Status status = MOTE_OK;
    for (size_t first = 0; first < count && status == MOTE_OK; first += AT_ONCE) {
        const size_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
        int64_t taken[AT_ONCE];
        for (size_t i = 0; i < some; ++i) taken[i] = free[first + i] == 0;
        status = ranks_sum(site->ranks, taken, some, error);
        for (size_t i = 0; i < some; ++i) free[first + i] = taken[i] == 0;
    }
    return status;
}

/* Marks places near to rows that this rank has. */
static mote_Status mark_free(Emitter *emitter, const EmitWork *work, uint64_t count,
                             mote_Error *error)
{
    const EmitSite *site = work->site;
    const SourceRow *source = emitter->source;
    FreeWork look = {.emitter = emitter, .flat = site->flat};
    look.near = (mote_real)(source->apart * source->spacing(emitter->object.params));
    bool room = memory_reserve(work->system->memory, (void **)&emitter->free,
                               &emitter->free_capacity, (size_t)count, sizeof *emitter->free);
    look.free = emitter->free;
    if (emitter->arena.memory == NULL) emitter->arena = arena_make(work->system->memory);
    for (uint64_t k = 0; k < count && room; ++k) emitter->free[k] = 1;
    for (size_t i = 0; i < site->company_count && room; ++i)
        if (takes_room(emitter, site, site->company[i]) && site->company[i]->count > 0)
            room = look_around(&look, site->company[i], &emitter->arena, site->tasks);
    return room ? MOTE_OK : status_no_memory(error, emitter->object.name, (size_t)count);
}

/* The births of the first layer that is due whose places are free, and all of later ones. */
static mote_Status find_free(Emitter *emitter, EmitWork *work, uint64_t *count, mote_Error *error)
{
    const EmitSite *site = work->site;
    const size_t places = emitter->places.count;
    if (*count == 0 || !asks_for_room(emitter, site)) return MOTE_OK;
    mote_Status status = ranks_agree(site->ranks, mark_free(emitter, work, *count, error), error);
    if (status == MOTE_OK && ranks_are_many(site->ranks))
        status =
            find_free_of_all(site, emitter->free, *count < places ? (size_t)*count : places, error);
    if (status != MOTE_OK) return status;
    uint64_t kept = 0;
    for (uint64_t k = 0; k < *count; ++k)
        if (k >= places || emitter->free[k]) emitter->free[kept++] = (uint32_t)k;
    work->kept = emitter->free;
    if (emitter->source->liquids_only) emitter->crowded += *count - kept;
    *count = kept;
    return MOTE_OK;
}

RankSlice emit_kept(const EmitSite *site, size_t births)
{
    if (!ranks_are_many(site->ranks)) return (RankSlice){0, births};
    if (site->total == 0) return ranks_slice(site->ranks, births, BLOCK_ROWS);
    return (RankSlice){0, site->tail == site->ranks->own ? births : 0};
}

/* Every rank enumerates all births, and makes those that it keeps. */
static mote_Status make_rows(const Emitter *emitter, EmitWork *work, size_t births,
                             mote_Error *error)
{
    const RankSlice kept = emit_kept(work->site, births);
    mote_Status status =
        system_append_part(work->system, births, kept.begin, kept.end, &work->first, error);
    if (status != MOTE_OK) return status;
    work->skipped = kept.begin;
    if (emitter->def.temperature > 0)
        work->temperature = mote_system_column(work->system, "temperature");
    mote_parallel_for(work->site->tasks, kept.end - kept.begin, BIRTHS_PER_TASK, emit_body, work);
    return system_note_new_rows(work->system, work->first)
               ? MOTE_OK
               : status_no_memory(error, work->system->name, births);
}

static mote_Status make_births(Emitter *emitter, EmitWork *work, mote_Error *error)
{
    uint64_t count = births_total(emitter, &work->births);
    mote_Status status = find_free(emitter, work, &count, error);
    if (status == MOTE_OK && count > 0) status = make_rows(emitter, work, (size_t)count, error);
    if (status == MOTE_OK) births_settle(emitter, &work->births);
    return status;
}

static EmitWork work_at(const Emitter *emitter, const EmitSite *site, double t)
{
    return (EmitWork){
        .emitter = emitter, .site = site, .system = site->system, .t = t, .flat = site->flat};
}

mote_Status emitter_emit(Emitter *emitter, const EmitSite *site, double t, double dt, double slack,
                         mote_Error *error)
{
    EmitWork work = work_at(emitter, site, t);
    work.births = births_count(emitter, t, dt, slack);
    return make_births(emitter, &work, error);
}

mote_Status emitter_emit_due(Emitter *emitter, const EmitSite *site, double t, double slack,
                             mote_Error *error)
{
    EmitWork work = work_at(emitter, site, t);
    if (!(t < emitter->def.stop)) return MOTE_OK;
    work.births =
        (Births){.bursts = births_bursts_due(emitter, t + slack, true), .from = t, .to = t};
    return make_births(emitter, &work, error);
}
