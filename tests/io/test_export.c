/* Exports, read back by small readers of the tests' own, by NumPy, and by VTK where it is there. */
#include "sample.h"

#include "io/export.h"

enum { ROWS = 300 };

static char *export_sample(const char *format, Sample *sample, Folder *folder, size_t *size)
{
    mote_Error error;
    const char *path = folder_file(folder, format);
    CHECK_OK(mote_export(format, &sample->frame, "water", path, &error), error);
    return file_bytes(path, size);
}

/* What the formula of the sample says, as a double. */
static double expected(size_t column, int component, size_t row)
{
    double number = sample_number(0, column, component, row);
    mote_ColumnType type = sample_columns[column].type;
    if (type == MOTE_COLUMN_U64) return number + 1099511627776.0;
    return type == MOTE_COLUMN_U32 ? number : number / 8 - 200;
}

/* ---- PLY ---- */

static double ply_number(const char *type, const char **at)
{
    double value;
    if (strcmp(type, "float") == 0) {
        float narrow;
        memcpy(&narrow, *at, 4), *at += 4, value = (double)narrow;
    } else if (strcmp(type, "uchar") == 0) {
        value = *(const unsigned char *)*at, *at += 1;
    } else if (strcmp(type, "uint") == 0) {
        uint32_t whole;
        memcpy(&whole, *at, 4), *at += 4, value = whole;
    } else {
        CHECK(strcmp(type, "double") == 0);
        memcpy(&value, *at, 8), *at += 8;
    }
    return value;
}

/* sRGB, IEC 61966-2-1. */
static double color_code(double light)
{
    const double x = fmin(fmax(light, 0), 1);
    return floor(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055) + 0.5);
}

static double expected_in_ply(size_t column, int component, size_t row)
{
    const double value = expected(column, component, row);
    if (column == COLUMN_COLOR) return color_code(value);
    return column == COLUMN_OPACITY ? floor(255 * fmin(fmax(value, 0), 1) + 0.5) : value;
}

static void check_ply_rows(char types[][16], size_t rows, const char *at, const char *end)
{
    for (size_t i = 0; i < rows; ++i) {
        size_t property = 0;
        for (size_t k = 0; k < SAMPLE_COLUMNS; ++k)
            for (int c = 0; c < sample_columns[k].components; ++c)
                CHECK(ply_number(types[property++], &at) == expected_in_ply(k, c, i));
    }
    CHECK(at == end);
}

static void check_ply(size_t rows)
{
    static const char *const names[] = {"id",       "x",        "y",        "z",        "vx",
                                        "vy",       "vz",       "mass",     "radius",   "birth",
                                        "lifetime", "red",      "green",    "blue",     "alpha",
                                        "group",    "stress_0", "stress_1", "stress_2", "stress_3",
                                        "stress_4", "stress_5", "stress_6", "stress_7", "stress_8"};
    Folder folder = folder_make();
    Sample *sample = sample_make(rows);
    size_t size, properties = 0, vertices = 0;
    char types[64][16], name[64];
    char *bytes = export_sample("ply", sample, &folder, &size);
    char *body = strstr(bytes, "end_header\n");
    CHECK(body != NULL && strncmp(bytes, "ply\nformat binary_little_endian 1.0\n", 36) == 0);
    for (char *line = bytes; line < body; line = strchr(line, '\n') + 1) {
        if (sscanf(line, "element vertex %zu", &vertices) == 1) continue;
        if (sscanf(line, "property %15s %63s", types[properties], name) != 2) continue;
        CHECK(properties < 25 && strcmp(name, names[properties]) == 0);
        ++properties;
    }
    CHECK(properties == 25 && vertices == rows);
    check_ply_rows(types, rows, body + 11, bytes + size);
    free(bytes);
    sample_free(sample);
    folder_remove(&folder);
}

static void ply_files(void)
{
    check_ply(ROWS);
    check_ply(0);
    check_ply(20000); /* more than one buffer */
}

static void ply_refuses_large_integers(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_make(3);
    mote_Error error;
    uint64_t *id = sample->columns[0][COLUMN_ID].data;
    id[2] = (UINT64_C(1) << 53) + 1;
    CHECK(mote_export("ply", &sample->frame, "water", folder_file(&folder, "f"), &error) ==
          MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "column id: holds integers above 2^53");
    CHECK(folder_count(&folder) == 0);
    sample_free(sample);
    folder_remove(&folder);
}

/* ---- VTP ---- */

