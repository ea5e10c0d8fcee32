/* Two threads for a client: civetweb's reads what it asks for, frame by frame, and one of its own
 * writes to it, so that a client who reads slowly delays nobody but itself. */
#include "view/client.h"

#if MOTE_WITH_CIVETWEB

#include "base/machine.h"
#include "view/wire.h"

#include <civetweb.h>

#include <dirent.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
    RATE = 300, /* requests of a client a second, and as many at once */
    POLL_MS = 250,
    SILENT_MS = 10000, /* after which a client is asked whether it is there */
};

typedef struct Client {
    const ClientDef *def;
    struct mg_connection *connection;
    ViewBox *box;
    pthread_t writer;
    double allowance, counted; /* requests; s by the clock */
    bool deaf;                 /* atomic: nothing can be written to it any more */
} Client;

static void *write_letters(void *context)
{
    Client *client = context;
    ViewPost *post = client->def->post;
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
    const double time = clock_seconds();
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
    ViewPost *post = client->def->post;
    if (!count_request(client)) return false;
    if (view_request_read((const char *)bytes, size, &request, NULL) != MOTE_OK) return false;
    if (request.what == VIEW_DO_ready) {
        box_ready(post, client->box);
        view_request_free(&request);
        return true;
    }
    request.client = box_number(client->box);
    const uint64_t number = request.client;
    if (!session_ask(client->def->session, &request))
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
    while (!__atomic_load_n(client->def->stopping, __ATOMIC_RELAXED) &&
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

void client_serve(struct mg_connection *connection, const ClientDef *def)
{
    const int socket = find_socket(mg_get_request_info(connection));
    ViewBox *box = socket >= 0 ? post_join(def->post) : NULL;
    if (box == NULL) return;
    Client client = {.def = def, .connection = connection, .box = box, .allowance = RATE};
    if (pthread_create(&client.writer, NULL, write_letters, &client) == 0) {
        read_frames(&client, socket);
        shutdown(socket, SHUT_RDWR);
        box_end(def->post, box);
        pthread_join(client.writer, NULL);
    }
    post_leave(def->post, box);
}

#endif
