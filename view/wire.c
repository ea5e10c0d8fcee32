/* Heads of frames. */
#include "view/wire.h"

enum { LAST = 0x80, MASKED = 0x80, LENGTH = 0x7f, CONTROL_MOST = 125 };

/* Bytes of the length behind the second byte. */
static size_t extra(unsigned code)
{
    return code == 126 ? 2 : code == 127 ? 8 : 0;
}

static bool is_right(unsigned first, unsigned second, size_t size, size_t most)
{
    const unsigned opcode = first & 0x0f;
    const bool control = opcode == WIRE_CLOSE || opcode == WIRE_PING || opcode == WIRE_PONG;
    if ((first & 0xf0) != LAST || !(second & MASKED)) return false;
    return control ? size <= CONTROL_MOST : opcode == WIRE_TEXT && size <= most;
}

WireState wire_read(const unsigned char *bytes, size_t count, size_t most, WireFrame *frame)
{
    *frame = (WireFrame){.opcode = 0};
    if (count < 2) return WIRE_MORE;
    const unsigned code = bytes[1] & LENGTH;
    const size_t more = extra(code);
    if (!is_right(bytes[0], bytes[1], more == 0 ? code : 0, most)) return WIRE_WRONG;
    if (count < 2 + more) return WIRE_MORE;
    size_t size = more == 0 ? code : 0;
    for (size_t i = 0; i < more; ++i) {
        if (size > most) return WIRE_WRONG; /* before it overflows */
        size = size << 8 | bytes[2 + i];
    }
    if (!is_right(bytes[0], bytes[1], size, most)) return WIRE_WRONG;
    if (count < 2 + more + 4) return WIRE_MORE;
    frame->opcode = bytes[0] & 0x0f;
    frame->head = 2 + more + 4;
    frame->size = size;
    for (size_t i = 0; i < 4; ++i) frame->mask[i] = bytes[2 + more + i];
    return count < frame->head + size ? WIRE_MORE : WIRE_WHOLE;
}

void wire_unmask(const WireFrame *frame, unsigned char *bytes)
{
    for (size_t i = 0; i < frame->size; ++i) bytes[i] ^= frame->mask[i % 4];
}