static const char *vtp_block(const char *bytes, const char *name, const char **type, uint64_t *size)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "Name=\"%s\"", name);
    const char *at = strstr(bytes, wanted),
               *appended = strstr(bytes, "<AppendedData encoding=\"raw\">");
    CHECK(at != NULL && appended != NULL);
    if (at == NULL || appended == NULL) return NULL;
    *type = at;
    while (strncmp(*type, "type=\"", 6) != 0) --*type;
    unsigned long long offset = 0;
    CHECK(sscanf(strstr(at, "offset=\""), "offset=\"%llu\"", &offset) == 1);
    const char *block = strchr(appended, '_') + 1 + offset;
    memcpy(size, block, 8);
    return block + 8;
}

static void check_vtp_column(const char *bytes, size_t k, size_t rows)
{
    const char *type = NULL, *ply_type = "double";
    uint64_t size = 0;
    int components = sample_columns[k].components;
    const char *at = vtp_block(bytes, sample_columns[k].name, &type, &size), *start = at;
    if (at == NULL) return;
    bool wide = strncmp(type, "type=\"UInt64\"", 13) == 0;
    if (strncmp(type, "type=\"Float32\"", 14) == 0) ply_type = "float";
    if (strncmp(type, "type=\"UInt32\"", 13) == 0) ply_type = "uint";
    for (size_t i = 0; i < rows; ++i)
        for (int c = 0; c < components; ++c) {
            uint64_t whole;
            memcpy(&whole, at, 8);
            double value = wide ? (at += 8, (double)whole) : ply_number(ply_type, &at);
            CHECK(value == expected(k, c, i));
        }
    CHECK(at == start + size);
}

static void check_verts(const char *bytes, size_t rows)
{
    for (int which = 0; which < 2; ++which) {
        const char *type;
        uint64_t size = 0;
        const char *at = vtp_block(bytes, which ? "offsets" : "connectivity", &type, &size);
        CHECK(strncmp(type, "type=\"Int64\"", 12) == 0 && size == rows * 8);
        for (size_t i = 0; i < rows; ++i, at += 8) {
            int64_t value;
            memcpy(&value, at, 8);
            CHECK(value == (int64_t)i + which);
        }
        if (which) CHECK(strcmp(at, "\n</AppendedData>\n</VTKFile>\n") == 0);
    }
}

static void vtp_files(void)
{
    static const size_t counts[] = {0, 1, ROWS};
    for (size_t n = 0; n < 3; ++n) {
        Folder folder = folder_make();
        Sample *sample = sample_make(counts[n]);
        char points[64];
        size_t size;
        char *bytes = export_sample("vtp", sample, &folder, &size);
        snprintf(points, sizeof points, "NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\"", counts[n],
                 counts[n]);
        CHECK(strstr(bytes, points) != NULL);
        for (size_t k = 0; k < SAMPLE_COLUMNS; ++k) check_vtp_column(bytes, k, counts[n]);
        check_verts(bytes, counts[n]);
        CHECK(python_agrees("check_vtp.py", folder_file(&folder, "vtp")));
        free(bytes);
        sample_free(sample);
        folder_remove(&folder);
    }
}

static void vtp_needs_positions(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_make(3);
    mote_Error error;
    sample->columns[0][COLUMN_POSITION].name = "place";
    CHECK(mote_export("vtp", &sample->frame, "water", folder_file(&folder, "f"), &error) ==
          MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "has no position");
    sample_free(sample);
    folder_remove(&folder);
}

static void pvd_files(void)
{
    static const char *const files[] = {"a_000000.vtp", "b&\"<c>.vtp"};
    static const double times[] = {0, 0.1};
    Folder folder = folder_make();
    mote_Error error;
    size_t size;
    CHECK_OK(mote_export_pvd(folder_file(&folder, "all.pvd"), files, times, 2, &error), error);
    char *bytes = file_bytes(folder.file, &size);
    CHECK(strstr(bytes, "timestep=\"0\" part=\"0\" file=\"a_000000.vtp\"/>") != NULL);
    CHECK(strstr(bytes, "timestep=\"0.10000000000000001\" part=\"0\" "
                        "file=\"b&amp;&quot;&lt;c&gt;.vtp\"/>") != NULL);
    free(bytes);
    folder_remove(&folder);
}

/* ---- CSV ---- */

