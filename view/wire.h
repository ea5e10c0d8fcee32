/* Frames of a WebSocket as clients send them (RFC 6455, section 5.2). civetweb would take memory
 * for as many bytes as a frame's head claims: here the claim is looked at first. */
#ifndef VIEW_WIRE_H
#define VIEW_WIRE_H

#include <stdbool.h>
#include <stddef.h>

enum { WIRE_TEXT = 1, WIRE_CLOSE = 8, WIRE_PING = 9, WIRE_PONG = 10, WIRE_HEAD_MOST = 14 };

typedef struct WireFrame {
    int opcode;            /* WIRE_... */
    size_t head, size;     /* bytes of the head, and of what follows it */
    unsigned char mask[4]; /* over what follows */
} WireFrame;

typedef enum WireState {
    WIRE_MORE,  /* not all of it is there; frame->size is known when frame->head is above 0 */
    WIRE_WHOLE, /* all of it is there */
    WIRE_WRONG  /* in pieces, not masked, of another kind, or longer than `most` */
} WireState;

WireState wire_read(const unsigned char *bytes, size_t count, size_t most, WireFrame *frame);
/* Takes the mask off. */
void wire_unmask(const WireFrame *frame, unsigned char *bytes);

#endif
