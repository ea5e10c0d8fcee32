/* The manifest of an output folder in memory. */
#include "io/manifest.h"

#include "base/status.h"

#include <string.h>

static mote_Status own_text(Manifest *manifest, const char *text, const char **copy,
                            mote_Error *error)
{
    size_t size = strlen(text) + 1;
    char *block = arena_take(&manifest->arena, size);
    *copy = block;
    if (block == NULL) return status_no_memory(error, "the manifest", size);
    memcpy(block, text, size);
    return MOTE_OK;
}

mote_Status manifest_create(mote_Allocator allocator, const char *scene, Manifest **out,
                            mote_Error *error)
{
    Memory memory = memory_make(allocator);
    Manifest *manifest = memory_zeroed(&memory, sizeof *manifest);
    *out = manifest;
    if (manifest == NULL) return status_no_memory(error, "the manifest", sizeof *manifest);
    manifest->memory = memory;
    manifest->arena = arena_make(&manifest->memory);
    manifest->mote = mote_version();
    manifest->command = "";
    manifest->real_bytes = (int)sizeof(mote_real);
    mote_Status status = own_text(manifest, scene, &manifest->scene, error);
    if (status == MOTE_OK) return MOTE_OK;
    manifest_destroy(manifest);
    *out = NULL;
    return status;
}

void manifest_destroy(Manifest *manifest)
{
    if (manifest == NULL) return;
    Memory *memory = &manifest->memory;
    memory_free(memory, manifest->items, manifest->item_capacity * sizeof *manifest->items);
    memory_free(memory, manifest->frames, manifest->frame_capacity * sizeof *manifest->frames);
    memory_free(memory, manifest->checkpoints,
                manifest->checkpoint_capacity * sizeof *manifest->checkpoints);
    memory_free(memory, manifest->columns, manifest->column_capacity * sizeof *manifest->columns);
    memory_free(memory, manifest->tables, manifest->table_capacity * sizeof *manifest->tables);
    arena_free(&manifest->arena);
    Memory last = *memory;
    memory_free(&last, manifest, sizeof *manifest);
}

/* The status of appending a copy to one of the manifest's lists. */
#define APPEND(one, copy)                                                                          \
    (memory_reserve(&manifest->memory, (void **)&manifest->one##s, &manifest->one##_capacity,      \
                    manifest->one##_count + 1, sizeof(copy))                                       \
         ? (manifest->one##s[manifest->one##_count++] = (copy), (mote_Status)MOTE_OK)              \
         : status_no_memory(error, "the manifest", sizeof(copy)))

mote_Status manifest_set_command(Manifest *manifest, const char *command, mote_Error *error)
{
    return own_text(manifest, command, &manifest->command, error);
}

mote_Status manifest_add_item(Manifest *manifest, const char *path, uint64_t hash,
                              mote_Error *error)
{
    ManifestItem item = {.hash = hash};
    mote_Status status = own_text(manifest, path, &item.path, error);
    return status == MOTE_OK ? APPEND(item, item) : status;
}

/* The first frame whose index is not below `index`. */
static size_t frame_place(const Manifest *manifest, uint64_t index)
{
    size_t low = 0, high = manifest->frame_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (manifest->frames[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const ManifestFrame *manifest_frame(const Manifest *manifest, uint64_t index)
{
    size_t place = frame_place(manifest, index);
    bool there = place < manifest->frame_count && manifest->frames[place].index == index;
    return there ? &manifest->frames[place] : NULL;
}

void manifest_lose_frame(Manifest *manifest, uint64_t index)
{
    if (manifest_frame(manifest, index) == NULL) return;
    manifest->frames[frame_place(manifest, index)].lost = true;
}

mote_Status manifest_add_frame(Manifest *manifest, uint64_t index, FileSum file, mote_Error *error)
{
    size_t place = frame_place(manifest, index);
    if (manifest_frame(manifest, index) != NULL) {
        manifest->frames[place] = (ManifestFrame){.index = index, .file = file};
        return MOTE_OK;
    }
    if (!memory_reserve(&manifest->memory, (void **)&manifest->frames, &manifest->frame_capacity,
                        manifest->frame_count + 1, sizeof *manifest->frames))
        return status_no_memory(error, "the manifest", sizeof *manifest->frames);
    ManifestFrame *at = &manifest->frames[place];
    memmove(at + 1, at, (manifest->frame_count - place) * sizeof *at);
    *at = (ManifestFrame){.index = index, .file = file};
    ++manifest->frame_count;
    return MOTE_OK;
}

const ManifestCheckpoint *manifest_checkpoint(const Manifest *manifest, uint64_t frame)
{
    for (size_t i = 0; i < manifest->checkpoint_count; ++i)
        if (manifest->checkpoints[i].frame == frame) return &manifest->checkpoints[i];
    return NULL;
}

mote_Status manifest_add_checkpoint(Manifest *manifest, const ManifestCheckpoint *checkpoint,
                                    mote_Error *error)
{
    ManifestCheckpoint copy = *checkpoint;
    mote_Status status = own_text(manifest, checkpoint->file, &copy.file, error);
    return status == MOTE_OK ? APPEND(checkpoint, copy) : status;
}

void manifest_drop_checkpoint(Manifest *manifest, uint64_t frame)
{
    size_t kept = 0;
    for (size_t i = 0; i < manifest->checkpoint_count; ++i)
        if (manifest->checkpoints[i].frame != frame)
            manifest->checkpoints[kept++] = manifest->checkpoints[i];
    manifest->checkpoint_count = kept;
}

const ManifestTable *manifest_table(const Manifest *manifest, const char *file)
{
    for (size_t i = 0; i < manifest->table_count; ++i)
        if (strcmp(manifest->tables[i].file, file) == 0) return &manifest->tables[i];
    return NULL;
}

mote_Status manifest_add_table(Manifest *manifest, const ManifestTable *table, mote_Error *error)
{
    ManifestTable copy = *table;
    mote_Status status = own_text(manifest, table->file, &copy.file, error);
    return status == MOTE_OK ? APPEND(table, copy) : status;
}

mote_Status manifest_add_column(Manifest *manifest, const ManifestColumn *column, mote_Error *error)
{
    ManifestColumn copy = *column;
    mote_Status status = own_text(manifest, column->probe, &copy.probe, error);
    if (status == MOTE_OK) status = own_text(manifest, column->file, &copy.file, error);
    if (status == MOTE_OK) status = own_text(manifest, column->column, &copy.column, error);
    if (status == MOTE_OK) status = own_text(manifest, column->unit, &copy.unit, error);
    return status == MOTE_OK ? APPEND(column, copy) : status;
}

static const ManifestItem *find_item(const Manifest *manifest, const char *path)
{
    for (size_t i = 0; i < manifest->item_count; ++i)
        if (strcmp(manifest->items[i].path, path) == 0) return &manifest->items[i];
    return NULL;
}

size_t manifest_compare(const Manifest *before, const Manifest *after, ManifestChange *changes,
                        size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < before->item_count; ++i) {
        const ManifestItem *old = &before->items[i], *now = find_item(after, old->path);
        if (now != NULL && now->hash == old->hash) continue;
        if (count < most)
            changes[count] = (ManifestChange){
                .path = old->path, .kind = now != NULL ? MANIFEST_CHANGED : MANIFEST_REMOVED};
        ++count;
    }
    for (size_t i = 0; i < after->item_count; ++i) {
        if (find_item(before, after->items[i].path) != NULL) continue;
        if (count < most)
            changes[count] = (ManifestChange){.path = after->items[i].path, .kind = MANIFEST_ADDED};
        ++count;
    }
    return count;
}
