/* Frames and states in parts. */
#include "world/parts.h"

#include "base/status.h"
#include "world/world.h"

#include <string.h>

static const mote_ArrayType array_types[] = {[MOTE_COLUMN_REAL] = MOTE_ARRAY_REAL,
                                             [MOTE_COLUMN_DOUBLE] = MOTE_ARRAY_F64,
                                             [MOTE_COLUMN_U32] = MOTE_ARRAY_U32,
                                             [MOTE_COLUMN_U64] = MOTE_ARRAY_U64};

/* ---- frames ---- */

static WorldPart part_of(const SystemSlot *slot, const mote_Column *column, size_t rows)
{
    return (WorldPart){.array = {.name = column->name,
                                 .type = array_types[column->type],
                                 .rows = rows,
                                 .components = column->components,
                                 .stride = column->stride,
                                 .data = column->data},
                       .total = slot->all.count,
                       .shared = !slot_is_copied(slot)};
}

/* The columns that frames show become parts, and heads of what all ranks have. */
static mote_Status view_part(mote_World *world, SystemSlot *slot, mote_Column *columns,
                             mote_FrameSystem *view, mote_Error *error)
{
    size_t rows;
    mote_Status status = spread_part(&world->spread, slot, GATHERED_FRAME, columns, &rows, error);
    size_t shown = 0;
    for (size_t i = 0; i < slot->system->column_count && status == MOTE_OK; ++i) {
        const mote_Column column = columns[i];
        if (column.internal) continue;
        world->parts[world->part_count++] = part_of(slot, &column, rows);
        columns[shown] = column;
        columns[shown].data = NULL, columns[shown++].stride = 0;
    }
    *view = (mote_FrameSystem){.name = slot->system->name,
                               .count = (size_t)slot->all.count,
                               .columns = columns,
                               .column_count = shown};
    return status;
}

static mote_Status reserve_parts(mote_World *world, size_t count, mote_Error *error)
{
    world->part_count = 0;
    const bool room = memory_reserve(&world->memory, (void **)&world->parts, &world->part_capacity,
                                     count + 1, sizeof *world->parts);
    return ranks_agree(world->shop.ranks, room ? MOTE_OK : status_no_memory(error, "parts", count),
                       error);
}

static mote_Status view_parts(mote_World *world, mote_Error *error)
{
    mote_Column *columns = world->view_columns;
    size_t count = 0;
    for (size_t i = 0; i < world->slot_count; ++i) count += world->slots[i].system->column_count;
    mote_Status status = reserve_parts(world, count, error);
    arena_reset(&world->spread.gathered[GATHERED_FRAME]);
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i) {
        status = view_part(world, &world->slots[i], columns, &world->view_systems[i], error);
        columns += world->view_systems[i].column_count;
    }
    return status;
}

const mote_Frame *world_frame_parts(mote_World *world, const WorldPart **parts)
{
    const mote_Frame *frame = world_show(world, view_parts);
    *parts = world->parts;
    return frame;
}

/* ---- states ---- */

/* Whose rows an array has, if they are dealt; else NULL. */
static SystemSlot *shared_slot(const Slots *slots, const char *array)
{
    SystemSlot *slot = spread_slot_of(slots, array);
    return slot != NULL && !slot_is_copied(slot) ? slot : NULL;
}

mote_Status world_state_parts(mote_World *world, const WorldPart **parts, size_t *count,
                              mote_Error *error)
{
    const Slots slots = world_slots(world);
    mote_Status status = world_begin(world, error);
    if (status == MOTE_OK) status = world_list_state(world, STATE_PARTS, error);
    status = ranks_agree(world->shop.ranks, status, error);
    if (status == MOTE_OK) status = reserve_parts(world, world->state_count, error);
    for (size_t i = 0; i < world->state_count && status == MOTE_OK; ++i) {
        const mote_StateArray *array = &world->state[i];
        const SystemSlot *slot = shared_slot(&slots, array->name);
        world->parts[world->part_count++] =
            (WorldPart){*array, slot != NULL ? slot->all.count : array->rows, slot != NULL};
    }
    *parts = world->parts, *count = world->part_count;
    return status;
}

bool world_cut_state(mote_World *world, const char *array, size_t total, size_t *ends)
{
    const mote_Ranks *ranks = world->shop.ranks;
    const Slots slots = world_slots(world);
    for (int r = 0; r < ranks->count; ++r)
        ends[r] = ranks_slice_begin(ranks, r + 1, total, BLOCK_ROWS);
    return shared_slot(&slots, array) != NULL;
}

mote_Status world_restore_parts(mote_World *world, const WorldPart *parts, size_t count,
                                mote_Error *error)
{
    const Slots slots = world_slots(world);
    Arena *arena = &world->spread.gathered[GATHERED_STATE];
    arena_reset(arena);
    mote_StateArray *arrays = arena_take(arena, (count + 1) * sizeof *arrays);
    mote_Status status = arrays != NULL ? MOTE_OK : status_no_memory(error, "a state", count);
    for (size_t i = 0; i < count && arrays != NULL; ++i) {
        arrays[i] = parts[i].array;
        if (parts[i].shared)
            spread_saved_slice(&world->spread, shared_slot(&slots, arrays[i].name), parts[i].total);
    }
    if (status == MOTE_OK) status = world_restore_own(world, arrays, count, error);
    spread_order_slices(&world->spread, &slots);
    return ranks_agree(world->shop.ranks, status, error);
}
