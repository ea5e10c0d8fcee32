/* A client of the view: one who looks, by a WebSocket that civetweb has shaken hands over. */
#ifndef VIEW_CLIENT_H
#define VIEW_CLIENT_H

#include "view/session.h"

struct mg_connection;

typedef struct ClientDef {
    ViewPost *post;
    ViewSession *session;
    const bool *stopping; /* atomic: the server ends */
} ClientDef;

/* Returns when the client has gone, or did what it must not. */
void client_serve(struct mg_connection *connection, const ClientDef *def);

#endif
