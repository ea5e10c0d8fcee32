/* Any bytes as what a client of the view sends: a request, or an error with a sentence. */
#include "view/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ViewRequest request;
    mote_Error error = {0};
    const mote_Status status = view_request_read((const char *)data, size, &request, &error);
    require(status == MOTE_OK || error.message[0] != '\0');
    if (status != MOTE_OK) {
        require(request.text == NULL);
        return 0;
    }
    require((int)request.what >= 0 && request.what < VIEW_DO_COUNT);
    require(isfinite(request.number) && isfinite(request.place.x) && isfinite(request.place.y));
    require(memchr(request.key, '\0', sizeof request.key) != NULL);
    require(!request.has_camera || (request.camera.fov > 0 && isfinite(request.camera.height)));
    view_request_free(&request);
    return 0;
}
