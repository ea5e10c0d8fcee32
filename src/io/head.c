/* The keys that the heads of frames and checkpoints share. */
#include "io/frame_file.h"

#include "base/status.h"

#include <string.h>

void head_write(JsonWriter *writer, int format)
{
    json_put_u64(writer, "format", (uint64_t)format);
    json_put_text(writer, "mote", mote_version());
    json_put_u64(writer, "real_bytes", sizeof(mote_real));
}

int head_read(JsonReader *reader, const Node *root, int format)
{
    uint64_t found = json_u64(reader, root, "format", UINT64_MAX);
    const char *version = json_text(reader, root, "mote");
    uint64_t real_bytes = json_u64(reader, root, "real_bytes", 8);
    if (reader->status != MOTE_OK) return 0;
    if (found != (uint64_t)format)
        reader->status =
            status_fail(reader->error, MOTE_BAD_VALUE,
                        "%s: has format %llu, written by mote %.32s, but mote %s reads format %d",
                        file_label(reader->json->where), (unsigned long long)found, version,
                        mote_version(), format);
    else if (real_bytes != 4 && real_bytes != 8)
        json_fail(reader, "real_bytes", "4 or 8");
    return (int)real_bytes;
}

void head_refuse_precision(JsonReader *reader, const Node *root, int real_bytes)
{
    static const char *const programs[] = {"mote (float)", "mote-double (double)"};
    const char *version = json_text(reader, root, "mote");
    if (reader->status != MOTE_OK) return;
    reader->status = status_fail(
        reader->error, MOTE_BAD_VALUE,
        "%s: was written by %s, version %.32s, but this is %s; continue with the program that "
        "wrote it",
        file_label(reader->json->where), programs[real_bytes == 8], version,
        programs[sizeof(mote_real) == 8]);
}

mote_Status head_parse(const Npz *npz, const char *member, Json *json, mote_Error *error)
{
    char *text;
    size_t size;
    mote_Status status = npz_read_text(npz, member, &text, &size, error);
    if (status != MOTE_OK) return status;
    status = json_parse(json, file_label(npz->source.path), text, size, npz->memory, error);
    memory_free(npz->memory, text, size + 1);
    return status;
}
