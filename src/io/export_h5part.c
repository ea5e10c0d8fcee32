/* H5Part: all frames of a part in one HDF5 file, a group "Step#N" each with a data set for every
 * number of the points; for ParaView and VisIt. Written by hand: of HDF5 it takes a superblock, old
 * object headers and data in one piece. References: A. Adelmann et al., "H5Part: a portable high
 * performance parallel data interface for particle simulations" (2005); The HDF Group, "HDF5 file
 * format specification", version 3.
 *
 * Data sets come before the group that names them and groups before the root, so that every address
 * is known when it is written; the superblock, which says where the root is, is written last, at
 * the beginning. */
#include "base/status.h"
#include "io/export.h"
#include "particles/system.h"

#include <stdio.h>
#include <string.h>

enum {
    HEAD = 8,          /* of a message */
    NAME = 96,         /* bytes of a name, with its zero */
    MOST_STEPS = 65000 /* messages of one object */
};

#define NOWHERE UINT64_MAX

/* Types of messages. */
enum {
    DATASPACE = 1,
    LINK_INFO = 2,
    DATATYPE = 3,
    FILL = 5,
    LINK = 6,
    LAYOUT = 8,
    GROUP_INFO = 10
};
enum { ATTRIBUTE = 12 };

typedef struct H5Link {
    char name[NAME];
    uint64_t address; /* of an object header */
} H5Link;

typedef struct H5Part {
    Sink sink;
    bool open;
    H5Link *steps; /* room for all frames */
    size_t count;
} H5Part;

static uint64_t here(const Sink *sink)
{
    return sink->offset + sink->used;
}

static size_t up_to_8(size_t size)
{
    return (size + 7) / 8 * 8;
}

static void put_zeros(Sink *sink, size_t count)
{
    static const char zeros[64];
    for (; count > sizeof zeros; count -= sizeof zeros) sink_put(sink, zeros, sizeof zeros);
    sink_put(sink, zeros, count);
}

static void put_number(Sink *sink, uint64_t value, size_t bytes)
{
    unsigned char text[8];
    for (size_t i = 0; i < bytes; ++i) text[i] = (unsigned char)(value >> (8 * i));
    sink_put(sink, text, bytes);
}

/* ---- messages of object headers ---- */

/* The prefix of an object header with so many messages, of so many bytes together. */
static void put_object(Sink *sink, size_t messages, size_t bytes)
{
    put_number(sink, 1, 2); /* version */
    put_number(sink, messages, 2);
    put_number(sink, 1, 4); /* links to it */
    put_number(sink, bytes, 4);
    put_zeros(sink, 4);
}

static void put_message(Sink *sink, int type, size_t size)
{
    put_number(sink, (uint64_t)type, 2);
    put_number(sink, size, 2);
    put_zeros(sink, 4);
}

/* The bits that HDF5 describes a number by, as they stand in a file. */
typedef struct NumberForm {
    unsigned char text[24];
} NumberForm;

static const NumberForm forms[] = {[MOTE_COLUMN_U32] = {{0x10, 0, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0}},
                                   [MOTE_COLUMN_U64] = {{0x10, 0, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0}}};
static const NumberForm form_float = {
    {0x11, 0x20, 31, 0, 4, 0, 0, 0, 0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0}};
static const NumberForm form_double = {
    {0x11, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0}};

static const NumberForm *form_of(mote_ColumnType type)
{
    if (type == MOTE_COLUMN_U32 || type == MOTE_COLUMN_U64) return &forms[type];
    return column_item_size(type) == 4 ? &form_float : &form_double;
}

static void put_dataspace(Sink *sink, uint64_t count)
{
    put_number(sink, 1, 1); /* version */
    put_number(sink, 1, 1); /* dimensions */
    put_zeros(sink, 6);
    put_number(sink, count, 8);
}

/* Numbers in one piece, and the object that describes them, whose address comes back. */
static uint64_t put_data(Sink *sink, const void *data, uint64_t count, mote_ColumnType type)
{
    const size_t size = (size_t)count * column_item_size(type);
    const uint64_t start = size > 0 ? here(sink) : NOWHERE;
    sink_put(sink, data, size);
    put_zeros(sink, up_to_8(size) - size);
    const uint64_t object = here(sink);
    put_object(sink, 4, 4 * HEAD + 16 + 24 + 8 + 24);
    put_message(sink, DATASPACE, 16);
    put_dataspace(sink, count);
    put_message(sink, DATATYPE, 24);
    sink_put(sink, form_of(type), 24);
    put_message(sink, FILL, 8);
    sink_put(sink, "\2\2\2\0\0\0\0", 8); /* version 2, room made late, no value */
    put_message(sink, LAYOUT, 24);
    sink_put(sink, "\3\1", 2); /* version 3, in one piece */
    put_number(sink, start, 8);
    put_number(sink, size, 8);
    put_zeros(sink, 6);
    return object;
}

/* ---- groups ---- */

static size_t link_size(const H5Link *link)
{
    return up_to_8(3 + strlen(link->name) + 8);
}

static void put_link(Sink *sink, const H5Link *link)
{
    const size_t length = strlen(link->name);
    put_message(sink, LINK, link_size(link));
    sink_put(sink, "\1\0", 2); /* version 1, to an object of this file */
    put_number(sink, length, 1);
    sink_put(sink, link->name, length);
    put_number(sink, link->address, 8);
    put_zeros(sink, link_size(link) - 3 - length - 8);
}

enum { TIME_SIZE = 8 + 16 + 24 + 16 + 8 };

