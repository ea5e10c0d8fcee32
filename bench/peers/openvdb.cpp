// OpenVDB beside mote's surfaces: spheres to a level set to a mesh, on one thread.
//     mote-peer-openvdb FILE
// FILE holds the count (uint64), the spacing (double) and x, y, z of each particle (float). Prints
// seconds, triangles and volume.
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetMeasure.h>
#include <openvdb/tools/ParticlesToLevelSet.h>
#include <openvdb/tools/VolumeToMesh.h>
#include <tbb/global_control.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

struct Particles {
    using PosType = openvdb::Vec3R;
    std::vector<float> x;
    double radius;
    size_t size() const { return x.size() / 3; }
    void getPos(size_t i, PosType &p) const { p = PosType(x[3 * i], x[3 * i + 1], x[3 * i + 2]); }
    void getPosRad(size_t i, PosType &p, openvdb::Real &r) const { getPos(i, p), r = radius; }
};

int main(int argc, char **argv)
{
    std::FILE *file = argc == 2 ? std::fopen(argv[1], "rb") : nullptr;
    uint64_t count = 0;
    double spacing = 0;
    if (!file || std::fread(&count, 8, 1, file) != 1 || std::fread(&spacing, 8, 1, file) != 1)
        return 1;
    Particles particles;
    particles.x.resize(3 * count);
    if (std::fread(particles.x.data(), 12, count, file) != count) return 1;
    std::fclose(file);
    particles.radius = spacing; // closes a lattice
    tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    openvdb::initialize();
    auto begun = std::chrono::steady_clock::now();
    auto grid = openvdb::createLevelSet<openvdb::FloatGrid>(spacing / 2, 3);
    openvdb::tools::ParticlesToLevelSet<openvdb::FloatGrid> raster(*grid);
    raster.rasterizeSpheres(particles);
    raster.finalize(true);
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(*grid, points, triangles, quads, 0.0, 0.0);
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    double volume = 0;
    for (const auto &q : quads)
        for (int k = 1; k < 3; ++k)
            volume -= points[q[0]].dot(points[q[k]].cross(points[q[k + 1]])) / 6.0;
    std::printf("%.6f %zu %.6f\n", seconds, triangles.size() + 2 * quads.size(), volume);
    return 0;
}
