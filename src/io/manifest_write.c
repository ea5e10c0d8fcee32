/* The manifest as JSON. Frames are listed as ranges, each with the sizes of its files. */
#include "base/status.h"
#include "io/manifest.h"
#include "text/json_read.h"

const char *const manifest_states[MANIFEST_STATES] = {[MANIFEST_RUNNING] = "running",
                                                      [MANIFEST_FINISHED] = "finished",
                                                      [MANIFEST_STOPPED] = "stopped"};

static void write_items(JsonWriter *writer, const Manifest *manifest)
{
    json_begin(writer, "items", '[');
    for (size_t i = 0; i < manifest->item_count; ++i) {
        json_begin(writer, NULL, '{');
        json_put_text(writer, "path", manifest->items[i].path);
        json_put_hash(writer, "hash", manifest->items[i].hash);
        json_finish(writer, '}');
    }
    json_finish(writer, ']');
}

static void write_sum(JsonWriter *writer, FileSum sum)
{
    json_put_u64(writer, "bytes", sum.bytes);
    json_put_u64(writer, "sum", sum.sum);
}

/* A file, what is said of its frames, and its sum. */
static void write_file(JsonWriter *writer, const char *file, const char *key, uint64_t frames,
                       FileSum sum)
{
    json_begin(writer, NULL, '{');
    json_put_text(writer, "file", file);
    json_put_u64(writer, key, frames);
    write_sum(writer, sum);
    json_finish(writer, '}');
}

/* One range of frames without a gap; returns the number of frames in it. */
static size_t write_range(JsonWriter *writer, const ManifestFrame *frames, size_t count)
{
    size_t length = 1;
    while (length < count && frames[length].index == frames[0].index + length) ++length;
    json_begin(writer, NULL, '{');
    json_put_u64(writer, "first", frames[0].index);
    json_put_u64(writer, "last", frames[length - 1].index);
    json_begin(writer, "bytes", '[');
    for (size_t i = 0; i < length; ++i) json_put_u64(writer, NULL, frames[i].file.bytes);
    json_finish(writer, ']');
    json_begin(writer, "sums", '[');
    for (size_t i = 0; i < length; ++i) json_put_u64(writer, NULL, frames[i].file.sum);
    json_finish(writer, ']');
    json_finish(writer, '}');
    return length;
}

static void write_frames(JsonWriter *writer, const Manifest *manifest)
{
    json_begin(writer, "frames", '[');
    for (size_t i = 0; i < manifest->frame_count;)
        i += write_range(writer, manifest->frames + i, manifest->frame_count - i);
    json_finish(writer, ']');
}

static void write_checkpoints(JsonWriter *writer, const Manifest *manifest)
{
    json_begin(writer, "checkpoints", '[');
    for (size_t i = 0; i < manifest->checkpoint_count; ++i) {
        const ManifestCheckpoint *checkpoint = &manifest->checkpoints[i];
        write_file(writer, checkpoint->file, "frame", checkpoint->frame, checkpoint->sum);
    }
    json_finish(writer, ']');
}

/* A flat list: a row for each column of each table. */
static void write_columns(JsonWriter *writer, const Manifest *manifest)
{
    json_begin(writer, "probes", '[');
    for (size_t i = 0; i < manifest->column_count; ++i) {
        const ManifestColumn *column = &manifest->columns[i];
        json_begin(writer, NULL, '{');
        json_put_text(writer, "probe", column->probe);
        json_put_text(writer, "file", column->file);
        json_put_text(writer, "column", column->column);
        json_put_text(writer, "unit", column->unit);
        json_finish(writer, '}');
    }
    json_finish(writer, ']');
}

static void write_tables(JsonWriter *writer, const Manifest *manifest)
{
    json_begin(writer, "tables", '[');
    for (size_t i = 0; i < manifest->table_count; ++i) {
        const ManifestTable *table = &manifest->tables[i];
        write_file(writer, table->file, "frames", table->frames, table->sum);
    }
    json_finish(writer, ']');
}

static void write_all(JsonWriter *writer, const Manifest *manifest)
{
    json_begin(writer, NULL, '{');
    json_put_u64(writer, "format", MANIFEST_FORMAT);
    json_put_text(writer, "mote", mote_version());
    json_put_u64(writer, "real_bytes", (uint64_t)manifest->real_bytes);
    json_put_text(writer, "scene", manifest->scene);
    json_put_hash(writer, "scene_hash", manifest->scene_hash);
    json_put_double(writer, "fps", manifest->fps);
    json_put_u64(writer, "frames_planned", manifest->frames_planned);
    json_put_text(writer, "state", manifest_states[manifest->state]);
    if (manifest->command[0] != '\0') json_put_text(writer, "command", manifest->command);
    write_frames(writer, manifest);
    write_checkpoints(writer, manifest);
    if (manifest->table_count > 0) write_tables(writer, manifest);
    if (manifest->column_count > 0) write_columns(writer, manifest);
    write_items(writer, manifest);
    json_finish(writer, '}');
}

mote_Status manifest_write(Manifest *manifest, const char *path, mote_Error *error)
{
    OutFile file;
    JsonWriter writer = json_writer(&manifest->memory);
    write_all(&writer, manifest);
    mote_Status status = writer.failed ? status_no_memory(error, "the manifest", writer.size)
                                       : file_begin(&file, path, error);
    if (status == MOTE_OK) {
        int failure = file_put(file.fd, writer.text, writer.size, 0);
        if (failure == 0) {
            status = file_commit(&file, error);
        } else {
            status = file_failed(path, "write it", failure, error);
            file_discard(&file);
        }
    }
    json_writer_free(&writer);
    return status;
}
