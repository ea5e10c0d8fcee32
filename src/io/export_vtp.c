/* VTP: VTK's XML PolyData, with raw appended data, VTI: its ImageData, for volumes, and PVD,
 * ParaView's list of files over time.
 * Every particle is a cell of Verts, without which ParaView shows nothing; links are Lines,
 * triangles are Polys. Reference: VTK File
 * Formats, Kitware, "XML File Formats". Each block of appended data is its size in bytes (64 bits)
 * and then the bytes; vectors are interleaved. */
#include "base/status.h"
#include "io/export.h"
#include "io/volume.h"
#include "particles/system.h"

#include <string.h>

#define MOST_DENSE 4294967296.0 /* numbers in a file */

static const char *const type_names[] = {[MOTE_COLUMN_REAL] =
                                             sizeof(mote_real) == 4 ? "Float32" : "Float64",
                                         [MOTE_COLUMN_DOUBLE] = "Float64",
                                         [MOTE_COLUMN_U32] = "UInt32",
                                         [MOTE_COLUMN_U64] = "UInt64"};

static void write_escaped(Sink *sink, const char *text)
{
    static const char special[] = "&<>\"'";
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (const char *c = text; *c != '\0'; ++c) {
        const char *found = strchr(special, *c);
        if (found != NULL)
            sink_text(sink, names[found - special]);
        else
            sink_put(sink, c, 1);
    }
}

static size_t block_bytes(const mote_Column *column, size_t rows)
{
    return rows * (size_t)column->components * column_item_size(column->type);
}

static void declare_array(Sink *sink, const char *type, const char *name, int components,
                          uint64_t offset)
{
    sink_print(sink, "<DataArray type=\"%s\" Name=\"", type);
    write_escaped(sink, name);
    sink_print(sink, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
               components, (unsigned long long)offset);
}

/* The declaration of a column's array; returns where the next block begins. */
static uint64_t declare(Sink *sink, const mote_Column *column, size_t rows, uint64_t offset)
{
    declare_array(sink, type_names[column->type], column->name, column->components, offset);
    return offset + sizeof(uint64_t) + block_bytes(column, rows);
}

static void open_file(Sink *sink, const char *type)
{
    sink_print(sink,
               "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" "
               "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<%s",
               type, type);
}

static void write_time(Sink *sink, const mote_Frame *frame)
{
    sink_text(sink, ">\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
                    "NumberOfTuples=\"1\" format=\"ascii\">");
    sink_number(sink, frame->time, 17);
    sink_text(sink, "</DataArray>\n</FieldData>\n");
}

static void open_data(Sink *sink, const char *type)
{
    sink_print(sink, "</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n_", type);
}

static void write_header(Sink *sink, const mote_Frame *frame, size_t rows, const MeshRows *mesh)
{
    open_file(sink, "PolyData");
    write_time(sink, frame);
    sink_print(sink,
               "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" "
               "NumberOfLines=\"%zu\" NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
               rows, rows, mesh->link_count, mesh->triangle_count);
}

/* Cells of `corners` points each, left out when there are none; returns where the next block
 * begins. */
static uint64_t declare_cells(Sink *sink, const char *kind, size_t cells, size_t corners,
                              uint64_t offset)
{
    if (cells == 0 && corners > 1) return offset;
    uint64_t offsets = offset + sizeof(uint64_t) + cells * corners * sizeof(int64_t);
    sink_print(sink,
               "<%s>\n<DataArray type=\"Int64\" Name=\"connectivity\" format=\"appended\" "
               "offset=\"%llu\"/>\n<DataArray type=\"Int64\" Name=\"offsets\" format=\"appended\" "
               "offset=\"%llu\"/>\n</%s>\n",
               kind, (unsigned long long)offset, (unsigned long long)offsets, kind);
    return offsets + sizeof(uint64_t) + cells * sizeof(int64_t);
}

static void write_block(Sink *sink, const mote_Column *column, size_t rows)
{
    uint64_t size = block_bytes(column, rows);
    size_t item = column_item_size(column->type);
    sink_put(sink, &size, sizeof size);
    for (size_t row = 0; row < rows && sink->status == MOTE_OK; ++row)
        for (int c = 0; c < column->components; ++c)
            sink_put(sink, column_plane(column, c) + row * item, item);
}

/* The points of the cells (NULL: 0, 1, ...), then where each cell ends. */
static void write_cells(Sink *sink, const size_t *points, size_t cells, size_t corners)
{
    uint64_t size = cells * corners * sizeof(int64_t);
    if (cells == 0 && corners > 1) return;
    sink_put(sink, &size, sizeof size);
    for (size_t i = 0; i < cells * corners; ++i) {
        int64_t point = (int64_t)(points != NULL ? points[i] : i);
        sink_put(sink, &point, sizeof point);
    }
    size = cells * sizeof(int64_t);
    sink_put(sink, &size, sizeof size);
    for (size_t i = 1; i <= cells; ++i) {
        int64_t end = (int64_t)(i * corners);
        sink_put(sink, &end, sizeof end);
    }
}

