/* GLB: bodies and colliders are nodes with key frames; particles, cloth and surfaces, whose points
 * come and go, are one mesh a frame, on nodes whose scale is 1 while they are shown and 0 else. */
#include "base/status.h"
#include "io/export.h"
#include "io/glb.h"

#include <string.h>

typedef struct GlbPose {
    float time, translation[3], rotation[4];
} GlbPose;

/* A shape over time. */
typedef struct GlbTrack {
    char *name;
    size_t node;
    GlbPose *poses;
    size_t count, room;
} GlbTrack;

/* A mesh of one frame. */
typedef struct GlbShown {
    size_t node;
    float from, until; /* s */
} GlbShown;

typedef struct GlbFilm {
    Glb glb;
    double start; /* s */
    float last;   /* s: of the last frame, after the start */
    GlbTrack *tracks;
    size_t track_count, track_room;
    GlbShown *shown;
    size_t shown_count, shown_room;
    JsonWriter animation;
    size_t sampler_count;
} GlbFilm;

static mote_Status begin(Film *film, const mote_Frame *frame, mote_Error *error)
{
    GlbFilm *f = film->state;
    (void)error;
    glb_open(&f->glb, film->memory);
    f->animation = json_writer(film->memory);
    f->start = frame->time;
    return MOTE_OK;
}

static void close_film(Film *film)
{
    GlbFilm *f = film->state;
    for (size_t i = 0; i < f->track_count; ++i) {
        memory_free(film->memory, f->tracks[i].poses, f->tracks[i].room * sizeof(GlbPose));
        memory_free_text(film->memory, f->tracks[i].name);
    }
    memory_free(film->memory, f->tracks, f->track_room * sizeof *f->tracks);
    memory_free(film->memory, f->shown, f->shown_room * sizeof *f->shown);
    json_writer_free(&f->animation);
    glb_close(&f->glb);
}

/* ---- frames ---- */

static void put_floats(JsonWriter *writer, const char *key, const float *values, int count)
{
    json_begin(writer, key, '[');
    for (int i = 0; i < count; ++i) json_put_double(writer, NULL, (double)values[i]);
    json_finish(writer, ']');
}

static GlbPose pose_of(const GlbFilm *f, const mote_Frame *frame, const Part *part)
{
    GlbPose pose = {.time = (float)(frame->time - f->start)};
    for (int c = 0; c < 3; ++c) pose.translation[c] = (float)part->position[c];
    for (int c = 0; c < 4; ++c) pose.rotation[c] = (float)part->orientation[c];
    return pose;
}

static GlbTrack *find_track(const GlbFilm *f, const char *name)
{
    for (size_t i = 0; i < f->track_count; ++i)
        if (strcmp(f->tracks[i].name, name) == 0) return &f->tracks[i];
    return NULL;
}

static GlbTrack *add_track(GlbFilm *f, const Part *part, const GlbPose *pose)
{
    Glb *glb = &f->glb;
    if (!memory_reserve(glb->memory, (void **)&f->tracks, &f->track_room, f->track_count + 1,
                        sizeof *f->tracks))
        return NULL;
    GlbTrack *track = &f->tracks[f->track_count];
    *track = (GlbTrack){.name = memory_text(glb->memory, part->name)};
    if (track->name == NULL) return NULL;
    ++f->track_count;
    track->node = glb_begin_node(glb, part->name, glb_mesh(glb, part));
    put_floats(&glb->nodes, "translation", pose->translation, 3);
    put_floats(&glb->nodes, "rotation", pose->rotation, 4);
    json_finish(&glb->nodes, '}');
    return track;
}

static bool add_shape(GlbFilm *f, const mote_Frame *frame, const Part *part)
{
    const GlbPose pose = pose_of(f, frame, part);
    GlbTrack *track = find_track(f, part->name);
    if (track == NULL) track = add_track(f, part, &pose);
    if (track == NULL || !memory_reserve(f->glb.memory, (void **)&track->poses, &track->room,
                                         track->count + 1, sizeof pose))
        return false;
    track->poses[track->count++] = pose;
    return true;
}

static bool add_points(GlbFilm *f, const Film *film, const mote_Frame *frame, const Part *part)
{
    static const float nothing[3] = {0, 0, 0};
    Glb *glb = &f->glb;
    const float from = (float)(frame->time - f->start);
    if (!memory_reserve(glb->memory, (void **)&f->shown, &f->shown_room, f->shown_count + 1,
                        sizeof *f->shown))
        return false;
    const size_t node = glb_begin_node(glb, part->name, glb_mesh(glb, part));
    if (from > 0) put_floats(&glb->nodes, "scale", nothing, 3);
    json_finish(&glb->nodes, '}');
    if (film->frames > 1)
        f->shown[f->shown_count++] = (GlbShown){node, from, from + (float)frame->dt};
    return true;
}

static mote_Status add(Film *film, const mote_Frame *frame, const Part *part, mote_Error *error)
{
    GlbFilm *f = film->state;
    f->last = (float)(frame->time - f->start);
    if (part->points.count == 0) return MOTE_OK; /* glTF has no empty meshes */
    const bool good =
        part_is_shape(part) ? add_shape(f, frame, part) : add_points(f, film, frame, part);
    return good ? MOTE_OK : status_no_memory(error, "an export", part->points.count);
}

/* ---- key frames ---- */

/* An animation has channels (what of which node) and samplers (values at times): the channels are
 * written at once, and what the samplers refer to is kept in their order. */
