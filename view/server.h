/* The server of a session: one page, one WebSocket, and files that were made, on this machine alone
 * unless another address is given. Everything stands below a secret first part of the path, so that
 * only who was given the address gets in. MOTE_UNAVAILABLE without civetweb. */
#ifndef VIEW_SERVER_H
#define VIEW_SERVER_H

#include "view/session.h"

enum { VIEW_TOKEN = 33, VIEW_ADDRESS = 128 };

typedef struct ViewServer ViewServer;

typedef struct ViewServerDef {
    const char *bind; /* an address of this machine; NULL: 127.0.0.1 */
    int port;         /* 0: any that is free */
    ViewSession *session;
    ViewPost *post;
    const char *files; /* folder of what is handed out below file/ */
} ViewServerDef;

mote_Status server_start(const ViewServerDef *def, ViewServer **server, mote_Error *error);
/* Ends all connections. NULL is allowed. */
void server_stop(ViewServer *server);

/* "http://127.0.0.1:PORT/TOKEN/" */
const char *server_address(const ViewServer *server);

#endif
