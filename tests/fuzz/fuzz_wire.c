/* Any bytes as frames of a client's WebSocket: what is taken for whole is there and not too long.
 */
#include "view/wire.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 300 };
    unsigned char *copy = malloc(size + 1);
    if (size > 0) memcpy(copy, data, size);
    for (size_t at = 0; at <= size;) {
        WireFrame frame, again;
        const WireState state = wire_read(copy + at, size - at, MOST, &frame);
        require(frame.size <= MOST && frame.head <= WIRE_HEAD_MOST);
        if (state != WIRE_WHOLE) break;
        require(frame.head >= 6 && frame.head + frame.size <= size - at);
        require(wire_read(copy + at, frame.head + frame.size - 1, MOST, &again) == WIRE_MORE);
        wire_unmask(&frame, copy + at + frame.head);
        at += frame.head + frame.size;
    }
    free(copy);
    return 0;
}
