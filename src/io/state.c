/* Checkpoints: named arrays in an .npz file, not interpreted. */
#include "base/status.h"
#include "io/frame_file.h"

#include <assert.h>
#include <string.h>

typedef struct OwnedState {
    mote_State state; /* first, so that mote_state_destroy finds the rest */
    Memory memory;
    Arena arena;
} OwnedState;

/* ---- writing ---- */

mote_Status state_file_write(const char *path, const mote_StateArray *arrays, size_t count,
                             const NpzOptions *options, mote_Error *error)
{
    JsonWriter head = json_writer(options->memory);
    json_begin(&head, NULL, '{');
    head_write(&head, STATE_FORMAT);
    json_finish(&head, '}');
    NpzItem *items = memory_zeroed(options->memory, (count + 1) * sizeof *items);
    mote_Status status = MOTE_OK;
    if (items == NULL || head.failed) {
        status = status_no_memory(error, "writing a checkpoint", (count + 1) * sizeof *items);
    } else {
        items[0] =
            (NpzItem){.array = {.name = STATE_HEAD}, .text = head.text, .text_size = head.size};
        for (size_t i = 0; i < count; ++i) items[i + 1].array = arrays[i];
        status = npz_write(path, items, count + 1, options, error);
    }
    memory_free(options->memory, items, (count + 1) * sizeof *items);
    json_writer_free(&head);
    return status;
}

mote_Status mote_state_write(const char *path, const mote_StateArray *arrays, size_t count,
                             mote_Tasks *tasks, mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    NpzOptions options = {.memory = &memory, .tasks = tasks};
    return state_file_write(path, arrays, count, &options, error);
}

/* ---- reading ---- */

static mote_Status check_head(const Npz *npz, mote_Error *error)
{
    Json json;
    mote_Status status = head_parse(npz, STATE_HEAD, &json, error);
    if (status != MOTE_OK) return status;
    JsonReader reader = {.json = &json, .error = error};
    int real_bytes = head_read(&reader, json.root, STATE_FORMAT);
    if (real_bytes != (int)sizeof(mote_real)) head_refuse_precision(&reader, json.root, real_bytes);
    json_free(&json);
    return reader.status;
}

/* Room for the data; sizes were compared with the file's before. */
static mote_Status make_array(OwnedState *owned, const NpzMember *member, const NpyShape *shape,
                              mote_StateArray *array, mote_Error *error)
{
    size_t bytes = shape->rows * shape->planes * mote_array_item_size(shape->type);
    size_t length = strlen(member->name) - strlen(".npy");
    char *name = arena_take(&owned->arena, length + 1);
    void *data = name != NULL ? arena_take(&owned->arena, bytes > 0 ? bytes : 1) : NULL;
    if (data == NULL) return status_no_memory(error, "a checkpoint", bytes);
    memcpy(name, member->name, length);
    name[length] = '\0';
    *array = (mote_StateArray){.name = name,
                               .type = shape->type,
                               .rows = shape->rows,
                               .components = (int)shape->planes,
                               .stride = shape->rows,
                               .data = data};
    return MOTE_OK;
}

static mote_Status read_array(const Npz *npz, const NpzMember *member, OwnedState *owned,
                              mote_StateArray *array, mote_Error *error)
{
    NpzStream stream;
    NpyShape shape;
    mote_Status status = npz_begin(&stream, npz, member, error);
    if (status == MOTE_OK) status = npz_read_shape(&stream, &shape, error);
    if (status == MOTE_OK && shape.planes == 0)
        status = status_fail(error, MOTE_IO_FAILED, "%s, member \"%.80s\": has no columns",
                             file_label(npz->source.path), member->name);
    if (status == MOTE_OK) status = make_array(owned, member, &shape, array, error);
    if (status == MOTE_OK)
        status = npz_read_planes(&stream, &shape, array->data, array->stride, error);
    return npz_end(&stream, status, error);
}

static bool is_array(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".npy") == 0;
}

static mote_Status read_arrays(const Npz *npz, OwnedState *owned, mote_Error *error)
{
    size_t bytes = (npz->count + 1) * sizeof(mote_StateArray);
    mote_StateArray *arrays = arena_take(&owned->arena, bytes);
    mote_Status status =
        arrays != NULL ? check_head(npz, error) : status_no_memory(error, "a checkpoint", bytes);
    owned->state.arrays = arrays;
    for (size_t i = 0; i < npz->count && status == MOTE_OK; ++i) {
        if (!is_array(npz->members[i].name)) continue;
        status = read_array(npz, &npz->members[i], owned, &arrays[owned->state.count], error);
        ++owned->state.count;
    }
    return status;
}

mote_Status state_file_read(Source source, mote_Allocator allocator, mote_State **state,
                            mote_Error *error)
{
    Memory memory = memory_make(allocator);
    Npz npz;
    *state = NULL;
    mote_Status status = npz_open(&npz, source, &memory, error);
    if (status != MOTE_OK) return status;
    OwnedState *owned = memory_zeroed(&memory, sizeof *owned);
    if (owned != NULL) {
        owned->memory = memory_make(allocator);
        owned->arena = arena_make(&owned->memory);
        status = read_arrays(&npz, owned, error);
    } else {
        status = status_no_memory(error, "a checkpoint", sizeof *owned);
    }
    npz_close(&npz);
    if (status == MOTE_OK)
        *state = &owned->state;
    else if (owned != NULL)
        mote_state_destroy(&owned->state);
    return status;
}

mote_Status mote_state_read(const char *path, mote_State **state, mote_Error *error)
{
    Source source;
    *state = NULL;
    mote_Status status = source_open(&source, path, error);
    if (status != MOTE_OK) return status;
    return state_file_read(source, mote_default_allocator(), state, error);
}

void mote_state_destroy(mote_State *state)
{
    if (state == NULL) return;
    OwnedState *owned = (OwnedState *)state;
    arena_free(&owned->arena);
    Memory memory = owned->memory;
    memory_free(&memory, owned, sizeof *owned);
}

const mote_StateArray *mote_state_array(const mote_State *state, const char *name)
{
    for (size_t i = 0; i < state->count; ++i)
        if (strcmp(state->arrays[i].name, name) == 0) return &state->arrays[i];
    return NULL;
}
