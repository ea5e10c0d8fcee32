/* The server, by civetweb. A connection has a thread that reads, civetweb's, and one that writes,
 * so that a client who reads slowly delays nobody but itself. */
#include "view/server.h"

#include "base/status.h"

#if MOTE_WITH_CIVETWEB

#include "view/guard.h"
#include "view/pages.h"
#include "view/wire.h"

#include <civetweb.h>

#include <dirent.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    THREADS = POST_BOXES + 12, /* a socket holds one; some are left for pages */
    RATE = 300,                /* requests of a client a second, and as many at once */
    POLL_MS = 250,
    SILENT_MS = 10000, /* after which a client is asked whether it is there */
};

struct ViewServer {
    ViewServerDef def;
    struct mg_context *context;
    char token[VIEW_TOKEN], files[1024];
    char address[VIEW_ADDRESS];
    bool stopping; /* atomic */
};

typedef struct Client {
    ViewServer *server;
    struct mg_connection *connection;
    ViewBox *box;
    pthread_t writer;
    double allowance, counted; /* requests; s by the clock */
    bool deaf;                 /* atomic: nothing can be written to it any more */
} Client;

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

static void *write_letters(void *context)
{
    Client *client = context;
    ViewPost *post = client->server->def.post;
    for (ViewLetter *letter; (letter = box_take(post, client->box)) != NULL;) {
        const int kind = letter->binary ? MG_WEBSOCKET_OPCODE_BINARY : MG_WEBSOCKET_OPCODE_TEXT;
        const int wrote = mg_websocket_write(client->connection, kind, letter->bytes, letter->size);
        letter_release(letter);
        if (wrote <= 0) break;
    }
    __atomic_store_n(&client->deaf, true, __ATOMIC_RELAXED);
    return NULL;
}

/* False when a client asks too often. */
static bool count_request(Client *client)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double time = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    client->allowance += RATE * (time - client->counted);
    if (client->allowance > RATE) client->allowance = RATE;
    client->counted = time;
    client->allowance -= 1;
    return client->allowance >= 0;
}

/* What a client asks for; false ends the connection. */
static bool take_request(Client *client, const unsigned char *bytes, size_t size)
{
    ViewRequest request;
    ViewPost *post = client->server->def.post;
    if (!count_request(client)) return false;
    if (view_request_read((const char *)bytes, size, &request, NULL) != MOTE_OK) return false;
    if (request.what == VIEW_DO_ready) {
        box_ready(post, client->box);
        view_request_free(&request);
        return true;
    }
    request.client = box_number(client->box);
    const uint64_t number = request.client;
    if (!session_ask(client->server->def.session, &request))
        post_text(post, number, "{\"is\": \"note\", \"text\": \"too much was asked for at once\"}");
    return true;
}

static bool take_frame(Client *client, const WireFrame *frame, unsigned char *bytes)
{
    wire_unmask(frame, bytes);
    if (frame->opcode == WIRE_TEXT) return take_request(client, bytes, frame->size);
    if (frame->opcode == WIRE_PING)
        mg_websocket_write(client->connection, MG_WEBSOCKET_OPCODE_PONG, (const char *)bytes,
                           frame->size);
    return frame->opcode != WIRE_CLOSE;
}

/* Waits for bytes; a client that says nothing is asked whether it is still there. False: it is not,
 * or the server ends. */
static bool wait_for_bytes(Client *client, int socket, int *silent)
{
    struct pollfd wait = {.fd = socket, .events = POLLIN};
    while (!__atomic_load_n(&client->server->stopping, __ATOMIC_RELAXED) &&
           !__atomic_load_n(&client->deaf, __ATOMIC_RELAXED)) {
        const int ready = poll(&wait, 1, POLL_MS);
        if (ready > 0) return *silent = 0, true;
        if (ready < 0 && errno != EINTR) return false;
        *silent += POLL_MS;
        if (*silent > 2 * SILENT_MS) return false;
        if (*silent % SILENT_MS == 0)
            mg_websocket_write(client->connection, MG_WEBSOCKET_OPCODE_PING, "", 0);
    }
    return false;
}

typedef struct Inbox {
    unsigned char *bytes;
    size_t count, room;
} Inbox;

/* Room for the frame that has begun, and no more than that. */
static bool inbox_reserve(Inbox *inbox, const WireFrame *frame)
{
    const size_t wanted = frame->head + frame->size > 4096 ? frame->head + frame->size : 4096;
    if (wanted <= inbox->room) return true;
    unsigned char *more = realloc(inbox->bytes, wanted);
    if (more == NULL) return false;
    inbox->bytes = more, inbox->room = wanted;
    return true;
}

/* Until the client goes, or does what it must not. */
static void read_frames(Client *client, int socket)
{
    Inbox inbox = {0};
    int silent = 0;
    while (true) {
        WireFrame frame;
        const WireState state = wire_read(inbox.bytes, inbox.count, VIEW_REQUEST_MOST, &frame);
        if (state == WIRE_WRONG) break;
        if (state == WIRE_WHOLE) {
            const size_t used = frame.head + frame.size;
            if (!take_frame(client, &frame, inbox.bytes + frame.head)) break;
            inbox.count -= used;
            memmove(inbox.bytes, inbox.bytes + used, inbox.count);
            continue;
        }
        if (!inbox_reserve(&inbox, &frame) || !wait_for_bytes(client, socket, &silent)) break;
        const ssize_t got =
            recv(socket, inbox.bytes + inbox.count, inbox.room - inbox.count, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (got <= 0) break;
        inbox.count += (size_t)got;
    }
    free(inbox.bytes);
}

/* civetweb does not tell which socket a connection has: it is the one with this other end. */
static int find_socket(const struct mg_request_info *info)
{
    DIR *list = opendir("/proc/self/fd");
    int found = -1;
    for (struct dirent *entry; list != NULL && found < 0 && (entry = readdir(list)) != NULL;) {
        struct sockaddr_storage peer;
        socklen_t size = sizeof peer;
        char address[64] = "", port[16] = "";
        const int socket = atoi(entry->d_name);
        if (entry->d_name[0] == '.' || getpeername(socket, (struct sockaddr *)&peer, &size) != 0)
            continue;
        getnameinfo((struct sockaddr *)&peer, size, address, sizeof address, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV);
        if (atoi(port) == info->remote_port && strcmp(address, info->remote_addr) == 0)
            found = socket;
    }
    if (list != NULL) closedir(list);
    return found;
}

/* The socket is civetweb's until it is ready, and then read here, frame by frame. */
static void socket_ready(struct mg_connection *connection, void *context)
{
    ViewServer *server = context;
    const int socket = find_socket(mg_get_request_info(connection));
    Client *client = socket >= 0 ? calloc(1, sizeof *client) : NULL;
    ViewBox *box = client != NULL ? post_join(server->def.post) : NULL;
    if (box != NULL) {
        *client =
            (Client){.server = server, .connection = connection, .box = box, .allowance = RATE};
        if (pthread_create(&client->writer, NULL, write_letters, client) == 0) {
            read_frames(client, socket);
            shutdown(socket, SHUT_RDWR);
            box_end(server->def.post, box);
            pthread_join(client->writer, NULL);
        }
        post_leave(server->def.post, box);
    }
    free(client);
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