static void write_blocks(Sink *sink, const mote_FrameSystem *system, const mote_Column *position,
                         const MeshRows *mesh)
{
    size_t rows = system->count;
    open_data(sink, "PolyData");
    write_block(sink, position, rows);
    for (size_t i = 0; i < system->column_count; ++i)
        if (&system->columns[i] != position) write_block(sink, &system->columns[i], rows);
    write_cells(sink, NULL, rows, 1);
    write_cells(sink, mesh->links, mesh->link_count, 2);
    write_cells(sink, mesh->triangles, mesh->triangle_count, 3);
    sink_text(sink, "\n</AppendedData>\n</VTKFile>\n");
}

static void write_vtp(Sink *sink, const mote_Frame *frame, const Part *part)
{
    const mote_FrameSystem *system = &part->points;
    const MeshRows *mesh = &part->mesh;
    const mote_Column *position = mote_frame_column(system, "position");
    size_t rows = system->count;
    write_header(sink, frame, rows, mesh);
    sink_text(sink, "<Points>\n");
    uint64_t offset = declare(sink, position, rows, 0);
    sink_text(sink, "</Points>\n<PointData>\n");
    for (size_t i = 0; i < system->column_count; ++i)
        if (&system->columns[i] != position)
            offset = declare(sink, &system->columns[i], rows, offset);
    sink_text(sink, "</PointData>\n");
    offset = declare_cells(sink, "Verts", rows, 1, offset);
    offset = declare_cells(sink, "Lines", mesh->link_count, 2, offset);
    declare_cells(sink, "Polys", mesh->triangle_count, 3, offset);
    write_blocks(sink, system, position, mesh);
}

const ExportRow export_vtp = {
    .head = EXPORT_HEAD(
        "vtp", "VTK XML PolyData with raw appended data, for ParaView (with a .pvd over time)."),
    .holds = PART_ALL,
    .needs_places = true,
    .write = write_vtp,
    .collection = "collection.pvd"};

/* ---- volumes ---- */

/* Nodes along an axis. */
static size_t volume_span(const Volume *volume, int axis)
{
    return (size_t)(volume->high[axis] - volume->low[axis] + 1);
}

static double volume_span_all(const Volume *volume)
{
    double nodes = 1;
    for (int c = 0; c < 3; ++c) nodes *= (double)volume_span(volume, c);
    return nodes;
}

/* A box of nodes at multiples of a cell. */
typedef struct ImageGrid {
    double cell; /* m */
    int64_t low[3];
    size_t count[3];
} ImageGrid;

static void write_extent(Sink *sink, const ImageGrid *grid)
{
    sink_text(sink, "Extent=\"");
    for (int c = 0; c < 3; ++c) sink_print(sink, "0 %zu ", grid->count[c] - 1);
    sink_text(sink, "\"");
}

static void write_grid(Sink *sink, const ImageGrid *grid)
{
    sink_text(sink, " Whole");
    write_extent(sink, grid);
    sink_text(sink, " Origin=\"");
    for (int c = 0; c < 3; ++c) {
        sink_number(sink, (double)grid->low[c] * grid->cell, 17);
        sink_text(sink, " ");
    }
    sink_text(sink, "\" Spacing=\"");
    for (int c = 0; c < 3; ++c) {
        sink_number(sink, grid->cell, 17);
        sink_text(sink, " ");
    }
    sink_text(sink, "\"");
}

static ImageGrid grid_of(const Volume *volume)
{
    ImageGrid grid = {.cell = volume->cell};
    for (int c = 0; c < 3; ++c)
        grid.low[c] = volume->low[c], grid.count[c] = volume_span(volume, c);
    return grid;
}

/* A column along x from `at` on, zero where there is no leaf. */
static void write_line(Sink *sink, const Volume *volume, const VolumeChannel *channel,
                       int64_t at[3])
{
    static const float nothing[3] = {0};
    const size_t size = (size_t)channel->components * sizeof(float);
    size_t leaf = 0;
    for (at[0] = volume->low[0]; at[0] <= volume->high[0]; ++at[0]) {
        if (at[0] == volume->low[0] || at[0] % VOLUME_SIDE == 0) {
            const int64_t place[] = {at[0] >> VOLUME_LOG, at[1] >> VOLUME_LOG, at[2] >> VOLUME_LOG};
            leaf = volume_find(volume, place);
        }
        const size_t node = VOLUME_NODES * leaf + volume_node(at);
        const float *numbers = leaf < volume->leaf_count
                                   ? volume->numbers + volume->width * node + channel->first
                                   : nothing;
        sink_put(sink, numbers, size);
    }
}

