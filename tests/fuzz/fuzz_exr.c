/* Fuzzing the reader of OpenEXR files. */
#include <mote/render.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mote_Image *image;
    mote_Error error;
    (void)mote_image_decode_exr(data, size, "it", &image, &error);
    mote_image_destroy(image);
    return 0;
}
