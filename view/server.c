/* The server, by civetweb. A connection has a thread that reads, civetweb's, and one that writes,
 * so that a client who reads slowly delays nobody but itself. */
#include "view/server.h"

#include "base/status.h"

#if MOTE_WITH_CIVETWEB

#include "view/client.h"
#include "view/guard.h"
#include "view/pages.h"

#include <civetweb.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS = POST_BOXES + 12, /* a socket holds one; some are left for pages */
};

struct ViewServer {
    ViewServerDef def;
    struct mg_context *context;
    char token[VIEW_TOKEN], files[1024];
    char address[VIEW_ADDRESS];
    bool stopping; /* atomic */
};

/* ---- pages ---- */

#define SAFE_HEADERS                                                                               \
    "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n" \
    "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n"     \
    "Cache-Control: no-store\r\n"

static int refuse(struct mg_connection *connection, int code, const char *why)
{
    mg_printf(connection,
              "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\n"
              "Content-Length: %zu\r\n" SAFE_HEADERS "Connection: close\r\n\r\n%s\n",
              code, mg_get_response_code_text(connection, code), strlen(why) + 1, why);
    return code;
}

static int send_page(struct mg_connection *connection, const ViewPage *page, const char *host)
{
    const size_t size = strlen(page->text);
    mg_printf(connection,
              "HTTP/1.1 200 OK\r\nContent-Type: %s; charset=utf-8\r\nContent-Length: %zu\r\n"
              "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
              "img-src 'self' data: blob:; connect-src 'self' ws://%s; base-uri 'none'; "
              "form-action 'none'; frame-ancestors 'none'\r\n" SAFE_HEADERS
              "Connection: close\r\n\r\n",
              page_type(page), size, host);
    if (strcmp(mg_get_request_info(connection)->request_method, "HEAD") != 0)
        mg_write(connection, page->text, size);
    return 200;
}

static int send_file(const ViewServer *server, struct mg_connection *connection, const char *name)
{
    char path[2048];
    if (!guard_file(name)) return refuse(connection, 404, "there is no such file");
    snprintf(path, sizeof path, "%s/%s", server->files, name);
    mg_send_mime_file2(connection, path, NULL, SAFE_HEADERS "Content-Disposition: attachment\r\n");
    return 200;
}

/* The first to see a request. 0: civetweb goes on with the socket. */
static int begin_request(struct mg_connection *connection)
{
    const struct mg_request_info *info = mg_get_request_info(connection);
    const ViewServer *server = info->user_data;
    const char *host = mg_get_header(connection, "Host");
    const char *path = guard_path(server->token, info->local_uri);
    static const char file[] = "file/";
    if (!guard_host(host, server->def.bind != NULL))
        return refuse(connection, 403, "this view has another address");
    if (path == NULL) return refuse(connection, 403, "the address is incomplete: take all of it");
    if (!guard_origin(mg_get_header(connection, "Origin"), host))
        return refuse(connection, 403, "pages of other sites are not let in");
    if (strcmp(info->request_method, "GET") != 0 && strcmp(info->request_method, "HEAD") != 0)
        return refuse(connection, 405, "there is nothing to write here");
    if (strcmp(path, "socket") == 0) {
        if (mg_get_header(connection, "Upgrade") == NULL)
            return refuse(connection, 400, "this is a socket");
        if (post_clients(server->def.post) >= POST_BOXES)
            return refuse(connection, 503, "too many are looking already");
        return 0;
    }
    if (strncmp(path, file, sizeof file - 1) == 0)
        return send_file(server, connection, path + sizeof file - 1);
    const ViewPage *page = page_find(path[0] != '\0' ? path : "index.html");
    return page != NULL ? send_page(connection, page, host)
                        : refuse(connection, 404, "there is no such page");
}

/* ---- sockets ---- */

/* The socket is civetweb's until it is ready, and then a client's until that goes. */
static void socket_ready(struct mg_connection *connection, void *context)
{
    ViewServer *server = context;
    const ClientDef def = {server->def.post, server->def.session, &server->stopping};
    client_serve(connection, &def);
}

/* What has come in with the handshake is nobody's. */
static int socket_data(struct mg_connection *connection, int bits, char *bytes, size_t size,
                       void *context)
{
    (void)connection, (void)bits, (void)bytes, (void)size, (void)context;
    return 0;
}

/* ---- the server ---- */

static int say_nothing(const struct mg_connection *connection, const char *text)
{
    (void)connection, (void)text;
    return 1;
}

static struct mg_context *listen_at(ViewServer *server, const char *port)
{
    const struct mg_callbacks callbacks = {
        .begin_request = begin_request, .log_message = say_nothing, .log_access = say_nothing};
    char threads[16];
    snprintf(threads, sizeof threads, "%d", THREADS);
    const char *options[] = {"listening_ports",
                             port,
                             "num_threads",
                             threads,
                             "request_timeout_ms",
                             "10000",
                             "websocket_timeout_ms",
                             "20000",
                             "enable_websocket_ping_pong",
                             "yes",
                             "enable_directory_listing",
                             "no",
                             "enable_keep_alive",
                             "no",
                             "tcp_nodelay",
                             "1",
                             "connection_queue",
                             "128",
                             "listen_backlog",
                             "256",
                             NULL};
    mg_init_library(0);
    return mg_start(&callbacks, server, options);
}

mote_Status server_start(const ViewServerDef *def, ViewServer **out, mote_Error *error)
{
    ViewServer *server = calloc(1, sizeof *server);
    struct mg_server_port ports[2] = {{0}};
    char port[128], socket[VIEW_TOKEN + 16];
    const char *bind = def->bind != NULL ? def->bind : "127.0.0.1";
    *out = NULL;
    if (server == NULL) return status_no_memory(error, "a server", sizeof *server);
    server->def = *def;
    snprintf(server->files, sizeof server->files, "%s", def->files);
    snprintf(port, sizeof port, "%s:%d", bind, def->port);
    if (guard_token(server->token)) server->context = listen_at(server, port);
    if (server->context == NULL) {
        free(server);
        return status_fail(error, MOTE_IO_FAILED,
                           "view: cannot listen at %s; is the port taken? --port 0 takes any",
                           port);
    }
    mg_get_server_ports(server->context, 2, ports);
    snprintf(server->address, sizeof server->address, "http://%s:%d/%s/", bind, ports[0].port,
             server->token);
    snprintf(socket, sizeof socket, "/%s/socket", server->token);
    mg_set_websocket_handler(server->context, socket, NULL, socket_ready, socket_data, NULL,
                             server);
    *out = server;
    return MOTE_OK;
}

void server_stop(ViewServer *server)
{
    if (server == NULL) return;
    __atomic_store_n(&server->stopping, true, __ATOMIC_RELAXED);
    post_close(server->def.post);
    mg_stop(server->context);
    mg_exit_library();
    free(server);
}

const char *server_address(const ViewServer *server)
{
    return server->address;
}

#else

mote_Status server_start(const ViewServerDef *def, ViewServer **server, mote_Error *error)
{
    (void)def;
    *server = NULL;
    return status_fail(error, MOTE_UNAVAILABLE,
                       "this build has no view; with the package libcivetweb-dev installed, build "
                       "again");
}

void server_stop(ViewServer *server)
{
    (void)server;
}

const char *server_address(const ViewServer *server)
{
    (void)server;
    return "";
}

#endif
