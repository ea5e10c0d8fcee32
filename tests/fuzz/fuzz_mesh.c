/* Fuzzing the readers of mesh files, and the mesh made of what they read. */
#include <mote/mesh.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte picks the name, by which OBJ is told. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a.obj", "a.ply", "a.stl", "a"};
    mote_Mesh *mesh;
    mote_Error error;
    if (size == 0) return 0;
    (void)mote_mesh_parse(data + 1, size - 1, names[data[0] % 4], 1, (mote_Allocator){0}, &mesh,
                          &error);
    mote_mesh_release(mesh);
    return 0;
}
