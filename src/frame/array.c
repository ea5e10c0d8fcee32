/* The types of state arrays. */
#include <mote/frame.h>

static const size_t item_sizes[] = {
    [MOTE_ARRAY_F32] = 4, [MOTE_ARRAY_F64] = 8, [MOTE_ARRAY_U32] = 4,
    [MOTE_ARRAY_U64] = 8, [MOTE_ARRAY_I64] = 8, [MOTE_ARRAY_BYTE] = 1,
};

size_t mote_array_item_size(mote_ArrayType type)
{
    return item_sizes[type];
}
