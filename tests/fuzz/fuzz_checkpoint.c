/* A state that was saved and then changed in any way, put back into a world of any solver: it is
 * refused with a message, or the world makes a frame and a step of it (or says why not). The bytes
 * of checkpoints' files are fuzz_npz's; here they are the changes: five bytes each. */
#include "small.h"

#include <mote/scene.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHANGE_BYTES = 5, MOST_ARRAYS = 256, WIDER = 4 };

typedef struct Change {
    uint8_t array, kind;
    uint16_t where;
    uint8_t value;
} Change;

static void require(bool condition)
{
    if (!condition) abort();
}

/* ---- states of the small scenes, and copies of them ---- */

static mote_Scene *scene_of(size_t i)
{
    static mote_Scene *scenes[SMALL_COUNT];
    mote_SceneDef def = mote_scene_def();
    mote_Error error;
    def.text = small_scenes[i].text;
    if (scenes[i] == NULL) require(mote_scene_load(&def, &scenes[i], &error) == MOTE_OK);
    return scenes[i];
}

static mote_World *world_of(size_t i)
{
    mote_World *world;
    mote_Error error;
    require(mote_scene_world(scene_of(i), NULL, &world, &error) == MOTE_OK);
    return world;
}

/* Packed, with room for more rows. */
static mote_StateArray copy_array(const mote_StateArray *from)
{
    mote_StateArray to = *from;
    size_t item = mote_array_item_size(from->type), plane = from->rows * item;
    size_t stride = from->stride > 0 ? from->stride : from->rows;
    to.stride = 0;
    to.name = strdup(from->name);
    to.data = calloc(WIDER * plane * (size_t)from->components + 64, 1);
    require(to.name != NULL && to.data != NULL);
    for (size_t c = 0; c < (size_t)from->components && plane > 0; ++c)
        memcpy((char *)to.data + c * plane, (const char *)from->data + c * stride * item, plane);
    return to;
}

static size_t copy_arrays(const mote_StateArray *from, size_t count, mote_StateArray *to)
{
    require(count <= MOST_ARRAYS);
    for (size_t i = 0; i < count; ++i) to[i] = copy_array(&from[i]);
    return count;
}

static void free_arrays(mote_StateArray *arrays, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        free((void *)(uintptr_t)arrays[i].name);
        free(arrays[i].data);
    }
}

/* The state after two frames. */
static size_t state_of(size_t i, mote_StateArray *copy)
{
    static mote_StateArray kept[SMALL_COUNT][MOST_ARRAYS];
    static size_t counts[SMALL_COUNT];
    if (counts[i] == 0) {
        const mote_StateArray *arrays;
        size_t count;
        mote_Error error;
        mote_World *world = world_of(i);
        for (int k = 0; k < 2; ++k) require(mote_world_step(world, NULL, &error) == MOTE_OK);
        require(mote_world_state(world, &arrays, &count, &error) == MOTE_OK);
        counts[i] = copy_arrays(arrays, count, kept[i]);
        mote_world_destroy(world);
    }
    return copy_arrays(kept[i], counts[i], copy);
}

/* ---- changes ---- */

static size_t most_rows[MOST_ARRAYS]; /* that the copies have room for */

static double number_of(uint8_t value)
{
    static const double numbers[] = {0,    -0.0,  1,     -1,   0.5,   2,
                                     3,    127,   1e-40, 1e10, -1e10, 1e19,
                                     1e30, -1e38, 1e300, 1e-9, 1e15,  4294967296.0};
    size_t count = sizeof numbers / sizeof numbers[0];
    if (value == 255) return (double)NAN;
    if (value >= 253) return value == 253 ? HUGE_VAL : -HUGE_VAL;
    return value < count ? numbers[value] : (double)value - 128;
}

static void set_number(const mote_StateArray *array, size_t at, uint8_t value)
{
    double number = number_of(value);
    float small = (float)number;
    uint64_t bits = value < 200 ? value : UINT64_MAX - (255u - value);
    size_t item = mote_array_item_size(array->type);
    bool real = array->type == MOTE_ARRAY_F64 || array->type == MOTE_ARRAY_REAL;
    const void *from = !real ? (void *)&bits : item == 4 ? (void *)&small : (void *)&number;
    memcpy((char *)array->data + at * item, from, item);
}

/* Another length; planes stay packed. */
static void set_length(mote_StateArray *array, size_t rows)
{
    size_t item = mote_array_item_size(array->type), old = array->rows * item, new = rows *item;
    size_t planes = (size_t)array->components;
    for (size_t k = 0; k < planes; ++k) {
        size_t c = new > old ? planes - 1 - k : k; /* none is written over before it has moved */
        char *to = (char *)array->data + c * new;
        memmove(to, (char *)array->data + c * old, new < old ? new : old);
        if (new > old) memset(to + old, 0, new - old);
    }
    array->rows = rows;
}

/* Gives an array and, with `all`, those of the same object that are as long, another length. */
static void set_rows(mote_StateArray *arrays, size_t count, const Change *change, bool all)
{
    mote_StateArray *array = &arrays[change->array % count];
    size_t old = array->rows, rows = change->where % (most_rows[array - arrays] + 1);
    size_t object = (size_t)(strrchr(array->name, '/') - array->name);
    for (size_t i = 0; i < count; ++i) {
        bool same = arrays[i].rows == old && strncmp(arrays[i].name, array->name, object) == 0;
        if (rows <= most_rows[i] && (&arrays[i] == array || (all && same)))
            set_length(&arrays[i], rows);
    }
}

static void apply(mote_StateArray *arrays, size_t count, const Change *change)
{
    mote_StateArray *array = &arrays[change->array % count];
    size_t items = array->rows * (size_t)array->components;
    switch (change->kind % 8) {
    case 0: /* a length of its own */
        set_rows(arrays, count, change, false);
        break;
    case 1:
    case 2: /* of the whole object */
        set_rows(arrays, count, change, true);
        break;
    case 3: /* two names are exchanged */
    {
        mote_StateArray *other = &arrays[change->where % count];
        const char *name = array->name;
        array->name = other->name, other->name = name;
        break;
    }
    default:
        if (items > 0) set_number(array, change->where % items, change->value);
    }
}

/* A liquid that was thrown together or has great speeds takes ever shorter sub-steps: that is
 * right, and takes hours. */
static bool is_quick(size_t scene)
{
    return strstr(small_scenes[scene].text, "'sph'") == NULL;
}

static void use(size_t scene, const mote_StateArray *arrays, size_t count)
{
    mote_World *world = world_of(scene);
    mote_Error error = {0};
    mote_Status status = mote_world_restore(world, arrays, count, &error);
    if (status == MOTE_OK && mote_world_frame(world) != NULL && is_quick(scene))
        status = mote_world_step(world, NULL, &error);
    require(status == MOTE_OK || error.message[0] != '\0');
    mote_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mote_StateArray arrays[MOST_ARRAYS];
    if (size == 0) return 0;
    size_t scene = data[0] % SMALL_COUNT, count = state_of(scene, arrays);
    for (size_t i = 0; i < count; ++i) most_rows[i] = WIDER * arrays[i].rows;
    for (size_t at = 1; at + CHANGE_BYTES <= size && at < 20 * CHANGE_BYTES; at += CHANGE_BYTES) {
        const uint8_t *b = data + at;
        apply(arrays, count, &(Change){b[0], b[1], (uint16_t)(b[2] | (uint16_t)(b[3] << 8)), b[4]});
    }
    use(scene, arrays, count);
    free_arrays(arrays, count);
    return 0;
}