static void csv_files(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_make(ROWS);
    size_t size;
    sample->columns[0][COLUMN_MASS].name = "m, \"a\"";
    ((mote_real *)sample->columns[0][COLUMN_RADIUS].data)[0] = (mote_real)INFINITY;
    ((mote_real *)sample->columns[0][COLUMN_RADIUS].data)[1] = (mote_real)0.1;
    use_decimal_comma(&folder);
    char *bytes = export_sample("csv", sample, &folder, &size);
    setlocale(LC_ALL, "C");
    static const char header[] =
        "id,position_x [m],position_y [m],position_z [m],velocity_x [m/s],velocity_y [m/s],"
        "velocity_z [m/s],\"m, \"\"a\"\" [kg]\",radius [m],birth [s],lifetime [s],color_x,";
    CHECK(strncmp(bytes, header, sizeof header - 1) == 0);
    char *at = strchr(bytes, '\n') + 1;
    for (size_t i = 0; i < ROWS; ++i)
        for (size_t k = 0; k < SAMPLE_COLUMNS; ++k)
            for (int c = 0; c < sample_columns[k].components; ++c) {
                double value = strtod(at, &at);
                bool last = k == SAMPLE_COLUMNS - 1 && c == 8;
                CHECK(*at++ == (last ? '\n' : ','));
                if (k == COLUMN_RADIUS && i == 0)
                    CHECK(isinf(value));
                else if (k == COLUMN_RADIUS && i == 1)
                    CHECK((mote_real)value == (mote_real)0.1);
                else
                    CHECK(value == expected(k, c, i));
            }
    CHECK(at == bytes + size);
    free(bytes);
    sample_free(sample);
    folder_remove(&folder);
}

/* ---- choosing ---- */

static void names_are_checked(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_make(3);
    mote_Error error;
    const char *path = folder_file(&folder, "f");
    CHECK(mote_export("pyl", &sample->frame, "water", path, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "did you mean \"ply\"?");
    CHECK(mote_export("ply", &sample->frame, "watre", path, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "did you mean \"water\"?");
    CHECK(mote_export("ply", &sample->frame, NULL, path, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "has 2 parts");
    CHECK(folder_count(&folder) == 0);
    sample->frame.system_count = 1;
    CHECK_OK(mote_export("ply", &sample->frame, NULL, path, &error), error);
    sample_free(sample);
    folder_remove(&folder);
}

/* One system alone, and all of them, come back from npz. */
static void npz_exports(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_make(30);
    mote_Frame *read = NULL;
    mote_Error error;
    const char *path = folder_file(&folder, "f.npz");
    CHECK_OK(mote_export("npz", &sample->frame, NULL, path, &error), error);
    CHECK_OK(mote_frame_read(path, &read, &error), error);
    CHECK(same_frame(&sample->frame, read));
    mote_frame_destroy(read);
    CHECK_OK(mote_export("npz", &sample->frame, sample->systems[1].name, path, &error), error);
    CHECK_OK(mote_frame_read(path, &read, &error), error);
    sample->frame.systems = &sample->systems[1], sample->frame.system_count = 1;
    CHECK(same_frame(&sample->frame, read));
    mote_frame_destroy(read);
    sample_free(sample);
    folder_remove(&folder);
}

static void every_format_is_documented(void)
{
    size_t count = 0;
    for (const mote_ExportFormat *f; (f = mote_export_format(count)) != NULL; ++count)
        CHECK(f->name[0] != '\0' && f->extension[0] == '.' && strlen(f->doc) > 20);
    CHECK(count == 14);
}

static void memory_runs_out(void)
{
    Folder folder = folder_make();
    Sample *sample = sample_make(3);
    const uint64_t *id = sample->columns[0][COLUMN_ID].data;
    const mote_FrameMesh rope = {"rope", 0, (const uint64_t[]){id[0], id[1]}, 1, NULL, 0};
    const mote_ExportFormat *format;
    sample->frame.meshes = &rope, sample->frame.mesh_count = 1;
    for (size_t f = 0; (format = mote_export_format(f)) != NULL; ++f) {
        mote_Status status = MOTE_NO_MEMORY;
        const bool ropes = (export_named(format->name)->holds & PART_LINKED) != 0;
        const char *part = sample->systems[ropes ? 0 : 1].name;
        for (long granted = 0; granted < 400 && status != MOTE_OK; ++granted) {
            Scarce scarce = {.left = granted};
            Memory memory = memory_make(scarce_allocator(&scarce));
            mote_Error error;
            const char *path = folder_file(&folder, format->name);
            status = export_write(format->name, &sample->frame, part, path, &memory, &error);
            CHECK(status == MOTE_OK || status == MOTE_NO_MEMORY);
            CHECK(scarce.held == 0 && (status == MOTE_OK) == (access(path, R_OK) == 0));
        }
        CHECK(status == MOTE_OK);
    }
    CHECK(folder_count(&folder) == 14);
    sample_free(sample);
    folder_remove(&folder);
}

TESTS({"ply_files", ply_files}, {"ply_refuses_large_integers", ply_refuses_large_integers},
      {"vtp_files", vtp_files}, {"vtp_needs_positions", vtp_needs_positions},
      {"pvd_files", pvd_files}, {"csv_files", csv_files}, {"names_are_checked", names_are_checked},
      {"npz_exports", npz_exports}, {"every_format_is_documented", every_format_is_documented},
      {"memory_runs_out", memory_runs_out})