static void put_time(Sink *sink, double time)
{
    put_message(sink, ATTRIBUTE, TIME_SIZE);
    put_number(sink, 1, 2);  /* version */
    put_number(sink, 10, 2); /* sizes of name, type and space */
    put_number(sink, 20, 2);
    put_number(sink, 16, 2);
    sink_put(sink, "TimeValue\0\0\0\0\0\0", 16);
    sink_put(sink, &form_double, 24);
    put_dataspace(sink, 1);
    sink_put(sink, &time, 8);
}

/* A group of links, with a time unless it is NULL; its address comes back. */
static uint64_t put_group(Sink *sink, const H5Link *links, size_t count, const double *time)
{
    const uint64_t object = here(sink);
    size_t bytes = HEAD + 24 + HEAD + 8 + (time != NULL ? HEAD + TIME_SIZE : 0);
    for (size_t i = 0; i < count; ++i) bytes += HEAD + link_size(&links[i]);
    put_object(sink, 2 + count + (time != NULL), bytes);
    put_message(sink, LINK_INFO, 24);
    put_zeros(sink, 2);
    put_number(sink, NOWHERE, 8); /* links are messages, not in a heap */
    put_number(sink, NOWHERE, 8);
    put_zeros(sink, 6);
    put_message(sink, GROUP_INFO, 8);
    put_zeros(sink, 8);
    if (time != NULL) put_time(sink, *time);
    for (size_t i = 0; i < count; ++i) put_link(sink, &links[i]);
    return object;
}

/* Little-endian, as all our files. */
typedef struct Superblock {
    char form[24]; /* signature, versions, sizes of addresses and of nodes */
    uint64_t base, free_space, end, driver;
    uint64_t root_name, root, root_cache[3];
} Superblock;

static void put_superblock(Sink *sink, uint64_t root)
{
    const Superblock block = {.form = "\211HDF\r\n\032\n\0\0\0\0\0\10\10\0\4\0\20",
                              .free_space = NOWHERE,
                              .end = here(sink),
                              .driver = NOWHERE,
                              .root = root};
    sink_replace(sink, 0, &block, sizeof block);
}

/* ---- frames ---- */

/* "x", "y", "z" of places; "velocity_0" of others, which ParaView joins to a vector. */
static void name_data(const mote_Column *column, int component, char name[NAME])
{
    static const char *const places[] = {"x", "y", "z"};
    if (strcmp(column->name, "position") == 0 && column->components == 3)
        snprintf(name, NAME, "%s", places[component]);
    else if (column->components == 1)
        snprintf(name, NAME, "%.80s", column->name);
    else
        snprintf(name, NAME, "%.80s_%d", column->name, component);
}

static size_t count_data(const mote_FrameSystem *points)
{
    size_t count = 0;
    for (size_t k = 0; k < points->column_count; ++k)
        count += (size_t)points->columns[k].components;
    return count;
}

static mote_Status put_step(H5Part *file, const mote_Frame *frame, const mote_FrameSystem *points,
                            Memory *memory)
{
    const size_t count = count_data(points);
    H5Link *links = memory_take(memory, count * sizeof *links), *link = links;
    if (links == NULL) return status_no_memory(file->sink.error, "an export", count);
    for (size_t k = 0; k < points->column_count; ++k)
        for (int c = 0; c < points->columns[k].components; ++c, ++link) {
            const mote_Column *column = &points->columns[k];
            name_data(column, c, link->name);
            link->address =
                put_data(&file->sink, column_plane(column, c), points->count, column->type);
        }
    H5Link *step = &file->steps[file->count];
    snprintf(step->name, NAME, "Step#%zu", file->count++);
    step->address = put_group(&file->sink, links, count, &frame->time);
    memory_free(memory, links, count * sizeof *links);
    return file->sink.status;
}

static size_t steps_size(const Film *film)
{
    return (size_t)film->frames * sizeof(H5Link);
}

static mote_Status begin(Film *film, const mote_Frame *frame, mote_Error *error)
{
    H5Part *file = film->state;
    (void)frame;
    if (film->frames > MOST_STEPS)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: this format holds up to %d frames; choose some by --frames",
                           file_label(film->path), MOST_STEPS);
    file->steps = memory_take(film->memory, steps_size(film));
    if (file->steps == NULL) return status_no_memory(error, "an export", steps_size(film));
    mote_Status status = sink_begin(&file->sink, film->path, film->memory, error);
    file->open = status == MOTE_OK;
    if (file->open) put_zeros(&file->sink, sizeof(Superblock));
    return status;
}

static mote_Status add(Film *film, const mote_Frame *frame, const Part *part, mote_Error *error)
{
    H5Part *file = film->state;
    file->sink.error = error;
    return put_step(file, frame, &part->points, film->memory);
}

static mote_Status end(Film *film, mote_Error *error)
{
    H5Part *file = film->state;
    file->sink.error = error;
    put_superblock(&file->sink, put_group(&file->sink, file->steps, file->count, NULL));
    file->open = false;
    return sink_end(&file->sink);
}

static void close_film(Film *film)
{
    H5Part *file = film->state;
    if (file->open) sink_drop(&file->sink);
    memory_free(film->memory, file->steps, steps_size(film));
}

static const FilmRow h5part_film = {.one_part = true,
                                    .state_size = sizeof(H5Part),
                                    .begin = begin,
                                    .add = add,
                                    .end = end,
                                    .close = close_film};

const ExportRow export_h5part = {
    .head = EXPORT_HEAD("h5part", "H5Part, a form of HDF5: all numbers of the points over time."),
    .holds = PART_ALL,
    .needs_places = true,
    .film = &h5part_film};