typedef struct GlbAnimating {
    GlbFilm *film;
    JsonWriter *channels;
    JsonWriter samplers;
} GlbAnimating;

static void put_channel(GlbAnimating *a, size_t node, const char *what, const size_t in_out[2],
                        const char *between)
{
    json_begin(a->channels, NULL, '{');
    json_put_u64(a->channels, "sampler", a->film->sampler_count++);
    json_begin(a->channels, "target", '{');
    json_put_u64(a->channels, "node", node);
    json_put_text(a->channels, "path", what);
    json_finish(a->channels, '}');
    json_finish(a->channels, '}');
    json_begin(&a->samplers, NULL, '{');
    json_put_u64(&a->samplers, "input", in_out[0]);
    json_put_u64(&a->samplers, "output", in_out[1]);
    json_put_text(&a->samplers, "interpolation", between);
    json_finish(&a->samplers, '}');
}

static void animate_track(GlbAnimating *a, const GlbTrack *track)
{
    static const struct {
        const char *name;
        size_t offset;
        int components;
    } paths[] = {{"translation", offsetof(GlbPose, translation), 3},
                 {"rotation", offsetof(GlbPose, rotation), 4}};
    Glb *glb = &a->film->glb;
    float *times = glb_floats(glb, track->count);
    for (size_t i = 0; times != NULL && i < track->count; ++i) times[i] = track->poses[i].time;
    size_t in_out[2] = {glb_accessor(glb, track->count, 1, GLB_VALUES), 0};
    for (int p = 0; p < 2; ++p) {
        const size_t size = (size_t)paths[p].components * sizeof(float);
        float *values = glb_floats(glb, track->count * (size_t)paths[p].components);
        for (size_t i = 0; values != NULL && i < track->count; ++i)
            memcpy(values + i * (size_t)paths[p].components,
                   (const char *)&track->poses[i] + paths[p].offset, size);
        in_out[1] = glb_accessor(glb, track->count, paths[p].components, GLB_VALUES);
        put_channel(a, track->node, paths[p].name, in_out, "LINEAR");
    }
}

static void animate_shown(GlbAnimating *a, const GlbShown *shown)
{
    Glb *glb = &a->film->glb;
    const float times[3] = {0, shown->from, shown->until}, scales[3] = {0, 1, 0};
    const size_t first = shown->from > 0 ? 0u : 1u;
    const size_t count = (shown->until > a->film->last ? 2 : 3) - first; /* the last one stays */
    if (count < 2) return;
    float *at = glb_floats(glb, count);
    if (at != NULL) memcpy(at, times + first, count * sizeof *at);
    size_t in_out[2] = {glb_accessor(glb, count, 1, GLB_VALUES), 0};
    float *to = glb_floats(glb, 3 * count);
    for (size_t i = 0; to != NULL && i < 3 * count; ++i) to[i] = scales[first + i / 3];
    in_out[1] = glb_accessor(glb, count, 3, GLB_VALUES);
    put_channel(a, shown->node, "scale", in_out, "STEP");
}

/* Whether it moves at all. */
static bool moves(const GlbTrack *track)
{
    for (size_t i = 1; i < track->count; ++i)
        if (memcmp(track->poses[i].translation, track->poses[0].translation,
                   sizeof track->poses[0].translation) != 0 ||
            memcmp(track->poses[i].rotation, track->poses[0].rotation,
                   sizeof track->poses[0].rotation) != 0)
            return true;
    return false;
}

/* q and -q are the same rotation: the nearer one is what readers must go to. */
static void take_short_ways(GlbTrack *track)
{
    for (size_t i = 1; i < track->count; ++i) {
        const float *before = track->poses[i - 1].rotation;
        float *q = track->poses[i].rotation, dot = 0;
        for (int c = 0; c < 4; ++c) dot += before[c] * q[c];
        for (int c = 0; c < 4 && dot < 0; ++c) q[c] = -q[c];
    }
}

static void animate(GlbFilm *f, Memory *memory)
{
    GlbAnimating a = {f, &f->animation, json_writer(memory)};
    json_begin(a.channels, NULL, '{');
    json_begin(a.channels, "channels", '[');
    json_begin(&a.samplers, NULL, '[');
    for (size_t i = 0; i < f->track_count; ++i) {
        take_short_ways(&f->tracks[i]);
        if (moves(&f->tracks[i])) animate_track(&a, &f->tracks[i]);
    }
    for (size_t i = 0; i < f->shown_count; ++i) animate_shown(&a, &f->shown[i]);
    json_finish(a.channels, ']');
    json_finish(&a.samplers, ']');
    json_put_written(a.channels, "samplers", &a.samplers);
    json_finish(a.channels, '}');
    json_writer_free(&a.samplers);
}

static mote_Status end(Film *film, mote_Error *error)
{
    GlbFilm *f = film->state;
    animate(f, film->memory);
    return glb_write(&f->glb, f->sampler_count > 0 ? &f->animation : NULL, film->path, error);
}

static const FilmRow film = {
    .state_size = sizeof(GlbFilm), .begin = begin, .add = add, .end = end, .close = close_film};

const ExportRow export_glb = {
    .head = EXPORT_HEAD(
        "glb", "glTF 2.0 in one file: everything over time, bodies as nodes with key frames."),
    .holds = PART_ALL,
    .needs_places = true,
    .keeps_poses = true,
    .up = 2,
    .film = &film};
