/* Fuzzing the .npz reader: any bytes as a frame, as a checkpoint and as an archive of arrays. A
 * failure leaves no memory behind, and what is read stays within what the file can hold. */
#include "io/frame_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_member(const Npz *npz, const NpzMember *member, Memory *memory)
{
    NpzStream stream;
    NpyShape shape;
    mote_Error error;
    mote_Status status = npz_begin(&stream, npz, member, &error);
    if (status == MOTE_OK) status = npz_read_shape(&stream, &shape, &error);
    if (status == MOTE_OK) {
        size_t bytes = shape.rows * shape.planes * mote_array_item_size(shape.type);
        void *data = memory_take(memory, bytes + 1);
        if (data == NULL) abort();
        status = npz_read_planes(&stream, &shape, data, shape.rows, &error);
        memory_free(memory, data, bytes + 1);
    }
    (void)npz_end(&stream, status, &error);
}

static void read_archive(Source source)
{
    Memory memory = memory_make(mote_default_allocator());
    Npz npz;
    mote_Error error;
    if (npz_open(&npz, source, &memory, &error) == MOTE_OK) {
        for (size_t i = 0; i < npz.count; ++i) read_member(&npz, &npz.members[i], &memory);
        npz_close(&npz);
    }
    if (memory.bytes != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Source source = source_memory("fuzz.npz", data, size);
    mote_FrameReadDef def = mote_frame_read_def();
    mote_Frame *frame;
    mote_State *state;
    mote_Error error;
    def.any_precision = true;
    source.unchecked = true;
    read_archive(source);
    if (frame_file_read(source, &def, &frame, &error) == MOTE_OK) mote_frame_hash(frame);
    mote_frame_destroy(frame);
    (void)state_file_read(source, mote_default_allocator(), &state, &error);
    mote_state_destroy(state);
    return 0;
}