static void write_channel(Sink *sink, const Volume *volume, const VolumeChannel *channel,
                          uint64_t size)
{
    int64_t at[3];
    sink_put(sink, &size, sizeof size);
    for (at[2] = volume->low[2]; at[2] <= volume->high[2]; ++at[2])
        for (at[1] = volume->low[1]; at[1] <= volume->high[1] && sink->status == MOTE_OK; ++at[1])
            write_line(sink, volume, channel, at);
}

static void write_vti(Sink *sink, const mote_Frame *frame, const Part *part)
{
    const Volume *volume = part->volume;
    const uint64_t nodes = (uint64_t)volume_span_all(volume);
    const ImageGrid grid = grid_of(volume);
    uint64_t offset = 0;
    open_file(sink, "ImageData");
    write_grid(sink, &grid);
    write_time(sink, frame);
    sink_text(sink, "<Piece ");
    write_extent(sink, &grid);
    sink_text(sink, ">\n<PointData>\n");
    for (size_t i = 0; i < volume->channel_count; ++i) {
        const VolumeChannel *channel = &volume->channels[i];
        declare_array(sink, "Float32", channel->name, channel->components, offset);
        offset += sizeof offset + nodes * (uint64_t)channel->components * sizeof(float);
    }
    sink_text(sink, "</PointData>\n");
    open_data(sink, "ImageData");
    for (size_t i = 0; i < volume->channel_count; ++i)
        write_channel(sink, volume, &volume->channels[i],
                      nodes * (uint64_t)volume->channels[i].components * sizeof(float));
    sink_text(sink, "\n</AppendedData>\n</VTKFile>\n");
}

/* Unlike vdb, it has all nodes of a box, and a box around all particles may be large. */
static mote_Status check_vti(const Part *part, const char *path, mote_Error *error)
{
    const Volume *volume = part->volume;
    if (volume_span_all(volume) * (double)volume->width < MOST_DENSE) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s: a grid of %zu x %zu x %zu nodes is too large; choose a larger --cell, "
                       "or vdb, which holds those near particles alone",
                       file_label(path), volume_span(volume, 0), volume_span(volume, 1),
                       volume_span(volume, 2));
}

const ExportRow export_vti = {
    .head = EXPORT_HEAD("vti", "VTK XML ImageData: particles as a grid of densities and means, for "
                               "ParaView (with a .pvd over time)."),
    .holds = PART_PARTICLES,
    .needs_places = true,
    .volumes = true,
    .write = write_vti,
    .check = check_vti,
    .collection = "volumes.pvd"};

/* One number a node, without a time. */
static void write_band(Sink *sink, const mote_SurfaceBand *band)
{
    const ImageGrid grid = {band->cell,
                            {band->low[0], band->low[1], band->low[2]},
                            {band->count[0], band->count[1], band->count[2]}};
    const size_t bytes = band->count[0] * band->count[1] * band->count[2] * sizeof(float);
    const uint64_t size = bytes;
    open_file(sink, "ImageData");
    write_grid(sink, &grid);
    sink_text(sink, ">\n<Piece ");
    write_extent(sink, &grid);
    sink_text(sink, ">\n<PointData>\n");
    declare_array(sink, "Float32", "distance", 1, 0);
    sink_text(sink, "</PointData>\n");
    open_data(sink, "ImageData");
    sink_put(sink, &size, sizeof size);
    sink_put(sink, band->distance, bytes);
    sink_text(sink, "\n</AppendedData>\n</VTKFile>\n");
}

mote_Status mote_surface_band_write(const mote_SurfaceBand *band, const char *path,
                                    mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    Sink sink;
    if (band->distance == NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: there is no mesh, so there are no distances from it",
                           file_label(path));
    mote_Status status = sink_begin(&sink, path, &memory, error);
    if (status != MOTE_OK) return status;
    write_band(&sink, band);
    return sink_end(&sink);
}

mote_Status mote_export_pvd(const char *path, const char *const *files, const double *times,
                            size_t count, mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    Sink sink;
    mote_Status status = sink_begin(&sink, path, &memory, error);
    if (status != MOTE_OK) return status;
    sink_text(&sink, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                     "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (size_t i = 0; i < count; ++i) {
        sink_text(&sink, "<DataSet timestep=\"");
        sink_number(&sink, times[i], 17);
        sink_text(&sink, "\" part=\"0\" file=\"");
        write_escaped(&sink, files[i]);
        sink_text(&sink, "\"/>\n");
    }
    sink_text(&sink, "</Collection>\n</VTKFile>\n");
    return sink_end(&sink);
}
