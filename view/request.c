/* Reading requests. */
#include "view/request.h"

#include "base/status.h"
#include "text/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VIEW_REQUEST_NAME(name) #name,
static const char *const names[] = {VIEW_REQUESTS(VIEW_REQUEST_NAME) NULL};

static bool read_vec(const Node *array, mote_Vec3 *out)
{
    double v[3];
    if (array == NULL || array->type != NODE_ARRAY || array->count != 3) return false;
    for (size_t i = 0; i < 3; ++i) {
        const Node *child = node_child(array, i);
        if (child->type != NODE_NUMBER || !(fabs(child->number) < 1e30)) return false;
        v[i] = child->number;
    }
    *out = (mote_Vec3){(mote_real)v[0], (mote_real)v[1], (mote_real)v[2]};
    return true;
}

static bool read_number(const Node *object, const char *key, double *out)
{
    const Node *node = node_find(object, key);
    if (node == NULL) return true;
    if (node->type != NODE_NUMBER || !(fabs(node->number) < 1e15)) return false;
    *out = node->number;
    return true;
}

static bool read_camera(const Node *camera, ViewRequest *request)
{
    double fov = 40, height = 0;
    if (camera == NULL) return true;
    request->has_camera = true;
    if (!read_vec(node_find(camera, "from"), &request->camera.from) ||
        !read_vec(node_find(camera, "to"), &request->camera.to) ||
        !read_vec(node_find(camera, "up"), &request->camera.up) ||
        !read_number(camera, "fov", &fov) || !read_number(camera, "height", &height))
        return false;
    request->camera.fov = (mote_real)fov;
    request->camera.height = (mote_real)height;
    return fov > 0 && fov <= 170 && height >= 0;
}

static bool read_text(const Node *node, ViewRequest *request)
{
    if (node == NULL) return true;
    if (node->type != NODE_TEXT) return false;
    request->text = strdup(node->text);
    return request->text != NULL;
}

static bool read_key(const Node *node, ViewRequest *request)
{
    if (node == NULL) return true;
    if (node->type != NODE_TEXT || strlen(node->text) >= sizeof request->key) return false;
    memcpy(request->key, node->text, strlen(node->text) + 1);
    return true;
}

/* What some of them cannot do without. */
static bool is_whole(const ViewRequest *request)
{
    const bool wants_text = request->what == VIEW_DO_set || request->what == VIEW_DO_check ||
                            request->what == VIEW_DO_use || request->what == VIEW_DO_save;
    if (wants_text && request->text == NULL) return false;
    return request->what != VIEW_DO_set || request->key[0] != '\0';
}

static bool read_object(const Node *root, ViewRequest *request)
{
    const Node *what = node_find(root, "do"), *on = node_find(root, "on");
    const Node *place = node_find(root, "place");
    if (what == NULL || what->type != NODE_TEXT) return false;
    size_t i = 0;
    while (names[i] != NULL && strcmp(names[i], what->text) != 0) ++i;
    request->what = (ViewDo)i;
    request->on = on != NULL && on->type == NODE_BOOL && on->boolean;
    return names[i] != NULL && read_number(root, "number", &request->number) &&
           (place == NULL || read_vec(place, &request->place)) &&
           read_camera(node_find(root, "camera"), request) &&
           read_key(node_find(root, "key"), request) &&
           read_text(node_find(root, "text"), request) && is_whole(request);
}

mote_Status view_request_read(const char *bytes, size_t size, ViewRequest *request,
                              mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    Json json;
    *request = (ViewRequest){.what = VIEW_DO_COUNT};
    if (size > VIEW_REQUEST_MOST)
        return status_fail(error, MOTE_BAD_VALUE, "request: it has %zu bytes, but at most %d", size,
                           VIEW_REQUEST_MOST);
    mote_Status status = json_parse(&json, "request", bytes, size, &memory, error);
    if (status != MOTE_OK) return status;
    const bool good = read_object(json.root, request);
    json_free(&json);
    if (good) return MOTE_OK;
    view_request_free(request);
    return status_fail(error, MOTE_BAD_VALUE, "request: it is none of those that there are");
}

void view_request_free(ViewRequest *request)
{
    free(request->text);
    request->text = NULL;
}
