/* Surfaces of a run. */
#include "run/pictures.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdio.h>

typedef struct RunSurface {
    const char *system;
    mote_Surface *maker;
} RunSurface;

static size_t count_surfaces(const mote_Scene *scene)
{
    const char *system;
    mote_SurfaceDef def;
    size_t count = 0;
    while (mote_scene_surface(scene, count, &system, &def)) ++count;
    return count;
}

mote_Status surfaces_open(Surfaces *s, const mote_Scene *scene, mote_Tasks *tasks,
                          mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    size_t count = count_surfaces(scene), bytes = count * sizeof *s->items;
    mote_Status status = MOTE_OK;
    if (count == 0) return MOTE_OK;
    s->count = count;
    s->items = memory_zeroed(&memory, bytes);
    s->meshes = memory_zeroed(&memory, count * sizeof *s->meshes);
    if (s->items == NULL || s->meshes == NULL) return status_no_memory(error, "surfaces", bytes);
    for (size_t i = 0; i < count && status == MOTE_OK; ++i) {
        mote_SurfaceDef def;
        mote_scene_surface(scene, i, &s->items[i].system, &def);
        def.tasks = tasks;
        status = mote_surface_create(&def, &s->items[i].maker, error);
    }
    return status;
}

void surfaces_close(Surfaces *s)
{
    Memory memory = memory_make(mote_default_allocator());
    for (size_t i = 0; s->items != NULL && i < s->count; ++i)
        mote_surface_destroy(s->items[i].maker);
    memory_free(&memory, s->items, s->count * sizeof *s->items);
    memory_free(&memory, s->meshes, s->count * sizeof *s->meshes);
    *s = (Surfaces){.count = 0};
}

mote_Status surfaces_make(Surfaces *s, const mote_Frame *frame, const mote_Frame **out,
                          mote_Error *error)
{
    *out = frame;
    for (size_t i = 0; i < s->count; ++i) {
        mote_Error reason;
        mote_Status status = mote_surface_frame(s->items[i].maker, frame, s->items[i].system,
                                                &s->meshes[i], NULL, &reason);
        if (status != MOTE_OK)
            return status_fail(error, status, "frame %llu, system %.60s: %.380s",
                               (unsigned long long)frame->index, s->items[i].system,
                               reason.message);
    }
    if (s->count == 0) return MOTE_OK;
    s->frame = *frame;
    s->frame.surfaces = s->meshes, s->frame.surface_count = s->count;
    *out = &s->frame;
    return MOTE_OK;
}
